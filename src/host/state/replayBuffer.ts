/** The newest envelopes, for clients that reconnect. */
import type { URI } from '../../ahp/common/shapes.ts';

export interface ReplayLimits {
  /** Envelopes. */
  replayLimit?: number | undefined;
  /** About how many characters of text they hold. */
  replaySizeLimit?: number | undefined;
}

const DEFAULT_LIMIT = 1000;
const DEFAULT_SIZE_LIMIT = 16 * 1024 * 1024;

export class ReplayBuffer<E extends { serverSeq: number }> {
  readonly #entries: { resource: URI; envelope: E; size: number }[] = [];
  readonly #limit: number;
  readonly #sizeLimit: number;
  #size = 0;

  /** `forgottenSeq`: nothing up to this number can be replayed. */
  constructor(
    private forgottenSeq: number,
    { replayLimit, replaySizeLimit }: ReplayLimits = {},
  ) {
    this.#limit = replayLimit ?? DEFAULT_LIMIT;
    this.#sizeLimit = replaySizeLimit ?? DEFAULT_SIZE_LIMIT;
  }

  keep(resource: URI, envelope: E): void {
    const size = sizeOf(envelope);
    this.#entries.push({ resource, envelope, size });
    this.#size += size;
    let forgotten = 0;
    for (const oldest of this.#entries) {
      if (this.#entries.length - forgotten <= this.#limit && this.#size <= this.#sizeLimit) break;
      this.#size -= oldest.size;
      this.forgottenSeq = oldest.envelope.serverSeq;
      forgotten++;
    }
    this.#entries.splice(0, forgotten);
  }

  /** The envelopes of these resources after `since`. Undefined where the buffer does not reach back that far. */
  after(since: number, resources: ReadonlySet<URI>): E[] | undefined {
    if (since < this.forgottenSeq) return undefined;
    return this.#entries.flatMap(({ resource, envelope }) => (envelope.serverSeq > since && resources.has(resource) ? [envelope] : []));
  }
}

/** The characters of text in it, plus something for each value. Approximates the memory that it needs. */
export function sizeOf(whole: unknown): number {
  let size = 0;
  // Without recursion, because it runs for every envelope.
  const open = [whole];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    size += typeof value === 'string' ? value.length + 8 : 8;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      size += key.length;
      if (inner !== undefined) open.push(inner);
    }
  }
  return size;
}
