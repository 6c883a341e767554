/** The changes of one turn. They are made of what its calls say, whenever somebody looks at them. */
import type { ChangesetFile, ChangesetState } from '../../ahp/channels/changeset.ts';
import type { ChangesetOperationResult } from '../../ahp/channels/commands.ts';
import type { Changeset } from '../../ahp/channels/shapes/basic.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { turnChanges } from '../state/sessionChangesets.ts';
import type { StateStore } from '../state/stateStore.ts';
import type { ChangesetSource, ChangesetTarget, OperationRequest } from './changesetSource.ts';
import { discardAll, discardOperation, requireOperation } from './discardOperation.ts';
import { composedAll, editBetween } from './edits/composition.ts';
import { DiscardedFiles } from './edits/discardedFiles.ts';
import { EditedSessions } from './edits/editedSessions.ts';
import { editsOfTurn } from './edits/turnEdits.ts';
import type { SessionEdits } from './sessionEdits.ts';

/** Files that are shown of one turn. */
const MAX_FILES = 1000;

export class TurnSource implements ChangesetSource, Disposable {
  readonly kind = 'turn';
  readonly #discarded: DiscardedFiles;
  readonly #edited: EditedSessions;
  readonly #listener: Disposable;

  constructor(
    private readonly store: StateStore,
    private readonly edits: SessionEdits,
  ) {
    this.#discarded = new DiscardedFiles(store);
    this.#edited = new EditedSessions(store);
    this.#listener = store.onDidDispatch(({ session, envelope: { action, rejectionReason } }) => {
      if (session === undefined || rejectionReason !== undefined) return;
      // It may change the same files again.
      if (action.type === 'chat/turnResume') this.#discarded.forget(session, action.turnId);
      if (action.type === 'chat/truncated' || action.type === 'session/chatRemoved') this.#discarded.prune(session);
    });
  }

  async listed(session: URI): Promise<Changeset | undefined> {
    return this.#edited.has(session) ? turnChanges(session) : undefined;
  }

  async read({ session, turnId = '' }: ChangesetTarget): Promise<ChangesetState> {
    const files = (await this.#files(session, turnId)).slice(0, MAX_FILES);
    return { status: 'ready', files, operations: files.length > 0 ? [discardOperation] : [] };
  }

  async invoke(changeset: ChangesetTarget, request: OperationRequest): Promise<ChangesetOperationResult> {
    requireOperation([discardOperation], request);
    const { target } = request;
    const { session, turnId = '' } = changeset;
    const { store, edits } = this;
    const all = await this.#files(session, turnId);
    const files = all.slice(0, MAX_FILES);
    const { written, done, result } = await discardAll(files, changeset, target, { store, contents: edits.contentsOf(session) });
    await edits.record(session, written);
    if (done.size > 0 && all.every(({ id }) => done.has(id) && !done.get(id))) this.#discarded.addTurn(session, turnId);
    else this.#discarded.add(session, turnId, done);
    return result;
  }

  dispose(): void {
    this.#edited.dispose();
    this.#listener.dispose();
  }

  async #files(session: URI, turnId: string): Promise<ChangesetFile[]> {
    const edits = editsOfTurn(this.store, session, turnId);
    // eslint-disable-next-line texts/translated -- for programs
    if (!edits) throw new RpcError(ErrorCode.NotFound, `the session has no turn ${turnId.slice(0, 200)}`);
    const contents = this.edits.contentsOf(session);
    const files = await composedAll(edits, contents);
    for (const { file, left } of this.#discarded.of(session, turnId)) {
      if (file === undefined) return [];
      const edit = files.get(file);
      const rest = edit && left && editBetween(edit.before, { uri: file, content: left }, contents);
      if (rest) files.set(file, rest);
      else files.delete(file);
    }
    return [...files].map(([id, edit]) => ({ id, edit }));
  }
}
