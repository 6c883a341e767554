/** Which files of a turn were discarded since, and what is left of the others. Kept in the `_meta` of the session. */
import * as z from 'zod/mini';
import { id, listOf, uri } from '../../../ahp/common/schemas.ts';
import { contentRef, type ContentRef, type FileEdit, type URI } from '../../../ahp/common/shapes.ts';
import { isRecord } from '../../../base/isRecord.ts';
import { metaChanged } from '../../state/sessionMeta.ts';
import type { StateStore } from '../../state/stateStore.ts';
import { turnIdsOf } from './turnEdits.ts';

export const DISCARDED = 'tapline.discarded';
/** Notes of a session. The oldest go first: their files are listed again, and discarding them has nothing more to do. */
const MAX_NOTES = 300;

const note = z.object({ turnId: id, file: z.optional(uri), left: z.optional(contentRef) });
/** `file` is absent where all files of the turn were discarded. `left`: the content of the file with what is left of the change. Absent where the whole file was discarded. */
export interface DiscardedFile {
  turnId: string;
  file?: URI;
  left?: ContentRef;
}

export class DiscardedFiles {
  constructor(private readonly store: StateStore) {}

  of(session: URI, turnId: string): readonly DiscardedFile[] {
    return this.#all(session).filter((one) => one.turnId === turnId);
  }

  add(session: URI, turnId: string, files: ReadonlyMap<URI, FileEdit | undefined>): void {
    const others = this.#all(session).filter(({ turnId: of, file }) => of !== turnId || file === undefined || !files.has(file));
    const added = [...files].map(([file, left]) => ({ turnId, file, ...(left?.after && { left: left.after.content }) }));
    this.#set(session, [...others, ...added].slice(-MAX_NOTES));
  }

  addTurn(session: URI, turnId: string): void {
    const others = this.#all(session).filter((one) => one.turnId !== turnId);
    this.#set(session, [...others, { turnId }].slice(-MAX_NOTES));
  }

  /** Forgets the turns that are gone. */
  prune(session: URI): void {
    if (this.#all(session).length === 0) return;
    const turns = turnIdsOf(this.store, session);
    this.#retain(session, ({ turnId }) => turns.has(turnId));
  }

  forget(session: URI, turnId: string): void {
    this.#retain(session, (one) => one.turnId !== turnId);
  }

  #retain(session: URI, isKept: (note: DiscardedFile) => boolean): void {
    const all = this.#all(session);
    const left = all.filter(isKept);
    if (left.length < all.length) this.#set(session, left);
  }

  #all(session: URI): DiscardedFile[] {
    const meta = this.store.session(session)?._meta;
    return (isRecord(meta) && listOf(note).safeParse(meta[DISCARDED]).data) || [];
  }

  #set(session: URI, notes: readonly DiscardedFile[]): void {
    const state = this.store.session(session);
    if (state) this.store.dispatch(session, metaChanged(state, DISCARDED, notes.length > 0 ? notes : undefined));
  }
}
