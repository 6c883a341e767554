/**
 * What the page of a session is told, and what comes of what the user does in it. It sends the state and the actions that change it. The page
 * may reload at any time and send `ready` again, so nothing here depends on what was sent before.
 */
import * as l10n from '../../base/l10n.ts';
import type { SubscriptionChange } from '../../ahp/client/resources/subscription.ts';
import type { ActionLike } from '../../ahp/common/reducers/reducer.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import { messageOf as messageWith, startTurn } from '../../views/session/composer/composer.ts';
import { omitAbsent } from '../../ahp/common/reducers/reducer.ts';
import { ownChat } from '../../views/session/chats.ts';
import { folderOf } from '../../views/session/openChat.ts';
import { systemClock } from '../../base/clock.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { StartOffer } from '../../views/newSession/startOffer.ts';
import { englishOf, messageOf, UserError } from '../../base/errors.ts';
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
  FoundContext,
  QuestionMessage,
  SessionMessage,
  ViewCommand,
  WebviewMessage,
  WebviewRequestMessage,
} from '../../webviews/session/protocol.ts';
import type { Lending } from '../../views/session/composer/lentFile.ts';
import { type SessionRef, sameSession } from '../../views/session/sessionRef.ts';
import type { FocusHandle, FocusPage } from '../pageFocus.ts';
import { type OwnMessage, PageHost } from '../pageHost.ts';
import type { PagePort } from '../pagePort.ts';
import { PageQuestions } from '../pageQuestions.ts';
import type { OfResource } from '../pageQueue.ts';
import type { WatchedModel } from '../resourceMessages.ts';
import type { ShownHost } from '../shownHost.ts';
import { goBack, type WayBackRequest } from '../wayBack/goBack.ts';
import { onlyLooks } from '../answering/onlyLooks.ts';
import { whyNotDone } from '../answering/whyNotDone.ts';
import { BridgeSender } from './bridgeSender.ts';
import { nameChat, removeChat } from './chatDeeds.ts';
import { connectionInfo } from './connectionInfo.ts';
import { revokeGrants } from './unaskedConsent.ts';
import { Gestures, type GesturePage } from './gestures.ts';
import { findHostFiles } from '../attaching/findHostFiles.ts';
import { attachContent } from '../attaching/attachContent.ts';
import type { NewEmitter } from '../../views/emitters/emitterRequest.ts';
import { answerEmitters, startEmitter } from '../emitters/sessionEmitters.ts';
import { readResource } from '../readResource.ts';
import { hostImage, readInTurn } from '../attaching/messageImages.ts';
import { PromptFiles, readPrompt } from '../attaching/hostPromptFiles.ts';
import { CANNOT, lackedBy } from './lacks.ts';
import type { FollowedFile, Questions, SessionPageServices } from './sessionPageServices.ts';
import { ShownSession } from './shownSession.ts';
import { typeInto } from './typeInto.ts';

/** Absent `chats`: the page has not said yet. */
type PageContext = Pick<ContextMessage, 'needsYou' | 'running'> & Partial<Pick<ContextMessage, 'chats' | 'offers'>>;
const NOT_OF_SESSION = l10n.t('The session does not say that this belongs to it. Open it in VS Code.');
const NO_FOUND: FoundContext = { items: [], budget: 0, problems: [] };
const NO_CONTEXT: PageContext = { needsYou: 0, running: false };

export class SessionPage<H extends ShownHost = ShownHost> implements FocusPage, GesturePage, Disposable {
  readonly #store = new DisposableStore();
  readonly #page: PageHost<WebviewMessage, ExtensionMessage>;
  readonly #onDidChangeContext = this.#store.add(new Emitter<void>());
  /** The shown session or the context that the page reports changed. */
  readonly onDidChangeContext = this.#onDidChangeContext.event;
  readonly #bridge: BridgeSender;
  readonly #currentFile: FollowedFile | undefined;
  #ref: SessionRef | undefined;
  #shown: ShownSession<H> | undefined;
  #context = NO_CONTEXT;
  readonly #focus: FocusHandle;
  readonly #gestures: Gestures;
  /** Those of the page, where the shell asks none. */
  #pageQuestions: PageQuestions | undefined;
  readonly #questions: Questions;
  readonly #prompts = new PromptFiles();
  #sentStart: StartOffer | undefined;
  #hasSentStart = false;
  #sentLending: Lending | undefined;
  /** What has got the prompts back that an earlier client sent. */
  readonly #restored = new WeakSet<WatchedModel>();

  constructor(
    port: PagePort<ExtensionMessage>,
    private readonly services: SessionPageServices<H>,
  ) {
    const { hosts, bridge, attaching } = services;
    this.#focus = this.#store.add(services.focus.add(this));
    if (services.questions) this.#questions = services.questions;
    else this.#questions = this.#pageQuestions = this.#store.add(new PageQuestions(systemClock, () => this.#sendQuestion()));
    this.#gestures = new Gestures(services, this.#questions, this);
    this.#page = this.#store.add(
      new PageHost<WebviewMessage, ExtensionMessage>(port, {
        // eslint-disable-next-line texts/translated -- for the log
        name: 'The session view',
        shell: services,
        focus: this.#focus,
        parse: parseWebviewMessage,
        onReady: () => this.#sendAll(),
        handle: (message) => this.#handle(message),
        refuse: (message) => this.#refuseUnknown(message),
        ofResource: (message) => this.#ofResource(message),
        saysAll: ({ type }) => type === 'bridge' || type === 'lending' || type === 'decisions' || type === 'question',
        isSaidOnce: ({ type }) => type === 'startEnded',
      }),
    );
    this.#bridge = this.#store.add(
      new BridgeSender(
        systemClock,
        () => this.#bridgeMessage(),
        (message) => this.#page.send(message),
      ),
    );
    this.#currentFile = attaching?.followFile(
      () => (this.#page.isReady ? this.#shown?.place : undefined),
      (file) => this.#shown && this.#page.send({ type: 'currentFile', session: this.#shown.ref, ...(file && { file }) }),
    );
    if (this.#currentFile) this.#store.add(this.#currentFile);
    this.#store.add(services.decisions.onDidChange(() => this.#shown && this.#sendDecisions(this.#shown)));
    // The host of the shown session may be added after the session is shown, or be replaced by a new connection.
    this.#store.add(hosts.onDidChange(() => this.#followHost()));
    if (bridge) this.#store.add(bridge.onDidChange(() => this.#bridge.changed()));
    this.#store.add(hosts.onDidCountDown(() => this.#shown && this.#sendConnection(this.#shown)));
  }

  /** The shell has begun to load the page. Returns what that is told at first. */
  begin(): readonly ExtensionMessage[] {
    return this.#page.begin();
  }

  get ref(): SessionRef | undefined {
    return this.#ref;
  }
  get shown(): ShownSession<H> | undefined {
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
    this.#pageQuestions?.leave();
    this.#attach();
    this.#sendAll();
    this.#onDidChangeContext.fire();
  }

  focus(target: 'composer' | 'needsYou', card?: CardPlace): void {
    this.tell({ type: 'focus', target, ...(card && { card }) });
  }
  command(command: ViewCommand, what: Pick<CommandMessage, 'chat' | 'turn' | 'call' | 'source' | 'model'> = {}): void {
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
    this.#page.tell(message);
  }

  #followHost(): void {
    this.#sendStart();
    const host = this.#ref && this.services.hosts.get(this.#ref.hostId);
    if (host === this.#shown?.host) {
      if (this.#shown) {
        this.#sendConnection(this.#shown);
        this.#sendLending(this.#shown);
        this.#sendIfRemoved(this.#shown);
      }
      return;
    }
    // What was asked may not be what can be done at this one.
    this.#pageQuestions?.leave();
    this.#withdraw();
    this.#attach();
    this.#sendAll();
  }

  #attach(): void {
    this.#detach();
    const ref = this.#ref;
    const host = ref && this.services.hosts.get(ref.hostId);
    if (!ref || !host) return;
    this.#shown = new ShownSession(ref, host, (model, change) => this.#forward(model, change));
    this.#shown.watchNamed();
    for (const model of this.#shown.models) this.#restorePrompts(model);
  }

  /** What waits for the host to be back is not sent later by a page that can do nothing any more. */
  #withdraw(): void {
    for (const { uri } of this.#shown?.models ?? []) this.#shown?.host.client.withdraw(uri);
  }

  #detach(): void {
    this.#shown?.dispose();
    this.#shown = undefined;
  }

  /** Sends the whole state, for a page that has just loaded or shows another session. */
  #sendAll(): void {
    if (!this.#page.isReady) return;
    this.#page.clear();
    const ref = this.#ref;
    if (!ref) {
      this.#hasSentStart = false;
      return this.#sendStart();
    }
    const shown = this.#shown;
    const { settings } = this.services;
    const lacks = lackedBy(this.services);
    const hostLabel = shown?.host.label ?? ref.hostId;
    const readOnly = shown?.host.readOnly;
    const readsOn = readOnly !== undefined && shown?.host.kind !== 'replay';
    const isOwn = shown?.host.kind === 'embedded';
    this.#page.send({
      type: 'show',
      session: {
        hostId: ref.hostId,
        uri: ref.uri,
        hostLabel,
        ...(readOnly && { readOnly }),
        ...(readsOn && { readsOn }),
        ...(isOwn && { ownHost: true }),
        ...(settings.shareDrafts() && { sharesDrafts: true }),
        ...(settings.composerAnswers() && { composerAnswers: true }),
      },
      ...(lacks.length > 0 && { lacks }),
      ...this.#question,
      drafts: this.services.drafts.ofHost(ref.hostId),
    });
    if (!shown) {
      const message = l10n.t('The agent host of this session is not listed. Add it again, or choose another session.');
      this.#page.send({
        type: 'connection',
        connection: { kind: 'failed', message, action: { label: l10n.t('Add host'), command: 'addHost' } },
      });
      return;
    }
    this.#sendConnection(shown);
    for (const model of shown.models) this.#page.send(shown.snapshot(model));
    this.#sendDecisions(shown);
    this.#sentLending = undefined;
    this.#sendLending(shown);
    this.#bridge.sendAgain();
    void this.#currentFile?.update();
  }

  /** For the page without a session. Hosts report much that changes nothing there. */
  #sendStart(): void {
    if (!this.#page.isReady || this.#ref) return;
    const start = this.services.start?.offer();
    if (this.#hasSentStart && sameJson(start, this.#sentStart)) return;
    this.#hasSentStart = true;
    this.#sentStart = start;
    const lacks = lackedBy(this.services);
    this.#page.send({ type: 'show', ...(start && { start }), ...(lacks.length > 0 && { lacks }) });
  }

  #bridgeMessage(): BridgeMessage | undefined {
    if (!this.#page.isReady || !this.#shown) return undefined;
    const { ref } = this.#shown;
    const bridge = this.services.bridge?.info(ref);
    return { type: 'bridge', uri: ref.uri, ...(bridge && { bridge }) };
  }

  #sendDecisions(shown: ShownSession<H>): void {
    const { ref } = shown;
    const decisions = this.services.decisions.of(ref.hostId, (uri) => shown.holds(uri));
    this.#page.send({ type: 'decisions', session: ref, decisions });
  }

  get #question(): Pick<QuestionMessage, 'question'> {
    const question = this.#pageQuestions?.shown;
    return question ? { question } : {};
  }

  #sendQuestion(): void {
    this.#page.send({ type: 'question', ...this.#question });
  }

  /** Hosts report much that changes nothing there. */
  #sendLending({ ref, host: { client, lent } }: ShownSession<H>): void {
    if (!this.#page.isReady) return;
    const lending = { clientId: client.clientId, uris: (lent?.all ?? []).map(({ uri }) => uri) };
    if (sameJson(lending, this.#sentLending)) return;
    this.#sentLending = lending;
    this.#page.send({ type: 'lending', session: ref, lending });
  }

  #sendConnection({ host }: ShownSession<H>): void {
    this.#page.send({ type: 'connection', connection: connectionInfo(host) });
  }

  /** Whether it can be reopened may have changed. */
  #sendIfRemoved(shown: ShownSession<H>): void {
    const model = shown.get(shown.ref.uri);
    const status = model && shown.status(model);
    if (status?.kind === 'removed') this.#page.send({ type: 'status', uri: shown.ref.uri, status });
  }

  #forward(model: WatchedModel, change: SubscriptionChange<ActionLike>): void {
    this.#restorePrompts(model);
    this.#followPrompts(model, change);
    const shown = this.#shown;
    if (!this.#page.isReady || !shown) return;
    this.#page.send(shown.messageOf(model, change));
    if (change.kind !== 'status') for (const named of shown.watchNamed()) this.#tellWatched(shown, named);
    // Its chats are known now, and with them whose decisions are shown, and its folder.
    if (change.kind === 'snapshot' && model.kind === 'session') {
      this.#sendDecisions(shown);
      void this.#currentFile?.update();
    }
    // Some hosts report a session as removed and still list it.
    const isRemoved = change.kind === 'status' && model.status.kind === 'removed';
    if (isRemoved && model.uri === shown.ref.uri) void shown.host.client.sessions.refresh();
    if (model.uri === this.#ref?.uri) this.#onDidChangeContext.fire();
  }

  #ofResource(message: ExtensionMessage): OfResource<ExtensionMessage> | undefined {
    if (message.type !== 'snapshot' && message.type !== 'actions' && message.type !== 'status') return undefined;
    const model = () => this.#shown?.get(message.uri);
    const snapshot = () => {
      const shown = this.#shown;
      const now = model();
      return now && shown?.snapshot(now);
    };
    return { key: message.uri, message, isCut: model()?.kind === 'terminal', wrap: (one) => one, snapshot };
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

  async #handle(message: OwnMessage<WebviewMessage>): Promise<void> {
    const { bridge, start } = this.services;
    switch (message.type) {
      case 'inSession':
        await this.#handleInSession(message.session, message.message);
        return;
      case 'denyPairing':
        await bridge?.denyPairing(message.pairingId);
        return;
      case 'answerQuestion':
        // Whoever only looks can agree to nothing.
        this.#pageQuestions?.answer(message.id, this.#shown?.host.readOnly === undefined ? message.answer : undefined);
        return;
      case 'runCommand':
        await this.#able('commands').run(message.command, undefined);
        return;
      case 'request':
        await this.#respond(message, async () => this.#able('start').answer(message));
        return;
      case 'startSession': {
        const { type: _type, draft, emitter, ...choice } = message;
        const whyNot = this.#whyNotBegun(emitter !== undefined);
        if (whyNot !== undefined) this.services.showError(whyNot);
        const session = whyNot === undefined ? await start?.start(omitAbsent(choice), emitter ? undefined : draft) : undefined;
        this.#page.send({ type: 'startEnded', ...(session && { session }) });
        if (session && emitter) await this.#beginWatching(session, omitAbsent(emitter), draft);
        return;
      }
    }
  }

  /** A session that is for watching something is not begun where nothing can be watched: it would be empty. */
  #whyNotBegun(watches: boolean): string | undefined {
    const { start, emitters } = this.services;
    if (!start) return CANNOT.start;
    if (!watches) return undefined;
    return emitters ? emitters.whyNone() : CANNOT.emitters;
  }

  /** Begins what a session was made for. The words have left the page, and come back as those of a message do. */
  async #beginWatching(session: SessionRef, emitter: NewEmitter, draft: Draft): Promise<void> {
    try {
      await startEmitter(await this.#able('emitters').of(session), emitter);
    } catch (error) {
      const message = messageWith(draft.text, draft.attachments, draft.items);
      if (!message) throw error;
      const begun = this.#shown && sameSession(this.#shown.ref, session) ? this.#shown.session : undefined;
      const uri = (begun && ownChat(begun)) ?? session.uri;
      const reason = l10n.t`The session has begun, but what it was to watch was not started. ${messageOf(error)}`;
      await this.#gestures.refuseUnsent(session, uri, reason, startTurn(crypto.randomUUID(), message, new Date().toISOString()));
    }
  }

  /** What the shell can do. Throws a text for the user where it cannot. */
  #able<K extends keyof typeof CANNOT>(what: K): NonNullable<SessionPageServices<H>[K]> {
    const able = this.services[what];
    if (!able) throw new UserError(CANNOT[what]);
    return able as NonNullable<SessionPageServices<H>[K]>;
  }

  /** What the user does with the shapes of a later protocol may have no form in this one. They are told, and have their words back. */
  async #refuseUnknown(message: unknown): Promise<void> {
    const { session, message: done } = anyDispatch.safeParse(message).data ?? {};
    if (session && done) await this.#gestures.refuseUnsent(session, done.uri, l10n.t('It cannot be sent from here.'), done.action);
  }

  async #handleInSession(ref: SessionRef, message: SessionMessage): Promise<void> {
    const shown = this.#shown && sameSession(this.#shown.ref, ref) ? this.#shown : undefined;
    const { readOnly } = shown?.host ?? {};
    if (readOnly !== undefined && !onlyLooks(message)) return this.#refuseDeed(ref, message, readOnly);
    switch (message.type) {
      case 'draft':
        await this.services.drafts.set(ref, message.draft);
        return;
      case 'runCommand':
        await this.#able('commands').run(message.command, ref);
        return;
      case 'context': {
        if (!sameSession(ref, this.#ref)) return;
        const { type: _type, ...context } = message;
        this.#context = context;
        this.#onDidChangeContext.fire();
        return;
      }
      case 'request':
        await this.#respond(message, () => this.#request(shown, message));
        return;
    }
    if (!shown) {
      // Another session was opened before the message came, or the host was removed. Nothing is done to a session that is not shown.
      if (message.type === 'dispatch')
        await this.#gestures.refuseUnsent(ref, message.uri, l10n.t('The session was not shown any more.'), message.action);
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
        await this.#able('editor').openDiff(shown.host, message.edit);
        return;
      case 'showTurnChanges':
        await this.#able('editor').showTurnChanges(shown, message.chat, message.turnId);
        return;
      case 'openFile':
        await this.#able('editor').openFile(shown.host, message.uri);
        return;
      case 'useCode':
        await this.#able('editor').useCode(shown.place, message.how, message.code);
        return;
      case 'applyCode':
        await this.#able('editor').applyCode(shown.place, message);
        return;
      case 'openTerminal':
        this.#able('terminals').open(shown.host, message.uri);
        return;
      case 'typeIntoTerminal':
        await typeInto(shown, message.uri, message.text);
        return;
      case 'signIn':
        await this.#signIn(shown, message);
        return;
      case 'revokeGrants':
        await revokeGrants(shown.host, ref.uri, message.grants);
        return;
      case 'renameChat':
        await this.#able('chats').rename(ref, message.chat);
        return;
      case 'deleteChat':
        await this.#able('chats').delete(ref, message.chat);
        return;
      case 'openSession':
        this.services.openSession({ hostId: shown.ref.hostId, uri: message.uri });
        return;
      case 'resolveUnknown':
        await this.#gestures.resolveUnknown(shown, message);
        return;
      case 'releaseLent':
        shown.host.lent?.release(message.uri);
        return;
      case 'reopen':
        shown.host.client.retry(shown.ref.uri);
        return;
      case 'newSessionWith':
        this.#newSessionWith(shown, message.draft);
        return;
    }
  }

  /** The page leaves it out where it can. */
  async #refuseDeed(ref: SessionRef, message: SessionMessage, reason: string): Promise<void> {
    if (message.type === 'dispatch')
      return this.#gestures.refuseUnsent(ref, message.uri, l10n.t`${reason} Nothing was sent.`, message.action);
    if (message.type === 'request') return this.#respond(message, () => Promise.reject(new UserError(reason)));
    throw new UserError(reason);
  }

  /** Nothing of the request comes from the page. */
  async #signIn(shown: ShownSession<H>, { uri, turnId, toolCallId }: Extract<SessionMessage, { type: 'signIn' }>): Promise<void> {
    const chat = shown.host.client.chat(uri);
    try {
      const waits = chat.state && shown.holds(uri) ? waitingOf(chat.state) : [];
      const requirement = signInOf(waits, turnId, toolCallId);
      if (!requirement) throw new UserError(l10n.t('That call does not wait for a sign-in any more.'));
      await this.#able('signIn').signIn(shown.host, requirement);
    } finally {
      chat.dispose();
    }
  }

  #newSessionWith(shown: ShownSession<H>, draft: Draft): void {
    const { host, session } = shown;
    const provider = session?.provider;
    const workingDirectory = session && folderOf(session);
    // The provider of a subagent's session is none of the host's agents.
    const isOffered = host.root.state?.agents.some((agent) => agent.provider === provider);
    this.#able('start').create({ hostId: host.id, ...(isOffered && { provider }), workingDirectory }, draft);
  }

  #watch(shown: ShownSession<H>, { uri, kind }: { uri: string; kind: 'chat' | 'terminal' }): void {
    const model = shown.watch(uri, kind);
    if (model) this.#tellWatched(shown, model);
  }

  #tellWatched(shown: ShownSession<H>, model: WatchedModel): void {
    this.#restorePrompts(model);
    this.#page.send(shown.snapshot(model));
  }

  #respond({ id }: { id: number }, answer: () => Promise<unknown>): Promise<void> {
    return this.#page.respond(answer, (answered) => ({ type: 'response', id, ...answered }));
  }

  async #request(shown: ShownSession<H> | undefined, message: WebviewRequestMessage): Promise<unknown> {
    if (!shown) throw new Error(l10n.t('The session is not shown any more, or its agent host is not listed.'));
    const { host, place } = shown;
    const { attaching } = this.services;
    const isRead = message.method === 'readResource' || message.method === 'readImage';
    if (isRead && !shown.gives(message.params.uri)) throw new UserError(NOT_OF_SESSION);
    switch (message.method) {
      case 'readResource':
        return readResource(host.client, message.params);
      case 'pickAttachments':
        return this.#able('attaching').pick(place);
      case 'attachDropped':
        return this.#able('attaching').dropped(place, message.params.uris);
      case 'attachContent':
        return attachContent(host, message.params, attaching && ((image) => attaching.image(host, image)));
      case 'readImage':
        return attaching ? attaching.readImage(host, message.params.uri) : readInTurn(() => hostImage(host, message.params.uri));
      case 'findFiles': {
        const { query } = message.params;
        return attaching ? attaching.find(place, query) : findHostFiles(host.client, place.folder, query);
      }
      case 'contextOfEditor':
        return this.#able('attaching').ofEditor(place, message.params);
      case 'findPrompts':
        return this.#prompts.find(host.client, place.folder, message.params.query);
      case 'readPrompt':
        return { text: await readPrompt(host.client, place.folder, message.params.path) };
      case 'findMentions':
        return this.services.context?.mentions(place, message.params.query) ?? [];
      case 'contextOfMention':
        return this.#able('context').ofMention(place, message.params.mention);
      case 'contextOfFiles':
        return this.services.context?.ofFiles(place, message.params.uris) ?? NO_FOUND;
      case 'createChat':
        return { uri: await shown.createChat(message.params.source) };
      case 'nameChat':
        this.#refuseWhereShellAsks();
        await nameChat(host, shown.session, message.params.chat, message.params.title);
        return {};
      case 'removeChat':
        this.#refuseWhereShellAsks();
        await removeChat(host, shown.session, message.params.chat);
        return {};
      case 'fetchTurns':
        await shown.fetchTurns(message.params.chat);
        return {};
      case 'goBack':
        return { isDone: await this.#goBack(shown, message.params) };
      case 'emitters':
        return answerEmitters(await this.#able('emitters').of(shown.ref), message.params);
    }
  }

  /** Where the shell has a question of its own, a page cannot do without it. */
  #refuseWhereShellAsks(): void {
    if (this.services.chats) throw new UserError(l10n.t('This is asked in a box of VS Code.'));
  }

  async #goBack(shown: ShownSession<H>, request: WayBackRequest): Promise<boolean> {
    const showError = (text: string) => this.services.showError(text);
    const send = (message: Message) => {
      const action = startTurn(crypto.randomUUID(), message, new Date().toISOString());
      this.#gestures.sendAgain(shown, request.chat, action).catch((error: unknown) => showError(messageOf(error)));
    };
    try {
      const questions = this.#questions;
      const choose = (question: string, detail: string, ...answers: string[]) => questions.choose(question, detail, ...answers);
      return await goBack(shown, request, {
        ...{ choose, send, wait: (title, task) => questions.wait(title, task) },
        whyNot: () => whyNotDone(this.services.hosts, shown),
      });
    } catch (error) {
      this.services.logger.info(`Going back: ${englishOf(error)}`);
      showError(messageOf(error));
      return false;
    }
  }
}

/** In AHP v1 a session holds its chat. */
function isConversation({ mirrored: { kind } }: WatchedModel): boolean {
  return kind === 'session' || kind === 'chat';
}
