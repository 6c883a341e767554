/**
 * The extension's side of one session webview. It sends the state and the actions that change it, and carries out what the user does in the
 * page. The page may reload at any time and send `ready` again, so nothing here depends on what was sent before.
 */
import * as vscode from 'vscode';
import type { PendingAction } from '../../ahp/client/resources/pending.ts';
import type { Dispatched, Subscription, SubscriptionChange } from '../../ahp/client/resources/subscription.ts';
import type { StateAction } from '../../ahp/v1/actions.ts';
import { ErrorCode } from '../../ahp/v1/errors.ts';
import { ROOT_URI } from '../../ahp/v1/root.ts';
import type { MessageAttachment } from '../../ahp/v1/common.ts';
import type { SessionState } from '../../ahp/v1/session.ts';
import { isSubagentOf } from '../../ahp/subagentUri.ts';
import { systemClock } from '../../base/clock.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { sendLater } from '../../views/session/composer/composer.ts';
import { wellFormedSession } from '../../views/wellFormed.ts';
import { parseWebviewMessage } from '../../webviews/session/parseWebviewMessage.ts';
import type {
  BridgeMessage,
  ContextMessage,
  Draft,
  ExtensionMessage,
  ResolveUnknownMessage,
  ResourceStatus,
  SessionGesture,
  SessionMessage,
  SnapshotMessage,
  ViewCommand,
  WebviewMessage,
  WebviewRequestMessage,
} from '../../webviews/session/protocol.ts';
import { type RegisteredHost, agentsOf } from '../hosts/registeredHost.ts';
import { BridgeSender } from './bridgeInfo.ts';
import { connectionInfo } from './connectionInfo.ts';
import { attachmentsOf, findFiles, pickAttachments } from './attachments/attachments.ts';
import { agreesToUnasked, revokeGrants } from './consent.ts';
import { openDiff, openFile } from './openers.ts';
import type { FocusHandle, FocusPage } from '../focus.ts';
import { type SessionRef, sameSession } from '../../views/session/sessionRef.ts';
import type { SessionServices } from './sessionServices.ts';
import { titleOf } from '../sessions/titleOf.ts';
import { WebviewQueue } from './webviewQueue.ts';
import { showError } from '../notifications.ts';

type MessageGesture = Extract<SessionGesture, { type: 'session/turnStarted' | 'session/pendingMessageSet' }>;

interface Shown {
  ref: SessionRef;
  host: RegisteredHost;
  /** The resources that the page gets: the root, the session, and those that it asked for. */
  watched: Map<string, { subscription: Subscription; store: DisposableStore }>;
  store: DisposableStore;
}

export class SessionWebviewController implements FocusPage, Disposable {
  readonly #store = new DisposableStore();
  readonly #queue: WebviewQueue;
  readonly #onDidChangeContext = this.#store.add(new Emitter<void>());
  /** The shown session or the context that the page reports changed. */
  readonly onDidChangeContext = this.#onDidChangeContext.event;
  readonly #bridge: BridgeSender;
  #ref: SessionRef | undefined;
  #shown: Shown | undefined;
  #context: Omit<ContextMessage, 'type'> = { needsYou: 0, running: false };
  readonly #focus: FocusHandle;
  #ready = false;
  /** Messages to send when the page is ready. */
  #onceReady: ExtensionMessage[] = [];

  constructor(
    webview: vscode.Webview,
    private readonly services: SessionServices,
  ) {
    this.#focus = this.#store.add(services.focus.add(this));
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
    this.#bridge = this.#store.add(
      new BridgeSender(
        systemClock,
        () => this.#bridgeMessage(),
        (message) => this.#queue.send(message),
      ),
    );
    this.#store.add(services.decisions.onDidChange(() => this.#ready && this.#shown && this.#sendDecisions(this.#shown)));
    this.#store.add(webview.onDidReceiveMessage((value: unknown) => this.#receive(value)));
    // The host of the shown session may be added after the session is shown, or be replaced by a new connection.
    this.#store.add(services.hosts.onDidChange(() => this.#followHost()));
    this.#store.add(services.onDidChangeBridge(() => this.#bridge.changed()));
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

  /** `card`: the `cardName` of what waits. */
  focus(target: 'composer' | 'needsYou', card?: string): void {
    this.#tell({ type: 'focus', target, ...(card !== undefined && { card }) });
  }
  command(command: ViewCommand): void {
    this.#tell({ type: 'command', command });
  }
  answer(command: 'approve' | 'deny'): void {
    this.#tell({ type: 'command', command, byKey: true });
  }
  cameToFront(): void {
    this.#focus.cameToFront();
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
        this.#sendIfRemoved(this.#shown);
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

  /** Sends the whole state, for a page that has just loaded or shows another session. */
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
    this.#sendDecisions(shown);
    this.#bridge.sendAgain();
  }

  #bridgeMessage(): BridgeMessage | undefined {
    if (!this.#ready || !this.#shown) return undefined;
    const { ref } = this.#shown;
    const bridge = this.services.bridgeInfo(ref);
    return { type: 'bridge', uri: ref.uri, ...(bridge && { bridge }) };
  }

  #sendDecisions({ ref }: Shown): void {
    this.#queue.send({ type: 'decisions', session: ref, decisions: this.services.decisions.of(ref) });
  }

  #sendConnection({ host }: Shown): void {
    this.#queue.send({ type: 'connection', connection: connectionInfo(host) });
  }

  /** A removed session can be reopened while the host still lists it. */
  #sendIfRemoved({ host, ref, watched }: Shown): void {
    const subscription = watched.get(ref.uri)?.subscription;
    const status = subscription && statusFor(host, subscription);
    if (status?.kind === 'removed') this.#queue.send({ type: 'status', uri: ref.uri, status });
  }

  #sendSnapshot(subscription: Subscription): void {
    if (this.#shown) this.#queue.send(snapshotMessage(this.#shown.host, subscription));
  }

  #forward(subscription: Subscription, change: SubscriptionChange): void {
    this.#followPrompts(subscription, change);
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
    // Some hosts report a session as removed and still list it.
    if (subscription.status.kind === 'removed' && subscription.uri === ref?.uri) void host.client.sessions.refresh();
  }

  /** A client that is closed settles its pending actions. They are kept then, for the next client of the same host. */
  #followPrompts({ uri, pending }: Subscription, change: SubscriptionChange): void {
    if (change.kind === 'status' || (change.kind === 'actions' && !change.pendingChanged)) return;
    const shown = this.#shown;
    if (uri !== shown?.ref.uri || shown.host.client.state.kind === 'closed') return;
    this.#storeSentPrompts(shown.ref, pending);
  }

  #storeSentPrompts(ref: SessionRef, pending: readonly PendingAction[]): void {
    this.services.drafts.sent
      .store(ref, pending)
      .catch((error: unknown) => this.services.logger.error(`Storing the sent prompts: ${messageOf(error)}`));
  }

  #receive(value: unknown): void {
    const message = parseWebviewMessage(value);
    if (!message) {
      this.services.logger.warn('The session view sent a message that its protocol does not have. It was ignored.');
      return;
    }
    this.#handle(message).catch((error: unknown) => {
      this.services.logger.error(`${message.type}: ${messageOf(error)}`);
      void showError(messageOf(error));
    });
  }

  async #handle(message: WebviewMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#ready = true;
        // A page that was loaded again reports its focus when it gets it.
        this.#focus.report('none');
        this.#sendAll();
        for (const waiting of this.#onceReady.splice(0)) this.#queue.send(waiting);
        return;
      case 'context': {
        const { type: _type, ...context } = message;
        this.#context = context;
        this.#onDidChangeContext.fire();
        return;
      }
      case 'focus':
        this.#focus.report(message.place);
        return;
      case 'inSession':
        await this.#handleInSession(message.session, message.message);
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'openExternal':
        await vscode.env.openExternal(vscode.Uri.parse(message.url, true));
        return;
      case 'denyPairing':
        await this.services.denyPairing(message.pairingId);
        return;
      case 'runCommand':
        await this.services.runCommand(message.command, undefined);
        return;
    }
  }

  async #handleInSession(ref: SessionRef, message: SessionMessage): Promise<void> {
    const shown = this.#shown && sameSession(this.#shown.ref, ref) ? this.#shown : undefined;
    switch (message.type) {
      case 'draft':
        await this.services.drafts.set(ref, message.draft);
        return;
      case 'runCommand':
        await this.services.runCommand(message.command, ref);
        return;
      case 'request':
        this.#queue.send(await this.#answer(shown, message));
        return;
    }
    if (!shown) {
      // Another session was opened before the message came, or the host was removed. Nothing is done to a session that is not shown.
      if (message.type === 'dispatch') await this.#refuse(ref, 0, 'The session was not shown any more.', message.action);
      return;
    }
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
      case 'openTerminal':
        this.services.openTerminal(shown.host, message.uri);
        return;
      case 'revokeGrants':
        await revokeGrants(shown.host, ref.uri, message.grants);
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
    // The provider of a subagent's session is none of the host's agents.
    const isOffered = agentsOf(host).some((agent) => agent.provider === provider);
    this.services.createSession({ hostId: host.id, ...(isOffered && { provider }), workingDirectory }, draft);
  }

  async #dispatch({ host, ref, watched }: Shown, action: SessionGesture): Promise<void> {
    if (action.session !== ref.uri && !isSubagentOf(action.session, ref.uri)) {
      throw new Error('The session view acted on a session that it does not show.');
    }
    if (action.type === 'session/configChanged') {
      const session = sessionOf(watched.get(action.session)?.subscription);
      if (!(await agreesToUnasked(titleOf(this.services.hosts, ref), session, action.config))) return;
    }
    const isMessage = action.type === 'session/turnStarted' || action.type === 'session/pendingMessageSet';
    const prepared = isMessage && action.session === ref.uri ? this.services.preparePrompt(ref, action.userMessage.text) : undefined;
    if (isMessage && prepared) await this.#dispatchPrepared({ host, ref }, action, prepared);
    else await this.#reportRefusal({ host, ref }, action, host.client.dispatch(action.session, action));
  }

  /** A new message of the user, with what tool providers add to it. */
  async #dispatchPrepared({ host, ref }: Pick<Shown, 'host' | 'ref'>, action: MessageGesture, prepared: Promise<string>): Promise<void> {
    const subscription = () => this.#shown?.watched.get(ref.uri)?.subscription;
    // Stored first, so that a reload of the window does not lose it.
    this.#storeSentPrompts(ref, [...(subscription()?.pending ?? []), { clientSeq: 0, action }]);
    const message = { ...action, userMessage: { ...action.userMessage, text: await prepared } };
    const state = subscription()?.state as SessionState | undefined;
    let dispatched: Dispatched;
    try {
      dispatched = host.client.dispatch(ref.uri, state ? sendLater(state, message) : message);
    } catch (error) {
      // The connection to the host has ended meanwhile.
      await this.#refuse(ref, 0, messageOf(error), action);
      return;
    }
    await this.#reportRefusal({ host, ref }, action, dispatched);
  }

  async #resolveUnknown({ host, ref, watched }: Shown, { clientSeq, how }: ResolveUnknownMessage): Promise<void> {
    for (const { subscription } of watched.values()) {
      const found = subscription.pending.find((pending) => pending.clientSeq === clientSeq && pending.outcome === 'unknown');
      if (!found) continue;
      const again = host.client.resolveUnknown(subscription.uri, clientSeq, how);
      if (again) await this.#reportRefusal({ host, ref }, found.action, again);
      else if (how === 'sendAgain')
        throw new UserError(`${host.label} does not provide the state of this session, so nothing can be sent to it now.`);
      return;
    }
  }

  async #reportRefusal({ host, ref }: Pick<Shown, 'host' | 'ref'>, action: StateAction, { clientSeq, settled }: Dispatched): Promise<void> {
    const settlement = await settled;
    if (settlement.kind === 'confirmed') return;
    const { kind, reason } = settlement;
    if (kind === 'unknown' && !this.#isOver(clientSeq, action)) return;
    this.services.logger.info(`${action.type} ${kind === 'unknown' ? 'was not answered' : 'was refused'} by ${host.label}: ${reason}`);
    await this.#refuse(ref, clientSeq, reason, action, kind === 'unknown' ? kind : undefined);
  }

  /** The page shows the refusal where the action was done, and puts the text of a message back into the field in which it was typed. */
  async #refuse(ref: SessionRef, clientSeq: number, reason: string, action: StateAction, outcome?: 'unknown'): Promise<void> {
    this.#tell({ type: 'rejected', session: ref, clientSeq, reason, action, ...(outcome && { outcome }) });
    if (sameSession(ref, this.#ref)) return;
    const what = outcome ? 'It is not known whether the host received what you did' : 'What you did was not accepted';
    await showError(`${what} in “${titleOf(this.services.hosts, ref)}”, which is not shown any more. ${reason}`);
  }

  /** True when the user has nothing to decide about an action of unknown outcome. The page lists pending actions, and prompts outlive the client. */
  #isOver(clientSeq: number, { type }: StateAction): boolean {
    if (type === 'session/turnStarted' || type === 'session/pendingMessageSet' || type === 'session/inputAnswerChanged') return false;
    const watched = [...(this.#shown?.watched.values() ?? [])];
    return !watched.some(({ subscription }) => subscription.pending.some((pending) => pending.clientSeq === clientSeq));
  }

  async #answer(shown: Shown | undefined, message: WebviewRequestMessage): Promise<ExtensionMessage> {
    try {
      return { type: 'response', id: message.id, result: await this.#request(shown, message) };
    } catch (error) {
      return { type: 'response', id: message.id, error: messageOf(error) };
    }
  }

  async #request(shown: Shown | undefined, message: WebviewRequestMessage): Promise<unknown> {
    if (!shown) throw new Error('The session is not shown any more, or its agent host is not listed.');
    const { host, ref, watched } = shown;
    switch (message.method) {
      case 'readResource':
        return host.client.request('resourceRead', message.params);
      case 'pickAttachments':
        return pickAttachments(host);
      case 'attachDropped':
        return attachmentsOf(
          host,
          message.params.uris.map((uri) => vscode.Uri.parse(uri)),
        );
      case 'findFiles': {
        const { workingDirectory } = sessionOf(watched.get(ref.uri)?.subscription)?.summary ?? {};
        return findFiles(host, workingDirectory, message.params.query);
      }
    }
  }
}

function sessionOf(subscription: Subscription | undefined): SessionState | undefined {
  return subscription?.state && wellFormedSession(subscription.state as SessionState);
}

function statusFor({ client }: RegisteredHost, { uri, status }: Subscription): ResourceStatus {
  const isGone = status.kind === 'removed' || (status.kind === 'failed' && status.error.code === ErrorCode.SessionNotFound);
  if (isGone) return { kind: 'removed', canReopen: client.sessions.get(uri) !== undefined };
  if (status.kind !== 'failed') return status;
  const { code, message } = status.error;
  return { kind: 'failed', message, ...(code === ErrorCode.AuthRequired && { needsSignIn: true }) };
}

function snapshotMessage(host: RegisteredHost, subscription: Subscription): SnapshotMessage {
  const { uri, confirmed, pending } = subscription;
  return { type: 'snapshot', uri, confirmed, pending: [...pending], status: statusFor(host, subscription) };
}
