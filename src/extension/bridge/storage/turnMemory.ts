/** The turn of each session that is being traced, so that its trace goes on in a window that is loaded again in the middle of it. */
import { isRecord } from '../../../base/isRecord.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { KeptMap, type KeptIn } from './keptMap.ts';

const STORAGE_KEY = 'tapline.tracedTurns';
/** More than can have a turn at a time. */
const MAX_TURNS = 100;

export interface TracedTurn {
  readonly turnId: string;
  readonly start: number;
  /** What has begun it, as a `traceparent`. */
  readonly parent?: string;
}

export class TurnMemory implements Disposable {
  readonly #turns: KeptMap<TracedTurn>;

  constructor(kept: KeptIn) {
    this.#turns = new KeptMap(kept, { key: STORAGE_KEY, limit: MAX_TURNS, is: isTracedTurn });
  }

  /** `session`: its id at the gateway. */
  get(session: string, turnId: string): TracedTurn | undefined {
    const turn = this.#turns.entries.get(session);
    return turn?.turnId === turnId ? turn : undefined;
  }

  began(session: string, turn: TracedTurn): void {
    this.#turns.put(session, turn);
    this.#turns.writeNow();
  }

  ended(session: string): void {
    if (this.#turns.entries.delete(session)) this.#turns.writeSoon();
  }

  dispose(): void {
    this.#turns.dispose();
  }
}

function isTracedTurn(value: unknown): value is TracedTurn {
  if (!isRecord(value)) return false;
  const { turnId, start, parent } = value;
  return typeof turnId === 'string' && typeof start === 'number' && (parent === undefined || typeof parent === 'string');
}
