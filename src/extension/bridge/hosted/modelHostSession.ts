/**
 * A session at an agent host of any version of the protocol, in the words of the newest. At some hosts a session is its only chat and takes the
 * tools of one client. At others each client has its own tools beside those of the others, and calls of them come in any chat.
 */
import { fileURLToPath } from 'node:url';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { AgentHostClient } from '../../../ahp/client/agentHostClient.ts';
import type { HookServer } from '../../../ahp/client/hookServer.ts';
import type { ChatModel } from '../../../ahp/client/model/chatModel.ts';
import { notSent } from '../../../ahp/client/model/resourceModel.ts';
import { follow, type Follower } from '../../../ahp/client/model/follow.ts';
import type { SessionModel } from '../../../ahp/client/model/sessionModel.ts';
import type { Dispatched, Settlement, SubscriptionStatus } from '../../../ahp/client/resources/subscription.ts';
import { rememberedList } from '../../../ahp/common/remembered.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { ToolCallResult, ToolDefinition } from '../../../ahp/common/tools.ts';
import type { ReceivedSpan } from '../../../ahp/telemetry/receivedSpans.ts';
import { SpanAttribute } from '../../../ahp/telemetry/telemetryAttributes.ts';
import { hasHooks } from '../../../ahp/hookRequests.ts';
import { listOf } from '../../../ahp/common/reducers/reducer.ts';
import { ownChat } from '../../../views/session/chats.ts';
import { nextModel } from '../../../views/session/composer/composer.ts';
import { Emitter } from '../../../base/event.ts';
import { type Disposable, DisposableStore } from '../../../base/lifecycle.ts';
import { callOf, hostedTurn, openCallsOf } from './hostedTurns.ts';
import type { HostedCall, HostedSession, HostedTurn, HostQuestions, HostSession } from './hostedSession.ts';
import { OtherChats } from './otherChats.ts';
import { sessionAnswers } from './sessionAnswers.ts';
import { oneLine } from '../../../views/text/oneLine.ts';

/**
 * While no page shows the chat. The bridge has nothing to do with most of what is said there, and a call of a tool can wait so long. What waits
 * for the user is told by the session, at once.
 */
const BACKGROUND_LATENCY_MS = 250;

export class ModelHostSession implements HostSession {
  readonly clientId: string;
  readonly #store = new DisposableStore();
  readonly #session: SessionModel;
  readonly #chat: Follower<ChatModel>;
  readonly #others: OtherChats;
  readonly #didChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#didChange.event;
  readonly answers;
  #state: HostedSession | undefined;
  #changes = 0;
  /** What the last event was about. */
  #told: readonly unknown[] = [];
  #cwd: { uri: string | undefined; path: string | undefined } | undefined;

  constructor(
    private readonly client: AgentHostClient,
    private readonly uri: string,
    /** Absent: the host is not answered. */
    private readonly hooks?: HookServer,
    /** A call is about to be denied by a rule. */
    private readonly onDeny?: (call: Pick<HostedCall, 'chat' | 'turnId' | 'callId'>) => void,
    /** False: its paths are those of another computer, or may be, and say nothing here. */
    private readonly hasOurFiles = true,
    /** Who lends, for the users of other clients. */
    private readonly displayName = 'Tapline',
  ) {
    this.clientId = client.clientId;
    this.#session = this.#store.add(client.session(uri));
    this.#others = this.#store.add(
      new OtherChats(client, () => {
        this.#followOthers();
        this.#changed();
      }),
    );
    const own = (current: URI | undefined) => {
      if (this.#isChat) return uri;
      const confirmed = this.#confirmedSession;
      // Until the session is known again, its chat is the same.
      return (confirmed && ownChat(confirmed)) ?? current;
    };
    this.#chat = this.#store.add(follow(this.#session, own, (chat) => client.chat(chat, { maxLatencyMs: BACKGROUND_LATENCY_MS })));
    this.#store.add(this.#chat.onDidChange(() => this.#follow()));
    this.#followOthers();
    this.answers = sessionAnswers({
      clientId: this.clientId,
      session: () => this.#confirmedSession,
      chat: () => this.#confirmedChat,
      configure: (config) => this.#done(this.#session.configure(config)),
    });
  }

  get state(): HostedSession {
    if (this.#state) return this.#state;
    const before = this.#changes;
    const state = this.#look();
    // Reading tells of what has arrived, and whoever hears of it may have changed more.
    if (before === this.#changes) this.#state = state;
    return state;
  }

  get lastTurn(): HostedTurn | undefined {
    const { activeTurn, turns } = this.#confirmedChat ?? {};
    const last = activeTurn ?? turns?.at(-1);
    return last && this.#hosted(last);
  }

  turnsAfter(turnId: string | undefined): readonly HostedTurn[] | undefined {
    const { activeTurn, turns = [] } = this.#confirmedChat ?? {};
    if (turnId !== undefined && activeTurn?.id === turnId) return [];
    const at = turns.findLastIndex(({ id }) => id === turnId);
    if (turnId !== undefined && at < 0) return undefined;
    return [...turns.slice(at + 1), ...(activeTurn ? [activeTurn] : [])].map((turn) => this.#hosted(turn));
  }

  turn(turnId: string): HostedTurn | undefined {
    const { activeTurn, turns = [] } = this.#confirmedChat ?? {};
    const found = activeTurn?.id === turnId ? activeTurn : turns.findLast(({ id }) => id === turnId);
    return found && this.#hosted(found);
  }

  callNow({ chat, turnId, callId }: HostedCall): HostedCall | undefined {
    const turn = chat === undefined || chat === this.#chat.model?.uri ? this.turn(turnId) : this.#others.turn(chat, turnId);
    return callOf(turn, callId);
  }

  get asksFirst(): boolean {
    return this.hooks !== undefined && hasHooks(this.client.hostMeta);
  }

  serve({ mayRun, sections }: HostQuestions): void {
    const answering = this.hooks?.add(this.uri, {
      'tapline/evaluateHooks': async ({ turnId, toolCallId, toolName, input, wasGuarded = false }) => {
        const verdict = await mayRun({ turnId, callId: toolCallId, toolName, input }, wasGuarded);
        if (!verdict.allowed) return { decision: 'deny', reason: verdict.reason };
        return { decision: 'allow', context: [...verdict.context], guarded: verdict.isGuarded };
      },
      'tapline/sections': async ({ sections: current }) => {
        const added = await sections(current);
        return { sections: [...added.sections], context: [...added.context], startup: [...added.startup] };
      },
    });
    if (answering) this.#store.add(answering);
  }

  lend(tools: readonly ToolDefinition[]): Promise<Settlement> {
    return this.#done(this.#session.lend({ displayName: this.displayName, tools: [...tools] }));
  }

  /** Some hosts take a new client only where there is none. */
  takeOver(tools: readonly ToolDefinition[]): Promise<Settlement> {
    const { lender } = this.state;
    if (lender) void this.#done(this.#session.perform({ type: 'session/activeClientRemoved', clientId: lender.clientId }));
    return this.lend(tools);
  }

  announce(tools: readonly ToolDefinition[]): Promise<Settlement> {
    return this.lend(tools);
  }

  withdraw(): void {
    if (this.state.lender?.clientId === this.clientId) void this.#done(this.#session.withdraw());
  }

  report(call: HostedCall, text: string): void {
    void this.#do(call.chat, (chat) => chat.report(refOf(call), [{ type: 'text', text }]));
  }

  complete(call: HostedCall, result: ToolCallResult): Promise<Settlement> {
    return this.#do(call.chat, (chat) => chat.complete(refOf(call), result));
  }

  deny(call: HostedCall, reason: string): Promise<Settlement> {
    const { chat, turnId, callId } = call;
    this.onDeny?.({ chat, turnId, callId });
    return this.#do(chat, (model) => model.deny(refOf(call), { reason }));
  }

  send(text: string, traceparent?: string): Promise<Settlement> {
    const { isIdle } = this.state;
    return this.#do(undefined, (chat) => {
      const model = chat.state && nextModel(chat.state);
      const said = { text, ...(model && { model }), ...(traceparent !== undefined && { _meta: { traceparent } }) };
      return isIdle ? chat.send(said) : chat.queue(said);
    });
  }

  readSpans(listener: (spans: readonly ReceivedSpan[]) => void): Disposable {
    return this.client.traces.read((spans) => {
      const possible = spans.filter((span) => (span.attributes[SpanAttribute.session] ?? this.uri) === this.uri);
      if (possible.length > 0) listener(possible);
    });
  }

  isOwnSpan({ attributes }: ReceivedSpan): boolean {
    return attributes[SpanAttribute.session] === this.uri;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** `chat`: undefined for the default one. */
  #do(chat: URI | undefined, act: (model: ChatModel) => Dispatched): Promise<Settlement> {
    const own = this.#chat.model;
    const model = chat === undefined || chat === own?.uri ? own : this.#others.model(chat);
    // eslint-disable-next-line texts/translated -- also in the log, which is English
    return this.#done(model ? act(model) : notSent('The chat is not known any more.'));
  }

  /** It shows at once. */
  #done({ settled }: Dispatched): Promise<Settlement> {
    this.#forgetState();
    return settled;
  }

  /** Not of what changes nothing here, such as a result that is on its way to the host. */
  #follow(): void {
    const { model } = this.#chat;
    const ofSession = [this.#session.status.kind, this.#confirmedSession, this.#session.stateBesideCalls];
    const seen = [...ofSession, model, model?.status.kind, model?.confirmed, model?.stateBesideCalls];
    if (seen.every((value, index) => value === this.#told[index])) return;
    this.#told = seen;
    this.#followOthers();
    this.#changed();
  }

  #changed(): void {
    this.#forgetState();
    this.#didChange.fire();
  }

  #forgetState(): void {
    this.#state = undefined;
    this.#changes++;
  }

  /** Whether the session is its only chat. */
  get #isChat(): boolean {
    return this.#session.sessionHolds === 'one';
  }

  #followOthers(): void {
    const confirmed = this.#confirmedSession;
    if (confirmed) this.#others.follow(this.#isChat ? [] : listOf(confirmed.inputNeeded), this.#chat.model?.uri);
  }

  get #confirmedSession(): SessionState | undefined {
    return this.#session.confirmed;
  }

  get #confirmedChat(): ChatState | undefined {
    return this.#chat.model?.confirmed;
  }

  #hosted(turn: ChatState['turns'][number] | NonNullable<ChatState['activeTurn']>): HostedTurn {
    return hostedTurn(this.#isChat ? undefined : this.#chat.model?.uri, turn);
  }

  #look(): HostedSession {
    const { stateBesideCalls: ahead, status } = this.#session;
    const confirmed = this.#confirmedSession;
    if (!ahead || !confirmed) return { ...nothing, status: statusOf(status, undefined) };
    const chatAhead = this.#chat.model?.stateBesideCalls;
    const own = this.#chat.model;
    const chat = this.#confirmedChat;
    const turn = chat?.activeTurn && this.#hosted(chat.activeTurn);
    const both = worse(statusOf(status, confirmed), own ? statusOfChat(own.status, chat) : 'live');
    const isTaken = chatAhead?.activeTurn !== undefined || listOf(chatAhead?.queuedMessages).length > 0;
    return {
      status: both,
      // eslint-disable-next-line texts/translated -- for the gateway and other windows
      label: oneLine(ahead.title) || 'New session',
      cwd: this.hasOurFiles ? this.#pathOf(ahead.workingDirectories?.[0]) : undefined,
      isIdle: both === 'live' && ahead.lifecycle === 'ready' && chatAhead !== undefined && !isTaken,
      // Some hosts create a session with its first turn, and take tools before.
      isReady: ahead.lifecycle === 'ready' || (!this.#isChat && ahead.lifecycle === 'creating'),
      agentTools: namesOf(confirmed.serverTools),
      activity: chat?.activity,
      lender: this.#lenderIn(ahead),
      turn,
      calls: [...openCallsOf(turn), ...this.#others.calls],
      unknownChats: this.#others.unknown,
    };
  }

  #pathOf(uri: string | undefined): string | undefined {
    if (this.#cwd?.uri !== uri) this.#cwd = { uri, path: pathOf(uri) };
    return this.#cwd?.path;
  }

  #lenderIn({ activeClients }: SessionState): HostedSession['lender'] {
    const lender = this.#isChat ? activeClients[0] : activeClients.find(({ clientId }) => clientId === this.clientId);
    return lender && { clientId: lender.clientId, name: lender.displayName ?? lender.clientId };
  }
}

const nothing: Omit<HostedSession, 'status'> = {
  label: '',
  cwd: undefined,
  isIdle: false,
  isReady: false,
  agentTools: [],
  activity: undefined,
  lender: undefined,
  turn: undefined,
  calls: [],
  unknownChats: new Set(),
};

function statusOf({ kind }: SubscriptionStatus, confirmed: object | undefined): HostedSession['status'] {
  if (kind === 'failed' || kind === 'removed') return 'gone';
  return confirmed || kind === 'loading' ? kind : 'gone';
}

/** A chat that was removed is not the end of its session, which names another one. */
function statusOfChat(status: SubscriptionStatus, confirmed: object | undefined): HostedSession['status'] {
  return status.kind === 'removed' ? 'loading' : statusOf(status, confirmed);
}

const byWorst: readonly HostedSession['status'][] = ['gone', 'loading', 'stale', 'live'];
function worse(one: HostedSession['status'], other: HostedSession['status']): HostedSession['status'] {
  return byWorst.find((status) => status === one || status === other) ?? 'gone';
}

const namesOf = rememberedList(({ name }: ToolDefinition) => name);

function refOf({ turnId, callId }: HostedCall): { turnId: string; toolCallId: string } {
  return { turnId, toolCallId: callId };
}

function pathOf(uri: string | undefined): string | undefined {
  try {
    return uri?.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined; // a path of another kind of system
  }
}
