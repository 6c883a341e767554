/** The turn of each session that is being traced, so that its trace goes on in a window that is loaded again in the middle of it. */
import { dropOldest } from '../../../base/dropOldest.ts';
import { isRecord } from '../../../base/isRecord.ts';
import { readMap, type Storage } from './storage.ts';

const STORAGE_KEY = 'tapline.tracedTurns';
/** More than can have a turn at a time; the oldest go first. */
const MAX_TURNS = 100;

export interface TracedTurn {
  readonly turnId: string;
  readonly start: number;
  /** What has begun it, as a `traceparent`. */
  readonly parent?: string;
}

export class TurnMemory {
  readonly #turns: Map<string, TracedTurn>;

  /** `onError`: it could not be kept. */
  constructor(
    private readonly storage: Storage,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#turns = readMap(storage, STORAGE_KEY, isTracedTurn);
  }

  /** `session`: its id at the gateway. */
  get(session: string, turnId: string): TracedTurn | undefined {
    const turn = this.#turns.get(session);
    return turn?.turnId === turnId ? turn : undefined;
  }

  began(session: string, turn: TracedTurn): void {
    this.#turns.delete(session);
    this.#turns.set(session, turn);
    dropOldest(this.#turns, MAX_TURNS);
    this.#write();
  }

  ended(session: string): void {
    if (this.#turns.delete(session)) this.#write();
  }

  #write(): void {
    this.storage.update(STORAGE_KEY, Object.fromEntries(this.#turns)).then(undefined, this.onError);
  }
}

function isTracedTurn(value: unknown): value is TracedTurn {
  if (!isRecord(value)) return false;
  const { turnId, start, parent } = value;
  return typeof turnId === 'string' && typeof start === 'number' && (parent === undefined || typeof parent === 'string');
}
