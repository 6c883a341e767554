/**
 * The extension's side of one session webview. It sends the state and the actions that change it, and carries out what the user does in the
 * page. The page may reload at any time and send `ready` again, so nothing here depends on what was sent before.
 */
import * as vscode from 'vscode';
import type { SubscriptionChange } from '../../ahp/client/resources/subscription.ts';
import type { ActionLike } from '../../ahp/common/reducers/reducer.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import { startTurn } from '../../views/session/composer/composer.ts';
import { omitAbsent } from '../../ahp/common/reducers/reducer.ts';
import { folderOf } from '../../views/session/openChat.ts';
import { systemClock } from '../../base/clock.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { StartOffer } from '../../views/newSession/startOffer.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { type CardPlace, signInOf, waitingOf } from '../../views/session/waiting/waiting.ts';
import { parseWebviewMessage } from '../../webviews/session/parseWebviewMessage.ts';
import { anyDispatch } from '../../webviews/session/protocol.ts';
import type {
  Attached,
  BridgeMessage,
  CommandMessage,
  ContextMessage,
  Draft,
  ExtensionMessage,
  SessionMessage,
  ViewCommand,
  WebviewMessage,
  WebviewRequestMessage,
} from '../../webviews/session/protocol.ts';
import { agentsOf, hasOurFiles } from '../hosts/registeredHost.ts';
import { BridgeSender } from './bridgeInfo.ts';
import { connectionInfo } from './connectionInfo.ts';
import { attachmentsOf, findFiles, pickAttachments } from './attachments/attachments.ts';
import { PromptFiles, readPrompt } from './attachments/promptFiles.ts';
import { applyCode } from './code/applyCode.ts';
import { findInEditor, itemOf } from './attachments/editorContext.ts';
import { CurrentFile } from './attachments/currentFile.ts';
import { imageAttachment, readImage } from './attachments/images.ts';
import type { Lending } from '../../views/session/composer/lentFile.ts';
import type { SessionPlace } from './attachments/sessionPlace.ts';
import { insertCode, typeIntoTerminal } from './code/useCode.ts';
import { revokeGrants } from './consent.ts';
import { Gestures, type GesturePage } from './gestures.ts';
import { openDiff, openFile } from './openers.ts';
import { choose, showError, waitWithProgress } from '../notifications.ts';
import { showTurnChanges } from './wayBack/showTurnChanges.ts';
import { goBack, type WayBackRequest } from './wayBack/goBack.ts';
import { settings } from '../settings.ts';
import type { FocusHandle, FocusPage } from '../focus.ts';
import { type SessionRef, sameSession } from '../../views/session/sessionRef.ts';
import type { SessionServices } from './sessionServices.ts';
import { ShownSession, type WatchedModel } from './shownSession.ts';
import { WebviewQueue } from './webviewQueue.ts';
import { onPageMessage } from '../pageMessages.ts';

/** Absent `chats`: the page has not said yet. */
type PageContext = Pick<ContextMessage, 'needsYou' | 'running'> & Partial<Pick<ContextMessage, 'chats' | 'offers'>>;
/** What `#` in the composer offers. */
const MAX_FOUND = 20;
const NO_CONTEXT: PageContext = { needsYou: 0, running: false };

export class SessionWebviewController implements FocusPage, GesturePage, Disposable {
  readonly #store = new DisposableStore();
  readonly #queue: WebviewQueue;
  readonly #onDidChangeContext = this.#store.add(new Emitter<void>());
  /** The shown session or the context that the page reports changed. */
  readonly onDidChangeContext = this.#onDidChangeContext.event;
  readonly #bridge: BridgeSender;
  readonly #currentFile: CurrentFile;
  #ref: SessionRef | undefined;
  #shown: ShownSession | undefined;
  #context = NO_CONTEXT;
  readonly #focus: FocusHandle;
  readonly #gestures: Gestures;
  readonly #prompts = new PromptFiles();
  #ready = false;
  #sentStart: StartOffer | undefined;
  #sentLending: Lending | undefined;
  /** What has got the prompts back that an earlier client of this window sent. */
  readonly #restored = new WeakSet<WatchedModel>();
  /** Messages to send when the page is ready. */
  #onceReady: ExtensionMessage[] = [];

  constructor(
    webview: vscode.Webview,
    private readonly services: SessionServices,
  ) {
    this.#focus = this.#store.add(services.focus.add(this));
    this.#gestures = new Gestures(services, this);
    this.#queue = this.#store.add(
      new WebviewQueue(
        (messages) => webview.postMessage(messages),
        (error) => services.logger.error(`Posting to the session view: ${messageOf(error)}`),
        (uri) => {
          const shown = this.#shown;
          const model = shown?.get(uri);
          return model && shown?.snapshot(model);
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
    this.#currentFile = this.#store.add(
      new CurrentFile(
        () => (this.#ready && this.#shown ? placeOf(this.#shown) : undefined),
        (file) => this.#shown && this.#queue.send({ type: 'currentFile', session: this.#shown.ref, ...(file && { file }) }),
      ),
    );
    this.#store.add(services.decisions.onDidChange(() => this.#ready && this.#shown && this.#sendDecisions(this.#shown)));
    const handle = (message: WebviewMessage) => this.#handle(message);
    const refuse = (message: unknown) => this.#refuseUnknown(message);
    const page = { name: 'The session view', logger: services.logger, parse: parseWebviewMessage, handle, refuse };
    this.#store.add(onPageMessage(webview, page));
    // The host of the shown session may be added after the session is shown, or be replaced by a new connection.
    this.#store.add(services.hosts.onDidChange(() => this.#followHost()));
    this.#store.add(services.onDidChangeBridge(() => this.#bridge.changed()));
    this.#store.add(services.hosts.onDidCountDown(() => this.#ready && this.#shown && this.#sendConnection(this.#shown)));
  }

  get ref(): SessionRef | undefined {
    return this.#ref;
  }
  get shown(): ShownSession | undefined {
    return this.#shown;
  }
  /** What the page shows of the session, as far as it has said. */
  get context(): PageContext {
    return this.#context;
  }

  show(ref: SessionRef | undefined): void {
    if (sameSession(ref, this.#ref)) return;
    this.#ref = ref;
    this.#context = NO_CONTEXT;
    this.#attach();
    if (this.#ready) this.#sendAll();
    this.#onDidChangeContext.fire();
  }

  focus(target: 'composer' | 'needsYou', card?: CardPlace): void {
    this.tell({ type: 'focus', target, ...(card && { card }) });
  }
  command(command: ViewCommand, what: Pick<CommandMessage, 'chat' | 'turn' | 'source' | 'model'> = {}): void {
    this.tell({ type: 'command', command, ...what });
  }
  answer(command: 'approve' | 'deny'): void {
    this.tell({ type: 'command', command, byKey: true });
  }
  cameToFront(): void {
    this.#focus.cameToFront();
  }

  attach(attached: Attached): void {
    this.tell({ type: 'attach', ...attached });
  }

  dispose(): void {
    this.#detach();
    this.#store.dispose();
  }

  /** As soon as the page is ready. */
  tell(message: ExtensionMessage): void {
    if (this.#ready) this.#queue.send(message);
    else this.#onceReady.push(message);
  }

  #followHost(): void {
    this.#sendStart();
    const host = this.#ref && this.services.hosts.get(this.#ref.hostId);
    if (host === this.#shown?.host) {
      if (this.#ready && this.#shown) {
        this.#sendConnection(this.#shown);
        this.#sendLending(this.#shown);
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
    this.#shown = new ShownSession(ref, host, (model, change) => this.#forward(model, change));
    for (const model of this.#shown.models) this.#restorePrompts(model);
  }

  #detach(): void {
    this.#shown?.dispose();
    this.#shown = undefined;
  }

  /** Sends the whole state, for a page that has just loaded or shows another session. */
  #sendAll(): void {
    this.#queue.clear();
    const ref = this.#ref;
    if (!ref) {
      this.#sentStart = undefined;
      return this.#sendStart();
    }
    const shown = this.#shown;
    const hostLabel = shown?.host.label ?? ref.hostId;
    const readOnly = shown?.host.readOnly;
    const isOwn = shown?.host.kind === 'embedded';
    this.#queue.send({
      type: 'show',
      session: {
        hostId: ref.hostId,
        uri: ref.uri,
        hostLabel,
        ...(readOnly && { readOnly }),
        ...(isOwn && { ownHost: true }),
        ...(settings.shareDrafts() && { sharesDrafts: true }),
        ...(settings.composerAnswers() && { composerAnswers: true }),
      },
      drafts: this.services.drafts.ofHost(ref.hostId),
    });
    if (!shown) {
      const message = 'The agent host of this session is not listed. Add it again, or choose another session.';
      this.#queue.send({ type: 'connection', connection: { kind: 'failed', message, action: { label: 'Add host', command: 'addHost' } } });
      return;
    }
    this.#sendConnection(shown);
    for (const model of shown.models) this.#queue.send(shown.snapshot(model));
    this.#sendDecisions(shown);
    this.#sentLending = undefined;
    this.#sendLending(shown);
    this.#bridge.sendAgain();
    void this.#currentFile.update();
  }

  /** For the page without a session. Hosts report much that changes nothing there. */
  #sendStart(): void {
    if (!this.#ready || this.#ref) return;
    const start = this.services.startOffer();
    if (sameJson(start, this.#sentStart)) return;
    this.#sentStart = start;
    this.#queue.send({ type: 'show', start });
  }

  #bridgeMessage(): BridgeMessage | undefined {
    if (!this.#ready || !this.#shown) return undefined;
    const { ref } = this.#shown;
    const bridge = this.services.bridgeInfo(ref);
    return { type: 'bridge', uri: ref.uri, ...(bridge && { bridge }) };
  }

  #sendDecisions(shown: ShownSession): void {
    const { ref } = shown;
    const decisions = this.services.decisions.of(ref.hostId, (uri) => shown.holds(uri));
    this.#queue.send({ type: 'decisions', session: ref, decisions });
  }

  /** Hosts report much that changes nothing there. */
  #sendLending({ ref, host: { client, lent } }: ShownSession): void {
    const lending = { clientId: client.clientId, uris: lent.all.map(({ uri }) => uri) };
    if (sameJson(lending, this.#sentLending)) return;
    this.#sentLending = lending;
    this.#queue.send({ type: 'lending', session: ref, lending });
  }

  #sendConnection({ host }: ShownSession): void {
    this.#queue.send({ type: 'connection', connection: connectionInfo(host) });
  }

  /** Whether it can be reopened may have changed. */
  #sendIfRemoved(shown: ShownSession): void {
    const model = shown.get(shown.ref.uri);
    const status = model && shown.status(model);
    if (status?.kind === 'removed') this.#queue.send({ type: 'status', uri: shown.ref.uri, status });
  }

  #forward(model: WatchedModel, change: SubscriptionChange<ActionLike>): void {
    this.#restorePrompts(model);
    this.#followPrompts(model, change);
    const shown = this.#shown;
    if (!this.#ready || !shown) return;
    switch (change.kind) {
      case 'snapshot':
        this.#queue.send(shown.snapshot(model));
        // Its chats are known now, and with them whose decisions are shown, and its folder.
        if (model.kind === 'session') {
          this.#sendDecisions(shown);
          void this.#currentFile.update();
        }
        break;
      case 'actions':
        this.#queue.send({
          type: 'actions',
          uri: model.uri,
          actions: [...change.actions],
          now: change.now,
          ...(change.pendingChanged && { pending: [...model.mirrored.pending] }),
        });
        break;
      case 'status':
        this.#forwardStatus(shown, model);
        break;
    }
    if (model.uri === this.#ref?.uri) this.#onDidChangeContext.fire();
  }

  #forwardStatus(shown: ShownSession, model: WatchedModel): void {
    this.#queue.send({ type: 'status', uri: model.uri, status: shown.status(model) });
    // Some hosts report a session as removed and still list it.
    if (model.status.kind === 'removed' && model.uri === shown.ref.uri) void shown.host.client.sessions.refresh();
  }

  /** Once for each resource, as soon as it is known which protocol its host speaks. */
  #restorePrompts(model: WatchedModel): void {
    const shown = this.#shown;
    if (!shown || !isConversation(model) || this.#restored.has(model) || model.mirrored.dialect === undefined) return;
    this.#restored.add(model);
    this.services.drafts.sent.restore({ hostId: shown.ref.hostId, uri: model.uri }, model);
  }

  /** A client that is closed settles its pending actions. They are kept then, for the next client of the same host. */
  #followPrompts(model: WatchedModel, change: SubscriptionChange<ActionLike>): void {
    if (change.kind === 'status' || (change.kind === 'actions' && !change.pendingChanged)) return;
    const shown = this.#shown;
    if (!shown || !this.#restored.has(model) || shown.host.client.state.kind === 'closed') return;
    this.#gestures.storeSentPrompts({ hostId: shown.ref.hostId, uri: model.uri }, model.pending);
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
      case 'request':
        this.#queue.send(await answerTo(message, () => this.services.answerStart(message)));
        return;
      case 'startSession': {
        const { type: _type, draft, ...choice } = message;
        const session = await this.services.startSession(omitAbsent(choice), draft);
        this.#queue.send({ type: 'startEnded', ...(session && { session }) });
        return;
      }
    }
  }

  /** What the user does with the shapes of a later protocol may have no form in this one. They are told, and have their words back. */
  async #refuseUnknown(message: unknown): Promise<void> {
    const { session, message: done } = anyDispatch.safeParse(message).data ?? {};
    if (session && done) await this.#gestures.refuseUnsent(session, done.uri, 'It cannot be sent from here.', done.action);
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
      case 'context': {
        if (!sameSession(ref, this.#ref)) return;
        const { type: _type, ...context } = message;
        this.#context = context;
        this.#onDidChangeContext.fire();
        return;
      }
      case 'request':
        this.#queue.send(await answerTo(message, () => this.#request(shown, message)));
        return;
    }
    if (!shown) {
      // Another session was opened before the message came, or the host was removed. Nothing is done to a session that is not shown.
      if (message.type === 'dispatch')
        await this.#gestures.refuseUnsent(ref, message.uri, 'The session was not shown any more.', message.action);
      return;
    }
    switch (message.type) {
      case 'watch':
        this.#watch(shown, message);
        return;
      case 'unwatch':
        shown.unwatch(message.uri);
        return;
      case 'dispatch':
        await this.#gestures.dispatch(shown, message.uri, message.action, message.asked);
        return;
      case 'openDiff':
        await openDiff(shown.host, message.edit);
        return;
      case 'showTurnChanges':
        await showTurnChanges(shown, message.chat, message.turnId);
        return;
      case 'openFile':
        await openFile(shown.host, message.uri);
        return;
      case 'useCode':
        if (message.how === 'insert') await insertCode(message.code);
        else await typeIntoTerminal(message.code, this.#ownFolder(shown));
        return;
      case 'applyCode':
        await applyCode(message, this.#ownFolder(shown), this.services.proposedCode);
        return;
      case 'openTerminal':
        this.services.openTerminal(shown.host, message.uri);
        return;
      case 'signIn':
        await this.#signIn(shown, message);
        return;
      case 'revokeGrants':
        await revokeGrants(shown.host, ref.uri, message.grants);
        return;
      case 'renameChat':
        await this.services.renameChat(ref, message.chat);
        return;
      case 'deleteChat':
        await this.services.deleteChat(ref, message.chat);
        return;
      case 'openSession':
        this.services.openSession({ hostId: shown.ref.hostId, uri: message.uri });
        return;
      case 'resolveUnknown':
        await this.#gestures.resolveUnknown(shown, message);
        return;
      case 'takeBackLent':
        shown.host.lent.takeBack(message.uri);
        return;
      case 'reopen':
        shown.host.client.retry(shown.ref.uri);
        return;
      case 'newSessionWith':
        this.#newSessionWith(shown, message.draft);
        return;
    }
  }

  /** Nothing of the request comes from the page. */
  async #signIn(shown: ShownSession, { uri, turnId, toolCallId }: Extract<SessionMessage, { type: 'signIn' }>): Promise<void> {
    const chat = shown.host.client.chat(uri);
    try {
      const waits = chat.state && shown.holds(uri) ? waitingOf(chat.state) : [];
      const requirement = signInOf(waits, turnId, toolCallId);
      if (!requirement) throw new UserError('That call does not wait for a sign-in any more.');
      await this.services.signIn.signIn(shown.host, requirement);
    } finally {
      chat.dispose();
    }
  }

  #newSessionWith(shown: ShownSession, draft: Draft): void {
    const { host, session } = shown;
    const provider = session?.provider;
    const workingDirectory = session && folderOf(session);
    // The provider of a subagent's session is none of the host's agents.
    const isOffered = agentsOf(host).some((agent) => agent.provider === provider);
    this.services.createSession({ hostId: host.id, ...(isOffered && { provider }), workingDirectory }, draft);
  }

  #watch(shown: ShownSession, { uri, kind }: { uri: string; kind: 'chat' | 'terminal' }): void {
    const model = shown.watch(uri, kind);
    if (!model) return;
    this.#restorePrompts(model);
    if (this.#ready) this.#queue.send(shown.snapshot(model));
  }

  /** Where the session works, if that is on this computer. */
  #ownFolder(shown: ShownSession): string | undefined {
    return hasOurFiles(shown.host) && shown.session ? folderOf(shown.session) : undefined;
  }

  async #request(shown: ShownSession | undefined, message: WebviewRequestMessage): Promise<unknown> {
    if (!shown) throw new Error('The session is not shown any more, or its agent host is not listed.');
    const { host } = shown;
    const place = placeOf(shown);
    switch (message.method) {
      case 'readResource':
        return host.client.command('resourceRead', message.params);
      case 'pickAttachments':
        return pickAttachments(place);
      case 'attachDropped':
        return attachmentsOf(
          place,
          message.params.uris.map((uri) => vscode.Uri.parse(uri)),
        );
      case 'attachImage':
        return imageAttachment(host, this.services.images, message.params);
      case 'readImage':
        return readImage(host, message.params.uri);
      case 'findFiles':
        return (await Promise.all([findFiles(place, message.params.query), findInEditor(place, message.params.query)]))
          .flat()
          .slice(0, MAX_FOUND);
      case 'contextOfEditor':
        return { items: [await itemOf(place, message.params)], budget: settings.contextTokens(), problems: [] };
      case 'findPrompts':
        return this.#prompts.find(host.client, place.folder, message.params.query);
      case 'readPrompt':
        return { text: await readPrompt(host.client, place.folder, message.params.path) };
      case 'findMentions':
        return this.services.context.mentions(this.#ownFolder(shown), message.params.query);
      case 'contextOfMention':
        return this.services.context.ofMention(this.#ownFolder(shown), message.params.mention);
      case 'contextOfFiles':
        // A file of another host may be another one, also under the same name.
        return this.services.context.ofFiles(hasOurFiles(host) ? message.params.uris : []);
      case 'createChat':
        return { uri: await shown.createChat(message.params.source) };
      case 'fetchTurns':
        await shown.fetchTurns(message.params.chat);
        return {};
      case 'goBack':
        return { isDone: await this.#goBack(shown, message.params) };
    }
  }

  async #goBack(shown: ShownSession, request: WayBackRequest): Promise<boolean> {
    const send = (message: Message) => {
      const action = startTurn(crypto.randomUUID(), message, new Date().toISOString());
      this.#gestures.sendAgain(shown, request.chat, action).catch((error: unknown) => void showError(messageOf(error)));
    };
    try {
      return await goBack(shown, request, { choose, send, wait: waitWithProgress });
    } catch (error) {
      this.services.logger.info(`Going back: ${messageOf(error)}`);
      void showError(messageOf(error));
      return false;
    }
  }
}

function placeOf({ ref, host, session }: ShownSession): SessionPlace {
  return { host, session: ref, folder: session && folderOf(session) };
}

async function answerTo({ id }: { id: number }, answer: () => Promise<unknown>): Promise<ExtensionMessage> {
  try {
    return { type: 'response', id, result: await answer() };
  } catch (error) {
    return { type: 'response', id, error: messageOf(error) };
  }
}

/** In version 1 a session holds its chat. */
function isConversation({ mirrored: { kind } }: WatchedModel): boolean {
  return kind === 'session' || kind === 'chat';
}
