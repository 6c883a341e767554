/**
 * The changesets of all sessions: which ones a session lists, and what is done with them. Those that are made when somebody looks at them
 * (all but the one that the session keeps) are channels without a session, so that no log has them, and go when nobody reads them.
 */
import type { ChangesetOperationResult } from '../../ahp/channels/commands.ts';
import { DISCARD } from '../../ahp/changesetOperations.ts';
import type { Changeset } from '../../ahp/channels/shapes/basic.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { englishOf, messageOf } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import * as l10n from '../../base/l10n.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { sameJson } from '../../base/sameJson.ts';
import { changesUri, namedChangeset } from '../state/chatUris.ts';
import type { SessionFacts } from '../state/listedSession.ts';
import type { AddedChannel, DispatchedAction, StateStore } from '../state/stateStore.ts';
import type { ChangesetSource, ChangesetTarget, OperationRequest } from './changesetSource.ts';
import { requireRest } from './discardOperation.ts';
import { turnIdsOf } from './edits/turnEdits.ts';
import { sessionOperations } from './sessionSource.ts';

export interface ChangesetsOptions {
  store: StateStore;
  logger: Logger;
  /** In the order in which sessions list them. */
  sources: readonly ChangesetSource[];
  /** Of a session that there is. */
  facts(session: URI): SessionFacts | undefined;
  isRead(channel: URI): boolean;
}

/** Changesets that are made while somebody reads them, of all sessions. */
const MAX_MADE = 1000;

/** What may change the files of a turn, or which turns there are. */
const changing: ReadonlySet<string> = new Set([
  'chat/turnComplete',
  'chat/turnCancelled',
  'chat/error',
  'chat/truncated',
  'session/chatAdded',
  'session/chatRemoved',
  'changeset/contentChanged',
]);

export class Changesets implements Disposable {
  /** Those that were made, by channel. */
  readonly #made = new Map<URI, { source: ChangesetSource; target: ChangesetTarget }>();
  /** The operation that runs, by session. */
  readonly #busy = new Map<URI, { channel: URI; operationId: string }>();
  /** Updates of sessions: that which runs, and the one after it, which may ask Git. They never reject. */
  readonly #updates = new Map<URI, { running: Promise<void>; next?: Promise<void>; withGit: boolean }>();
  readonly #listeners: readonly Disposable[];
  #disposed = false;

  constructor(private readonly options: ChangesetsOptions) {
    const { store } = options;
    this.#listeners = [
      store.onDidAdd((added) => this.#noteAdded(added)),
      store.onDidDispatch((dispatched) => this.#follow(dispatched)),
      store.onDidDelete((channel) => this.#forget(channel)),
    ];
  }

  /**
   * Makes the changeset of a channel that somebody wants to read, or makes it anew. Does nothing for other channels. The session is loaded.
   * Throws InvalidParams when there are too many.
   */
  open(channel: URI): void {
    const found = this.#find(channel);
    if (!found || this.#isKept(channel)) return;
    const { store } = this.options;
    if (!this.#made.has(channel)) {
      // eslint-disable-next-line texts/translated -- for programs
      if (this.#made.size >= MAX_MADE) throw new RpcError(ErrorCode.InvalidParams, 'too many changesets are being read');
      this.#made.set(channel, found);
      store.add({ channel, kind: 'changeset', state: { status: 'computing', files: [] } });
    }
    void this.#update(found.target.session);
  }

  /** A client reads these no more. Absent: a client is gone. */
  letGo(channels: Iterable<URI> = this.#made.keys()): void {
    for (const channel of [...channels]) if (this.#made.has(channel) && !this.options.isRead(channel)) this.options.store.delete(channel);
  }

  /** Somebody reads or works on a changeset of the session that the session does not have itself. */
  isInUse(session: URI): boolean {
    if (this.#busy.has(session)) return true;
    return [...this.#made].some(([channel, { target }]) => target.session === session && this.options.isRead(channel));
  }

  /**
   * Resolves when the changesets say what the operation has done. The session is loaded. Throws TurnInProgress for a discard while any chat
   * of the session has a turn.
   */
  async invoke(channel: URI, request: OperationRequest): Promise<ChangesetOperationResult> {
    const found = this.#find(channel);
    // eslint-disable-next-line texts/translated -- for programs
    if (!found) throw new RpcError(ErrorCode.NotFound, `there is no ${channel.slice(0, 200)}`);
    const { source, target } = found;
    const { session } = target;
    if (this.#busy.has(session))
      throw new RpcError(ErrorCode.Conflict, l10n.t('something else is being done with the changes of this session'));
    const { operationId } = request;
    if (operationId === DISCARD) requireRest(this.options.store, session);
    this.#busy.set(session, { channel, operationId });
    const tell = (status: 'running' | 'idle') =>
      this.options.store.dispatch(channel, { type: 'changeset/operationStatusChanged', operationId, status });
    try {
      tell('running');
      return await source.invoke(target, request);
    } finally {
      this.#busy.delete(session);
      tell('idle');
      await this.#update(session);
    }
  }

  dispose(): void {
    this.#disposed = true;
    for (const listener of this.#listeners) listener.dispose();
  }

  #find(channel: URI): { source: ChangesetSource; target: ChangesetTarget } | undefined {
    const name = namedChangeset(channel);
    const source = name && this.options.sources.find(({ kind }) => kind === name.kind);
    const facts = name && this.options.store.session(name.session) && this.options.facts(name.session);
    if (!source || !facts || (name.kind === 'turn') !== (name.turnId !== undefined)) return undefined;
    const { session, turnId } = name;
    if (turnId !== undefined && !turnIdsOf(this.options.store, session).has(turnId)) return undefined;
    return { source, target: { session, channel, workingDirectory: facts.workingDirectory, ...(turnId !== undefined && { turnId }) } };
  }

  /** By the session, in its log. */
  #isKept(channel: URI): boolean {
    return this.options.store.sessionOf(channel) !== undefined;
  }

  #noteAdded({ channel, kind, session, state }: AddedChannel): void {
    if (kind !== 'changeset' || session === undefined || channel !== changesUri(session)) return;
    // Nobody reads it yet, and what can be done with it is nothing that the session has to remember.
    this.options.store.amend(channel, { ...state, operations: [...sessionOperations] });
    void this.#update(session);
  }

  #follow({ session, envelope: { action, rejectionReason } }: DispatchedAction): void {
    if (session !== undefined && rejectionReason === undefined && changing.has(action.type))
      void this.#update(session, action.type !== 'changeset/contentChanged');
  }

  /** With the session go its changesets. */
  #forget(gone: URI): void {
    this.#made.delete(gone);
    for (const [channel, { target }] of [...this.#made]) if (target.session === gone) this.options.store.delete(channel);
  }

  /** Looks again at what the session lists, and at what somebody reads of it. Never rejects. */
  #update(session: URI, withGit = true): Promise<void> {
    const waiting = this.#updates.get(session);
    if (waiting?.next) {
      waiting.withGit ||= withGit;
      return waiting.next;
    }
    const next = (waiting?.running ?? Promise.resolve()).then(async () => {
      const asksGit = this.#updates.get(session)?.withGit ?? true;
      this.#updates.set(session, { running: next, withGit: false });
      await this.#list(session, asksGit);
      for (const [channel, { source, target }] of [...this.#made])
        if (target.session === session && (asksGit || !source.asksGit) && this.options.isRead(channel)) await this.#refresh(channel);
      const last = this.#updates.get(session);
      if (last?.running === next && !last.next) this.#updates.delete(session);
    });
    this.#updates.set(session, { running: waiting?.running ?? next, next, withGit });
    return next;
  }

  async #list(session: URI, asksGit: boolean): Promise<void> {
    const { store, sources, logger } = this.options;
    const changesets: Changeset[] = [];
    for (const source of sources) {
      try {
        const state = this.#disposed ? undefined : store.session(session);
        const isAsked = asksGit || !source.asksGit;
        const known = state?.changesets?.find(({ changeKind }) => changeKind === source.kind);
        const listed = state && isAsked ? await source.listed(session) : known;
        if (listed) changesets.push(listed);
      } catch (error) {
        logger.warn(`the changes (${source.kind}) of ${session} could not be looked at: ${englishOf(error)}`);
      }
    }
    const state = store.session(session);
    if (this.#disposed || !state || sameJson(state.changesets ?? [], changesets)) return;
    store.dispatch(session, { type: 'session/changesetsChanged', ...(changesets.length > 0 && { changesets }) });
  }

  async #refresh(channel: URI): Promise<void> {
    const { store } = this.options;
    const made = this.#made.get(channel);
    if (!made || this.#disposed) return;
    if (store.changeset(channel)?.status === 'ready') store.dispatch(channel, { type: 'changeset/statusChanged', status: 'recomputing' });
    try {
      const { status, error, files: fresh, operations: offered = [] } = await made.source.read(made.target);
      const known = store.changeset(channel);
      if (this.#disposed || !known) return;
      const running = this.#busy.get(made.target.session);
      const operations = offered.map((one) =>
        running?.channel === channel && running.operationId === one.id ? { ...one, status: 'running' as const } : one,
      );
      // What has not changed is still reviewed.
      const files = fresh.map((file) => known.files.find(({ id, edit }) => id === file.id && sameJson(edit, file.edit)) ?? file);
      if (!sameJson([known.files, known.operations ?? []], [files, operations]))
        store.dispatch(channel, { type: 'changeset/contentChanged', files, operations });
      store.dispatch(channel, { type: 'changeset/statusChanged', status, ...(error && { error }) });
    } catch (error) {
      const problem = { errorType: 'changeset', message: messageOf(error) };
      store.dispatch(channel, { type: 'changeset/statusChanged', status: 'error', error: problem });
    }
  }
}
