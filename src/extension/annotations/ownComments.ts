/** Which comments the user has written in this workspace. The protocol does not say who has written one. */
import { sha256 } from '../../base/node/sha256.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { Storage } from '../bridge/storage/storage.ts';

const STORAGE_KEY = 'tapline.ownComments';
/** Above it the oldest are forgotten, and shown as somebody's. */
const MAX_OWN = 2_000;

/** Where a comment is, and what it says. */
export interface WrittenComment {
  readonly session: SessionRef;
  readonly annotationId: string;
  readonly entryId: string;
  readonly text: string;
}

/** A comment is the user's only as they wrote it: a host, or another client, may put other words in its place. */
export class OwnComments {
  #digests: ReadonlySet<string>;

  constructor(private readonly storage: Storage) {
    const kept = storage.get(STORAGE_KEY);
    this.#digests = new Set(Array.isArray(kept) ? kept.filter((digest) => typeof digest === 'string') : []);
  }

  has(comment: WrittenComment): boolean {
    return this.#digests.has(digestOf(comment));
  }

  async add(comment: WrittenComment): Promise<void> {
    const digests = [...this.#digests, digestOf(comment)].slice(-MAX_OWN);
    this.#digests = new Set(digests);
    await this.storage.update(STORAGE_KEY, digests);
  }
}

function digestOf({ session: { hostId, uri }, annotationId, entryId, text }: WrittenComment): string {
  return sha256(JSON.stringify([hostId, uri, annotationId, entryId, text]));
}
