/**
 * The extension's side of one session webview: sends it the state it shows and the actions that change it, and does what its
 * gestures ask. The page may ask for everything anew at any time (`ready`), so nothing here depends on what it has seen.
 */
import * as vscode from 'vscode';
import type { Dispatched, Subscription, SubscriptionChange } from '../../ahp/client/resources/subscription.ts';
import type { StateAction } from '../../ahp/v1/actions.ts';
import { ErrorCode } from '../../ahp/v1/errors.ts';
import { ROOT_URI } from '../../ahp/v1/root.ts';
import type { MessageAttachment } from '../../ahp/v1/common.ts';
import type { SessionState } from '../../ahp/v1/session.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { parseWebviewMessage } from '../../webviews/session/parseWebviewMessage.ts';
import type {
  ContextMessage,
  Draft,
  ExtensionMessage,
  ResolveUnknownMessage,
  ResourceStatus,
  SessionGesture,
  SnapshotMessage,
  ViewCommand,
  WebviewMessage,
  WebviewRequestMessage,
} from '../../webviews/session/protocol.ts';
import { type AgentHost, agentsOf } from '../hosts/agentHost.ts';
import { connectionInfo } from './connectionInfo.ts';
import { attachmentsOf, findFiles, pickAttachments } from './attachments.ts';
import { openDiff, openFile } from './openers.ts';
import { type SessionRef, sameSession } from './sessionRef.ts';
import type { SessionServices } from './sessionServices.ts';
import { WebviewQueue } from './webviewQueue.ts';
import { showError } from '../notifications.ts';

interface Shown {
  ref: SessionRef;
  host: AgentHost;
  /** What the page watches of the host: the root, the session, and what it asked for besides. */
  watched: Map<string, { subscription: Subscription; store: DisposableStore }>;
  store: DisposableStore;
}

export class SessionController implements Disposable {
  readonly #store = new DisposableStore();
  readonly #queue: WebviewQueue;
  readonly #onDidChangeContext = this.#store.add(new Emitter<void>());
  /** The shown session, or what the page says of it, changed. */
  readonly onDidChangeContext = this.#onDidChangeContext.event;
  #ref: SessionRef | undefined;
  #shown: Shown | undefined;
  #context: Omit<ContextMessage, 'type'> = { needsYou: 0, running: false, callFocused: false, composerFocused: false };
  #ready = false;
  /** What to tell the page once it is there. */
  #onceReady: ExtensionMessage[] = [];

  constructor(
    webview: vscode.Webview,
    private readonly services: SessionServices,
  ) {
    this.#queue = this.#store.add(
      new WebviewQueue(
        (messages) => webview.postMessage(messages),
        (error) => services.logger.error(`Posting to the session view: ${messageOf(error)}`),
        (uri) => {
          const shown = this.#shown;
          const subscription = shown?.watched.get(uri)?.subscription;
          return subscription && snapshotMessage(shown.host, subscription);
        },
      ),
    );
    this.#store.add(webview.onDidReceiveMessage((value: unknown) => this.#receive(value)));
    // The host of the shown session may come only now (at start), or be replaced by a new connection.
    this.#store.add(services.hosts.onDidChange(() => this.#followHost()));
    this.#store.add(services.hosts.onDidCountDown(() => this.#ready && this.#shown && this.#sendConnection(this.#shown)));
  }

  get ref(): SessionRef | undefined {
    return this.#ref;
  }
  get context(): Omit<ContextMessage, 'type'> {
    return this.#context;
  }

  show(ref: SessionRef | undefined): void {
    if (sameSession(ref, this.#ref)) return;
    this.#ref = ref;
    this.#attach();
    if (this.#ready) this.#sendAll();
    this.#onDidChangeContext.fire();
  }

  focus(target: 'composer' | 'needsYou'): void {
    this.#tell({ type: 'focus', target });
  }
  command(command: ViewCommand, byKey = false): void {
    this.#tell({ type: 'command', command, ...(byKey && { byKey }) });
  }

  attach(attachments: MessageAttachment[]): void {
    this.#tell({ type: 'attach', attachments });
  }

  dispose(): void {
    this.#detach();
    this.#store.dispose();
  }

  #tell(message: ExtensionMessage): void {
    if (this.#ready) this.#queue.send(message);
    else this.#onceReady.push(message);
  }

  #followHost(): void {
    const host = this.#ref && this.services.hosts.get(this.#ref.hostId);
    if (host === this.#shown?.host) {
      if (this.#ready && this.#shown) {
        this.#sendConnection(this.#shown);
        this.#sendWhetherGone(this.#shown);
      }
      return;
    }
    this.#attach();
    if (this.#ready) this.#sendAll();
  }

  #attach(): void {
    this.#detach();
    const ref = this.#ref;
    const host = ref && this.services.hosts.get(ref.hostId);
    if (!ref || !host) return;
    this.#shown = { ref, host, watched: new Map(), store: new DisposableStore() };
    this.#watch(this.#shown, ROOT_URI);
    this.#watch(this.#shown, ref.uri);
    this.services.drafts.sent.restore(ref, host.client, this.#shown.watched.get(ref.uri)?.subscription.pending ?? []);
  }

  #detach(): void {
    for (const { store } of this.#shown?.watched.values() ?? []) store.dispose();
    this.#shown?.store.dispose();
    this.#shown = undefined;
  }

  #watch(shown: Shown, uri: string): void {
    if (shown.watched.has(uri)) return;
    const store = new DisposableStore();
    const subscription = store.add(shown.host.client.subscribe(uri));
    store.add(subscription.onDidChange((change) => this.#forward(subscription, change)));
    shown.watched.set(uri, { subscription, store });
    if (this.#ready) this.#sendSnapshot(subscription);
  }

  #unwatch(shown: Shown, uri: string): void {
    if (uri === ROOT_URI || uri === shown.ref.uri) return;
    shown.watched.get(uri)?.store.dispose();
    shown.watched.delete(uri);
  }

  /** A page that has just loaded, or lost its place: everything, from nothing. */
  #sendAll(): void {
    this.#queue.clear();
    const ref = this.#ref;
    if (!ref) {
      this.#queue.send({ type: 'show' });
      return;
    }
    const shown = this.#shown;
    const hostLabel = shown?.host.label ?? ref.hostId;
    const readOnly = shown?.host.readOnly;
    const isOwn = shown?.host.kind === 'embedded';
    this.#queue.send({
      type: 'show',
      session: { hostId: ref.hostId, uri: ref.uri, hostLabel, ...(readOnly && { readOnly }), ...(isOwn && { ownHost: true }) },
      draft: this.services.drafts.get(ref),
    });
    if (!shown) {
      const message = 'The agent host of this session is not listed. Add it again, or choose another session.';
      this.#queue.send({ type: 'connection', connection: { kind: 'failed', message, action: { label: 'Add host', command: 'addHost' } } });
      return;
    }
    this.#sendConnection(shown);
    for (const { subscription } of shown.watched.values()) this.#sendSnapshot(subscription);
  }

  #sendConnection({ host }: Shown): void {
    this.#queue.send({ type: 'connection', connection: connectionInfo(host) });
  }

  /** Whether a session that is gone may come back is in the host's list. */
  #sendWhetherGone({ host, ref, watched }: Shown): void {
    const subscription = watched.get(ref.uri)?.subscription;
    const status = subscription && statusFor(host, subscription);
    if (status?.kind === 'removed') this.#queue.send({ type: 'status', uri: ref.uri, status });
  }

  #sendSnapshot(subscription: Subscription): void {
    if (this.#shown) this.#queue.send(snapshotMessage(this.#shown.host, subscription));
  }

  #forward(subscription: Subscription, change: SubscriptionChange): void {
    this.#keepPrompts(subscription, change);
    if (!this.#ready) return;
    switch (change.kind) {
      case 'snapshot':
        this.#sendSnapshot(subscription);
        break;
      case 'actions':
        this.#queue.send({
          type: 'actions',
          uri: subscription.uri,
          actions: [...change.actions],
          now: change.now,
          ...(change.pendingChanged && { pending: [...subscription.pending] }),
        });
        break;
      case 'status':
        this.#forwardStatus(subscription);
        break;
    }
    if (subscription.uri === this.#ref?.uri) this.#onDidChangeContext.fire();
  }

  #forwardStatus(subscription: Subscription): void {
    const { host, ref } = this.#shown ?? {};
    if (!host) return;
    this.#queue.send({ type: 'status', uri: subscription.uri, status: statusFor(host, subscription) });
    // Some hosts say that a session is removed and list it still.
    if (subscription.status.kind === 'removed' && subscription.uri === ref?.uri) void host.client.sessions.refresh();
  }

  /** The end of a client settles what is pending as far as it is concerned; the next one of this host takes it over. */
  #keepPrompts({ uri, pending }: Subscription, change: SubscriptionChange): void {
    if (change.kind === 'status' || (change.kind === 'actions' && !change.pendingChanged)) return;
    const shown = this.#shown;
    if (uri !== shown?.ref.uri || shown.host.client.state.kind === 'closed') return;
    this.services.drafts.sent
      .note(shown.ref, pending)
      .catch((error: unknown) => this.services.logger.error(`Keeping what was sent: ${messageOf(error)}`));
  }

  #receive(value: unknown): void {
    const message = parseWebviewMessage(value);
    if (!message) {
      this.services.logger.warn('The session view sent a message that is not of its protocol; it was ignored.');
      return;
    }
    this.#handle(message).catch((error: unknown) => {
      this.services.logger.error(`${message.type}: ${messageOf(error)}`);
      void showError(messageOf(error));
    });
  }

  async #handle(message: WebviewMessage): Promise<void> {
    const shown = this.#shown;
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        this.#sendAll();
        for (const waiting of this.#onceReady.splice(0)) this.#queue.send(waiting);
        return;
      case 'context': {
        const { type: _type, ...context } = message;
        this.#context = context;
        this.#onDidChangeContext.fire();
        return;
      }
      case 'draft':
        if (this.#ref) await this.services.drafts.set({ hostId: this.#ref.hostId, uri: message.uri }, message.draft);
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'openExternal':
        await vscode.env.openExternal(vscode.Uri.parse(message.url, true));
        return;
      case 'runCommand':
        await this.services.runCommand(message.command, this.#ref);
        return;
      case 'request':
        this.#queue.send(await this.#answer(message));
        return;
    }
    if (!shown) return;
    switch (message.type) {
      case 'watch':
        this.#watch(shown, message.uri);
        return;
      case 'unwatch':
        this.#unwatch(shown, message.uri);
        return;
      case 'dispatch':
        await this.#dispatch(shown, message.action);
        return;
      case 'openDiff':
        await openDiff(shown.host, message.edit);
        return;
      case 'openFile':
        await openFile(shown.host, message.uri);
        return;
      case 'openSession':
        this.services.openSession({ hostId: shown.ref.hostId, uri: message.uri });
        return;
      case 'resolveUnknown':
        await this.#resolveUnknown(shown, message);
        return;
      case 'reopen':
        shown.host.client.retry(shown.ref.uri);
        return;
      case 'newSessionWith':
        this.#newSessionWith(shown, message.draft);
        return;
    }
  }

  #newSessionWith({ host, ref, watched }: Shown, draft: Draft): void {
    const { provider, workingDirectory } = (watched.get(ref.uri)?.subscription.confirmed as SessionState | undefined)?.summary ?? {};
    // A subagent's session has none of the agents.
    const isOffered = agentsOf(host).some((agent) => agent.provider === provider);
    this.services.createSession({ hostId: host.id, ...(isOffered && { provider }), workingDirectory }, draft);
  }

  async #dispatch({ host, ref }: Shown, action: SessionGesture): Promise<void> {
    if (action.session !== ref.uri && !action.session.startsWith(`${ref.uri}/subagent/`)) {
      throw new Error('The session view acted on a session that it does not show.');
    }
    await this.#tellRefusal(host, action, host.client.dispatch(action.session, action));
  }

  async #resolveUnknown({ host, watched }: Shown, { clientSeq, how }: ResolveUnknownMessage): Promise<void> {
    for (const { subscription } of watched.values()) {
      const found = subscription.pending.find((pending) => pending.clientSeq === clientSeq && pending.outcome === 'unknown');
      if (!found) continue;
      const again = host.client.resolveUnknown(subscription.uri, clientSeq, how);
      if (again) await this.#tellRefusal(host, found.action, again);
      else if (how === 'sendAgain')
        throw new UserError(`${host.label} does not give this session’s state, so nothing can be sent to it now.`);
      return;
    }
  }

  /** The page puts the words of what was refused back to where they were typed. */
  async #tellRefusal(host: AgentHost, action: StateAction, { clientSeq, settled }: Dispatched): Promise<void> {
    const settlement = await settled;
    if (settlement.kind === 'confirmed') return;
    const { kind, reason } = settlement;
    if (kind === 'unknown' && !this.#isOver(clientSeq, action)) return;
    this.services.logger.info(`${action.type} ${kind === 'unknown' ? 'was not answered' : 'was refused'} by ${host.label}: ${reason}`);
    this.#tell({ type: 'rejected', clientSeq, reason, action, ...(kind === 'unknown' && { outcome: 'unknown' }) });
  }

  /** Of an unknown outcome: there is nothing left to decide about. What still is, the page lists, and prompts are kept over the end of a client. */
  #isOver(clientSeq: number, { type }: StateAction): boolean {
    if (type === 'session/turnStarted' || type === 'session/pendingMessageSet' || type === 'session/inputAnswerChanged') return false;
    const watched = [...(this.#shown?.watched.values() ?? [])];
    return !watched.some(({ subscription }) => subscription.pending.some((pending) => pending.clientSeq === clientSeq));
  }

  async #answer(message: WebviewRequestMessage): Promise<ExtensionMessage> {
    try {
      return { type: 'response', id: message.id, result: await this.#request(message) };
    } catch (error) {
      return { type: 'response', id: message.id, error: messageOf(error) };
    }
  }

  #request(message: WebviewRequestMessage): Promise<unknown> {
    switch (message.method) {
      case 'readResource': {
        const host = this.#shown?.host;
        if (!host) throw new Error('The agent host is not there.');
        return host.client.request('resourceRead', message.params);
      }
      case 'pickAttachments':
        return pickAttachments();
      case 'attachDropped':
        return attachmentsOf(message.params.uris.map((uri) => vscode.Uri.parse(uri)));
      case 'findFiles':
        return findFiles(message.params.query);
    }
  }
}

function statusFor({ client }: AgentHost, { uri, status }: Subscription): ResourceStatus {
  const isGone = status.kind === 'removed' || (status.kind === 'failed' && status.error.code === ErrorCode.SessionNotFound);
  if (isGone) return { kind: 'removed', canReopen: client.sessions.get(uri) !== undefined };
  if (status.kind !== 'failed') return status;
  const { code, message } = status.error;
  return { kind: 'failed', message, ...(code === ErrorCode.AuthRequired && { needsSignIn: true }) };
}

function snapshotMessage(host: AgentHost, subscription: Subscription): SnapshotMessage {
  const { uri, confirmed, pending } = subscription;
  return { type: 'snapshot', uri, confirmed, pending: [...pending], status: statusFor(host, subscription) };
}
