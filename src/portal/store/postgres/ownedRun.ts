/** The events that this portal adds to a run that it owns: in order, as many at once as wait. */
import type { RunEvent } from '../../runs/runEvents.ts';
import type { Database } from './database.ts';
import { addEvents, type Claim } from './runTable.ts';

export interface OwnedRunListener {
  /** All events up to that number are kept. It comes before the additions resolve. */
  onKept(seq: number): void;
  /** It has ended, or is not owned any more. It comes before the additions settle. */
  onOver(): void;
  /** Another portal has it. */
  onRefused(): void;
  /** It is not known whether the last events are kept. */
  onFailed(error: unknown): void;
}

interface Waiting {
  event: RunEvent;
  isEnd: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

export class OwnedRun {
  readonly claim: Claim;
  readonly #database: Database;
  readonly #runId: string;
  readonly #listener: OwnedRunListener;
  #waiting: Waiting[] = [];
  #isAdding = false;
  #isOver = false;

  constructor(database: Database, runId: string, claim: Claim, listener: OwnedRunListener) {
    this.claim = claim;
    this.#database = database;
    this.#runId = runId;
    this.#listener = listener;
  }

  add(event: RunEvent, isEnd: boolean): Promise<void> {
    if (this.#isOver) return Promise.reject(notOwned());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, isEnd, resolve, reject });
      if (!this.#isAdding) void this.#addAll();
    });
  }

  /** Nothing more is added. */
  cut(): void {
    this.#isOver = true;
    for (const { reject } of this.#waiting.splice(0)) reject(notOwned());
  }

  #over(): void {
    this.#listener.onOver();
    this.cut();
  }

  async #addAll(): Promise<void> {
    this.#isAdding = true;
    // What is recorded in one go is kept in one go.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const some = this.#waiting;
      this.#waiting = [];
      const isEnd = some.some((one) => one.isEnd);
      const refuse = (error: unknown) => some.forEach(({ reject }) => reject(error));
      let seq: number | undefined;
      try {
        seq = await addEvents(this.#database, this.#runId, this.claim, {
          events: some.map(({ event }) => JSON.stringify(event)),
          isEnd,
          hasAdvanced: some.some(({ event }) => event.type === 'workStopped' || event.type === 'workSkipped'),
        });
      } catch (error) {
        this.#over();
        refuse(error);
        this.#listener.onFailed(error);
        return;
      }
      // Where it was cut meanwhile, they are seen as those of others are.
      if (this.#isOver) return refuse(notOwned());
      if (seq === undefined) {
        this.#over();
        refuse(notOwned());
        this.#listener.onRefused();
        return;
      }
      this.#listener.onKept(seq);
      if (isEnd) this.#over();
      for (const { resolve } of some) resolve();
    }
    this.#isAdding = false;
  }
}

function notOwned(): Error {
  return new Error('another portal has it now, or waits for it');
}
