/** Keeps what a session has changed, in its changeset: of each file the first content and the last. */
import { setImmediate } from 'node:timers/promises';
import type { ChangesetFile } from '../../ahp/channels/changeset.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { FileEdit, URI } from '../../ahp/common/shapes.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { sameJson } from '../../base/sameJson.ts';
import { sha256 } from '../../base/node/sha256.ts';
import { moveAnnotations } from '../annotations/moveAnnotations.ts';
import type { Contents } from '../files/contentStore.ts';
import { changesUri } from '../state/chatUris.ts';
import type { StateStore } from '../state/stateStore.ts';
import { composed, type EditContents, fileOf } from './edits/composition.ts';

/** Contents that the host made itself, which it finds again while they are used. */
const MAX_KEPT = 200;

export class SessionEdits {
  /** What is being recorded, by session. Never rejects. */
  readonly #work = new Map<URI, Promise<unknown>>();
  readonly #kept = new Map<string, ReturnType<EditContents['keep']>>();

  constructor(
    private readonly store: StateStore,
    private readonly contents: Contents,
  ) {}

  /** Adds what a step has changed, as `AgentChatHost.recordEdits` does. */
  async record(session: URI, edits: readonly FileEdit[], maxFiles = Infinity): Promise<void> {
    await this.#afterOthers(session, () => this.#record(session, edits, maxFiles));
  }

  /** Takes files out of the changes. What they are now is the beginning of later changes. */
  async keep(session: URI, files: ReadonlySet<URI>): Promise<void> {
    await this.#afterOthers(session, () => this.#replace(session, new Map([...files].map((id) => [id, undefined]))));
  }

  files(session: URI): readonly ChangesetFile[] {
    return this.store.changeset(changesUri(session))?.files ?? [];
  }

  /** Keeping something throws NotFound once the session is deleted: nothing would ever remove it. */
  contentsOf(session: URI): EditContents {
    return {
      read: (uri) => this.contents.read(uri)?.data,
      keep: (data) => {
        // eslint-disable-next-line texts/translated -- for programs
        if (!this.#isThere(session)) throw new RpcError(ErrorCode.NotFound, 'the session was deleted');
        const key = sha256(`${session}\n${typeof data === 'string' ? data : Buffer.from(data).toString('base64')}`);
        const known = this.#kept.get(key);
        const content = known && this.contents.read(known.uri) ? known : this.contents.put(session, data, 'text/plain');
        this.#kept.delete(key);
        this.#kept.set(key, content);
        for (const oldest of this.#kept.keys()) {
          if (this.#kept.size <= MAX_KEPT) break;
          this.#kept.delete(oldest);
        }
        return content;
      },
    };
  }

  #isThere(session: URI): boolean {
    return this.store.session(session) !== undefined;
  }

  async #afterOthers<T>(session: URI, work: () => T | Promise<T>): Promise<T> {
    const done = (this.#work.get(session) ?? Promise.resolve()).then(work);
    const settled = done.then(
      () => undefined,
      () => undefined, // The caller gets the error.
    );
    this.#work.set(session, settled);
    try {
      return await done;
    } finally {
      if (this.#work.get(session) === settled) this.#work.delete(session);
    }
  }

  async #record(session: URI, edits: readonly FileEdit[], maxFiles: number): Promise<void> {
    const contents = this.contentsOf(session);
    const known = new Map(this.files(session).map(({ id, edit }) => [id, edit]));
    const changed = new Map<URI, FileEdit | undefined>();
    let room = maxFiles - known.size;
    for (const edit of edits) {
      if (!this.#isThere(session)) return;
      const id = fileOf(edit);
      moveAnnotations(this.store, this.contents, session, edit);
      if (id === undefined || (!known.has(id) && !changed.has(id) && room-- <= 0)) continue;
      changed.set(id, composed(changed.has(id) ? changed.get(id) : known.get(id), edit, contents));
      // Counting the lines of many files must not hold everything else up.
      if (edits.length > 1) await setImmediate();
    }
    this.#replace(session, changed);
  }

  /** What has not changed is still reviewed, and keeps its place. */
  #replace(session: URI, changed: ReadonlyMap<URI, FileEdit | undefined>): void {
    const before = this.files(session);
    const known = new Set(before.map(({ id }) => id));
    const fileFor = (id: URI, edit: FileEdit | undefined): ChangesetFile[] => (edit ? [{ id, edit }] : []);
    const files = [
      ...before.flatMap((file) =>
        !changed.has(file.id) || sameJson(file.edit, changed.get(file.id)) ? [file] : fileFor(file.id, changed.get(file.id)),
      ),
      ...[...changed].flatMap(([id, edit]) => (known.has(id) ? [] : fileFor(id, edit))),
    ];
    if (!sameJson(before, files)) this.store.dispatch(changesUri(session), { type: 'changeset/contentChanged', files });
  }
}
