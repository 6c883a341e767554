/** A session of the agent host, as tasks and the HTTP interface use it. The portal is one of its clients, and lends it the job tools. */
import { randomUUID } from 'node:crypto';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { ChatModel } from '../../ahp/client/model/chatModel.ts';
import { follow, type Follower } from '../../ahp/client/model/follow.ts';
import type { SessionModel } from '../../ahp/client/model/sessionModel.ts';
import type { Dispatched, Settlement, SubscriptionStatus } from '../../ahp/client/resources/subscription.ts';
import type { ChatState, ResponsePart } from '../../ahp/channels/chat/state.ts';
import type { SessionActiveClient, SessionState } from '../../ahp/channels/session/state.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import type { ToolCallState } from '../../ahp/channels/shapes/toolCall.ts';
import type { ToolCallResult } from '../../ahp/common/tools.ts';
import { send } from '../../views/session/composer/composer.ts';
import { shownChat } from '../../views/session/chats.ts';
import { failureOf } from '../../views/session/transcript/transcript.ts';
import type { Clock } from '../../base/clock.ts';
import { englishOf, TimeoutError, withTimeout } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { isRecord } from '../../base/isRecord.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { Logger } from '../../base/log.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { type Grant, grantsOf } from '../../ahp/grants.ts';
import type { Approval } from '../entry/approve.ts';
import { type PersonAnswer, SOMEBODY } from '../runs/personAnswer.ts';
import { NOTHING_RUNS } from '../tasks/taskSessions.ts';
import { type PortalSession, SessionStoppedError, type StartedTool, type UnaskedCall } from '../tasks/portalSession.ts';
import type { Answerers } from './people/answerers.ts';
import { approvalsOf, asking, hasConfig } from './approvals.ts';
import { decidedCallKey, cut, DecidedCalls } from './people/decidedCalls.ts';
import { lentJobTools } from './lentJobTools.ts';
import { errorAt } from './portalHost.ts';
import { SessionMeter } from './sessionMeter.ts';
import { steeredIn } from './people/steeredIn.ts';
import { inputOf, SessionCallbacks, type SessionResponse } from './sessionCallbacks.ts';

/** Another host that is away gets it when it is back, and nobody waits so long. */
const STOP_ELSEWHERE_MS = 5_000;
/** The host takes a message at once, or has lost its connection. */
const STEER_TIMEOUT_MS = 10_000;
/** The host has it in memory. */
const SUBAGENT_TIMEOUT_MS = 30_000;

type ToolCallPart = Extract<ResponsePart, { kind: 'toolCall' }>;
/** What is known of it. A session that is being created may have no chat yet. */
interface Known {
  session: SessionState;
  chat?: ChatState;
}

/** Characters of what a client calls itself. */
const MAX_NAME = 100;

export interface HostSessionOptions {
  id: string;
  uri: string;
  client: AgentHostClient;
  /** Its id. */
  model: string;
  /** Its path at the host. Absent: the default of the host. */
  folder?: string | undefined;
  /** The name of the host, where it is not the portal's own. */
  host?: string;
  /** After so long without its state the session counts as lost. Absent: never. */
  lostAfterMs?: number;
  clock: Clock;
  logger: Logger;
  /** The job tools run without a question to the user. */
  allowJobTools: boolean;
  /** What the entry approves for this session, and the setting with which it was started for that. */
  approve: readonly Approval[];
  config: Readonly<Record<string, string>>;
  /** Who answers by way of the portal. */
  answerers: Answerers;
  /** What its next prompt is below, for traces. */
  traceparent?(): string | undefined;
  /** A response of the live interface. */
  tell(response: SessionResponse): void;
  /** Called once, when the session is not the portal's any more. */
  onEnd(): void;
  /** Called once, when the host has answered that it stopped, which may be later. `asksAgain`: what was approved for it is taken back. */
  onStopped?(asksAgain: boolean): void;
}

export class HostSession implements PortalSession {
  readonly id: string;
  readonly uri: string;
  readonly #options: HostSessionOptions;
  readonly #client: AgentHostClient;
  readonly #session: SessionModel;
  /** The one that the session begins with, as soon as it is known. */
  readonly #chats: Follower<ChatModel>;
  readonly #callbacks = new SessionCallbacks();
  /** By the URIs of their chats. */
  readonly #subagents = new Map<string, SessionCallbacks>();
  readonly #didStartTool = new Emitter<StartedTool>();
  readonly onDidStartTool = this.#didStartTool.event;
  readonly #didRunUnasked = new Emitter<UnaskedCall>();
  readonly onDidRunUnasked = this.#didRunUnasked.event;
  readonly #didAnswer = new Emitter<PersonAnswer>();
  readonly onDidAnswer = this.#didAnswer.event;
  readonly #decided: DecidedCalls;
  readonly #meter = new SessionMeter();
  readonly #didAct = new Emitter<void>();
  readonly onDidAct = this.#didAct.event;
  /** What the session did without asking when it was last looked at. */
  #unaskedBefore: { approvals: string | undefined; grants: readonly string[] } | undefined;
  readonly #didChange = new Emitter<void>();
  /** Ids of messages that wait behind a turn. */
  readonly #queued = new Set<string>();
  /** Ids of what the portal has told the agent in a turn that ran. */
  readonly #steered = new Set<string>();
  /** Calls of the job tools that were completed. */
  readonly #completed = new Set<string>();
  /** Why it is not the portal's any more. */
  #ended: Error | undefined;
  /** Runs while the host does not give the state. */
  #away: Disposable | undefined;
  /** The turn that is being started or runs. */
  #sending: string | undefined;
  #stopping: Promise<void> | undefined;
  /** What cancels turns, and has not been answered yet. */
  readonly #cancelling = new Set<Promise<unknown>>();
  #isOver = false;

  constructor(options: HostSessionOptions) {
    this.#options = options;
    this.id = options.id;
    this.uri = options.uri;
    this.#client = options.client;
    this.#session = options.client.session(options.uri);
    this.#decided = new DecidedCalls({
      client: options.client,
      onUnasked: ({ toolName, toolInput }) => {
        if (options.approve.length > 0) this.#didRunUnasked.fire({ name: toolName, input: toolInput, isByEntry: this.#isAsStarted });
      },
      onAnswer: (answer) => this.#didAnswer.fire(answer),
      onLook: (state, parent) => {
        if (this.#meter.look(state)) this.#didAct.fire();
        if (parent !== undefined) this.#tellOfSubagent(state, parent);
      },
      who: (id, clientId) => this.#who(id, clientId),
    });
    const first = (current: string | undefined) => {
      const { confirmed } = this.#session;
      return current ?? (confirmed && shownChat(confirmed));
    };
    this.#chats = follow(this.#session, first, (uri) => {
      this.#decided.follow(uri);
      const chat = options.client.chat(uri);
      chat.onDidChange((change) => this.#lookForSteering(steeredIn(change, this.#steered)));
      return chat;
    });
    this.#chats.onDidChange(() => this.#look());
    this.#look();
  }

  get #chat(): ChatModel | undefined {
    return this.#chats.model;
  }

  /** Its id. */
  get model(): string {
    // There it is the session's, for which its user may have chosen another one, and stands in the draft. Elsewhere it goes with each message.
    const chosen = this.#session.sessionHolds === 'one' ? this.#known?.chat?.draft?.model?.id : undefined;
    return typeof chosen === 'string' ? cut(chosen) : this.#options.model;
  }

  get folder(): string | undefined {
    return this.#options.folder;
  }

  /** The name of the host, where it is not the portal's own. */
  get host(): string | undefined {
    return this.#options.host;
  }

  get used(): SessionMeter['used'] {
    return this.#meter.used;
  }

  get isWaiting(): boolean {
    const { session } = this.#known ?? {};
    return this.#meter.isWaiting || (session?.inputNeeded ?? []).some(({ kind }) => kind === 'chatInput');
  }

  /** Whether the session has the setting with which it was to be started. */
  get hasItsSettings(): boolean {
    const { session } = this.#known ?? {};
    return session !== undefined && hasConfig(session, this.#options.config);
  }

  /** `waiting`: calls and questions of this session that wait for the user, without those of its subagents. */
  get overview(): { sessionId: string; uri: string; host?: string; title: string; isWorking: boolean; waiting: number } {
    const { session, chat } = this.#known ?? {};
    const calls = (chat?.activeTurn?.responseParts ?? []).filter(
      (part) => part.kind === 'toolCall' && /^pending-/.test((part as ToolCallPart).toolCall.status),
    );
    return {
      sessionId: this.id,
      uri: this.uri,
      ...(this.host !== undefined && { host: this.host }),
      title: session?.title ?? '',
      isWorking: chat?.activeTurn !== undefined,
      waiting: calls.length + (session?.inputNeeded ?? []).filter((one) => one.kind === 'chatInput' && one.chat === this.#chat?.uri).length,
    };
  }

  /** Resolves when the session takes a prompt. Rejects with why it cannot. */
  ready(signal: AbortSignal): Promise<void> {
    return this.#until(({ session: { lifecycle, creationError }, chat }) => {
      if (lifecycle === 'failed') throw new Error(creationError?.message ?? 'the session could not be created');
      // Hosts of today may start the agent with the first prompt.
      const takesPrompts = lifecycle === 'ready' || this.#session.sessionHolds !== 'one';
      return (takesPrompts && chat !== undefined) || undefined;
    }, signal).then(() => undefined);
  }

  /** Waits until no other turn runs: the user may be talking to the agent. */
  async send(prompt: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#send(prompt, signal);
    } catch (error) {
      throw errorAt(this.host, error);
    }
  }

  async #send(prompt: string, signal: AbortSignal): Promise<void> {
    await this.#until(({ chat }) => (chat && !chat.activeTurn && !chat.queuedMessages?.length) || undefined, signal);
    await this.#lend();
    signal.throwIfAborted();
    // It would be sent when the host is back, and nobody would wait for it then.
    if (!this.#isLive) throw new Error('the connection was lost before the prompt was sent');
    const turnId = randomUUID();
    this.#sending = turnId;
    const started = this.#start(turnId, prompt);
    // The turn can be cancelled only once the host has it.
    const cancel = () => {
      const cancelling = started.then(() => this.#cancel(turnId)).finally(() => this.#cancelling.delete(cancelling));
      this.#cancelling.add(cancelling);
    };
    signal.addEventListener('abort', cancel);
    try {
      const settlement = await this.#unlessEnded(started);
      if (settlement.kind !== 'confirmed') throw new Error(settlement.reason);
      const turn = await this.#until(({ chat }) => {
        if (!chat || chat.activeTurn?.id === turnId) return undefined;
        const over = chat.turns.findLast(({ id }) => id === turnId);
        if (!over) throw new SessionStoppedError('the turn was removed from the session');
        return over;
      }, signal);
      if (turn.state === 'cancelled') throw new SessionStoppedError('the turn was stopped by the user');
      if (turn.state !== 'complete') throw new Error(failureOf(turn)?.error.message ?? 'the turn has failed');
      const decided = withTimeout(this.#decided.settled(), SUBAGENT_TIMEOUT_MS, 'reading what subagents did');
      // What runs without asking must be known as a whole. Without that it is only a gap in the record, and the work is done.
      await (this.#options.approve.length > 0
        ? decided
        : decided.catch((error: unknown) => this.#options.logger.warn(`${this.uri}: ${englishOf(error)}`)));
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#sending = undefined;
    }
  }

  /** Begins a turn, or lets the message wait behind the one that runs. Returns why the host did not take it. */
  async query(prompt: string): Promise<string | undefined> {
    const chat = this.#chat;
    if (!chat) return 'The session has no chat yet.';
    const isBusy = chat.state?.activeTurn !== undefined || (chat.state?.queuedMessages?.length ?? 0) > 0;
    const id = randomUUID();
    if (isBusy) this.#queued.add(id);
    const settlement = await (isBusy ? chat.queue(this.#message(prompt), id).settled : this.#start(id, prompt));
    return settlement.kind === 'confirmed' ? undefined : settlement.reason;
  }

  async steer(text: string, by: string): Promise<string | undefined> {
    const chat = this.#chat;
    const { state } = chat ?? {};
    if (!chat || !state?.activeTurn || this.#ended) return NOTHING_RUNS;
    // It would be sent when the host is back, and nobody would wait for it then.
    if (!this.#isLive) return 'The agent host cannot be reached at the moment.';
    const id = randomUUID();
    const now = new Date(this.#options.clock.now()).toISOString();
    this.#steered.add(id);
    const told = this.#perform((at) => at.perform(send(state, this.#message(text), 'steer', id, now)));
    const settlement = await withTimeout(told, STEER_TIMEOUT_MS, 'telling the agent').catch((error: unknown) => {
      if (error instanceof TimeoutError) return { kind: 'rejected', reason: 'It is not known whether the agent was told.' } as const;
      throw error;
    });
    if (settlement.kind !== 'confirmed') return settlement.reason;
    this.#didAnswer.fire({ about: 'turn', answer: 'steered', by, input: cut(text) });
    return undefined;
  }

  async atRest(): Promise<void> {
    await Promise.all([...this.#cancelling, this.#stopping]);
  }

  /** Cancels what runs and takes the job tools back. The conversation stays in the host's list, as the record of what was done. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    this.#ended ??= new SessionStoppedError('the session was stopped');
    this.#didChange.fire();
    const { session, chat } = this.#known ?? {};
    const { host, onStopped } = this.#options;
    const asked: Promise<Settlement>[] = [];
    const turns = new Set(chat?.activeTurn ? [chat.activeTurn.id] : []);
    // A host that is away may have begun it.
    if (!this.#isLive && this.#sending !== undefined) turns.add(this.#sending);
    // The user may go on with the conversation, and then it asks as every session.
    const isApproved = Object.keys(this.#options.config).length > 0;
    const asks = isApproved ? this.#session.configure({ ...asking }).settled : undefined;
    if (asks) asked.push(asks);
    for (const { id } of chat?.queuedMessages ?? []) if (this.#chat && this.#queued.has(id)) asked.push(this.#chat.unsend(id).settled);
    for (const turnId of turns) asked.push(this.#cancel(turnId));
    if (session && this.#lends(session)) asked.push(this.#session.withdraw().settled);
    const all = Promise.all(asked);
    // What the end of the client leaves behind is not taken.
    void all.then(async () => {
      if (this.#client.state.kind !== 'closed') onStopped?.(asks === undefined || (await asks).kind === 'confirmed');
    });
    await (host === undefined ? all : withTimeout(all, STOP_ELSEWHERE_MS, 'stopping the session').catch(() => undefined));
    this.#look();
    this.#end(this.#ended);
  }

  /** The user may have taken the tools of the portal away, or the connection was lost. */
  async #lend(): Promise<void> {
    const { session } = this.#known ?? {};
    if (!session || this.#lends(session)) return;
    const [lender] = session.activeClients;
    if (lender && this.#session.sessionHolds === 'one')
      throw new Error(`${lender.displayName ?? 'another client'} lends its tools to the session, so the agent cannot call the job tools`);
    const settlement = await this.#unlessEnded(this.#session.lend(activeClient(this.#client)).settled);
    if (settlement.kind !== 'confirmed') throw new Error(settlement.reason);
  }

  #lends({ activeClients }: SessionState): boolean {
    return activeClients.some(({ clientId }) => clientId === this.#client.clientId);
  }

  #start(turnId: string, prompt: string): Promise<Settlement> {
    const startedAt = new Date(this.#options.clock.now()).toISOString();
    const traceparent = this.#options.traceparent?.();
    const message = { ...this.#message(prompt), ...(traceparent !== undefined && { _meta: { traceparent } }) };
    return this.#perform((chat) => chat.perform({ type: 'chat/turnStarted', turnId, startedAt, message }));
  }

  /** Where sessions hold several chats, they have no model of their own: it is chosen with each message. */
  #message(text: string): Message {
    const hasOwn = this.#session.sessionHolds === 'one';
    return { text, origin: { kind: 'user' }, ...(!hasOwn && { model: { id: this.#options.model } }) };
  }

  #cancel(turnId: string): Promise<Settlement> {
    return this.#perform((chat) => chat.stop(turnId));
  }

  #perform(how: (chat: ChatModel) => Dispatched): Promise<Settlement> {
    return this.#chat ? how(this.#chat).settled : Promise.resolve({ kind: 'rejected', reason: 'the session has no chat' });
  }

  #tellOfSubagent(state: ChatState, parent: string): void {
    const callbacks = this.#subagents.get(state.resource) ?? new SessionCallbacks({ parentToolCallId: parent });
    this.#subagents.set(state.resource, callbacks);
    for (const response of callbacks.update(state)) this.#options.tell(response);
  }

  get #known(): Known | undefined {
    const { confirmed } = this.#session;
    const chat = this.#chat?.confirmed;
    return confirmed && { session: confirmed, ...(chat && { chat }) };
  }

  /** What is known is how the host has it now. */
  get #isLive(): boolean {
    return this.#statuses.every(({ kind }) => kind === 'live');
  }

  get #statuses(): SubscriptionStatus[] {
    return [this.#session.status, ...(this.#chat ? [this.#chat.status] : [])];
  }

  #look(): void {
    const { chat } = this.#known ?? {};
    if (chat) {
      const told = this.#callbacks.update(chat, (turnId, call) => {
        if (call.status === 'running') this.#complete(turnId, call);
      });
      for (const response of told) this.#options.tell(response);
      this.#decided.look(chat);
      if (this.#options.allowJobTools && !this.#ended) this.#completeWaiting(chat);
    }
    this.#lookForSettings();
    for (const status of this.#statuses) {
      if (status.kind === 'removed') this.#end(new SessionStoppedError('the session was deleted'));
      else if (status.kind === 'failed') {
        // Another host that has started again may have forgotten it, which nobody has asked for.
        const message = `the session cannot be read: ${status.error.message}`;
        this.#end(this.host === undefined ? new SessionStoppedError(message) : new Error(message));
      }
    }
    this.#lookAway(this.#isLive);
    this.#didChange.fire();
  }

  #lookAway(isLive: boolean): void {
    const { lostAfterMs, clock } = this.#options;
    if (isLive || this.#ended || lostAfterMs === undefined) {
      this.#away?.dispose();
      this.#away = undefined;
    } else this.#away ??= clock.setTimer(() => this.#lost(lostAfterMs), lostAfterMs);
  }

  /** The agent may be working still. It is told to stop when the host is back. */
  #lost(afterMs: number): void {
    const { state } = this.#client;
    const why = state.kind === 'reconnecting' || state.kind === 'failed' ? `: ${state.reason.message}` : '';
    this.#ended ??= new Error(`the connection was lost, and was not back within ${afterMs / 1000} s${why}`);
    void this.stop();
  }

  /** A client may complete a call of its own tool that waits for the user: it says that no confirmation is needed. */
  #completeWaiting({ activeTurn }: ChatState): void {
    for (const part of activeTurn?.responseParts ?? []) {
      if (part.kind !== 'toolCall') continue;
      const { toolCall } = part as ToolCallPart;
      if (toolCall.status === 'pending-confirmation') this.#complete(activeTurn?.id ?? '', toolCall);
    }
  }

  /** A tool of ours does nothing but report its argument. */
  #complete(turnId: string, call: ToolCallState): void {
    const { toolCallId, toolName } = call;
    const isOurs = call.contributor?.kind === 'client' && call.contributor.clientId === this.#client.clientId;
    const key = decidedCallKey(turnId, toolCallId);
    if (!isOurs || this.#completed.has(key)) return;
    this.#completed.add(key);
    const input = inputOf(call);
    const argument = argumentOf(input);
    if (call.status === 'pending-confirmation' && this.#options.approve.includes('job-tools'))
      this.#didRunUnasked.fire({ name: toolName, input, isByEntry: true });
    this.#didStartTool.fire({ name: toolName, argument });
    void this.#perform((chat) => chat.complete({ turnId, toolCallId }, resultOf(argument)));
  }

  get #isAsStarted(): boolean {
    const { session } = this.#known ?? {};
    return session !== undefined && this.hasItsSettings && grantsOf(session).length === 0;
  }

  /** Somebody has changed what is done without asking. That it asks again at its end is the portal's doing. */
  #lookForSettings(): void {
    const { session } = this.#known ?? {};
    if (!session || this.#ended) return;
    const before = this.#unaskedBefore;
    const approvals = approvalsOf(session);
    const grants = grantsOf(session);
    this.#unaskedBefore = { approvals, grants: grants.map((one) => JSON.stringify(one)) };
    if (!before) return;
    const changed = [
      ...(approvals === before.approvals || approvals === undefined ? [] : [`the setting “approvals” is “${approvals}”`]),
      ...grants.filter((one) => !before.grants.includes(JSON.stringify(one))).map(grantWords),
    ];
    for (const option of changed) this.#didAnswer.fire({ about: 'setting', answer: 'changed', by: SOMEBODY, option });
  }

  /** In the page of the session, or elsewhere: a message does not say who has sent it. */
  #lookForSteering(texts: readonly string[]): void {
    if (this.#sending === undefined || this.#ended) return;
    for (const text of texts) this.#didAnswer.fire({ about: 'turn', answer: 'steered', by: SOMEBODY, input: cut(text) });
  }

  #who(id: string, clientId: string | undefined): string | undefined {
    const noted = () => this.#options.answerers.take(this.uri, id);
    if (clientId === undefined) return noted();
    if (clientId === this.#client.clientId) return noted() ?? 'the portal’s page';
    const client = this.#known?.session.activeClients.find((one) => one.clientId === clientId);
    // A client may call itself what it likes, also “the command line”.
    return client?.displayName === undefined
      ? 'another client of the agent host'
      : `the client ${JSON.stringify(oneLine(client.displayName, MAX_NAME))}`;
  }

  #end(reason: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ended ??= reason;
    this.#away?.dispose();
    // The end of their turns may not have come.
    for (const callbacks of [...this.#subagents.values(), this.#callbacks])
      for (const response of callbacks.close()) this.#options.tell(response);
    this.#chats.dispose();
    this.#session.dispose();
    this.#decided.dispose();
    this.#didChange.fire();
    this.#options.onEnd();
  }

  /** Settles like `promise`, which never rejects; rejects when the session ends before that. */
  #unlessEnded<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = () => this.#ended && reject(this.#ended);
      const listening = this.#didChange.event(look);
      void promise.then(resolve).finally(() => listening.dispose());
      look();
    });
  }

  /** The first value that is there. `look` is asked at each change. */
  #until<T>(look: (known: Known) => T | undefined, signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        listening.dispose();
        signal.removeEventListener('abort', check);
        end();
      };
      const check = () => {
        if (signal.aborted) return settle(() => reject(signal.reason));
        if (this.#ended) return settle(() => reject(this.#ended));
        try {
          const known = this.#known;
          // While the host is away, what is known is old.
          const value = known && this.#isLive ? look(known) : undefined;
          if (value !== undefined) settle(() => resolve(value));
        } catch (error) {
          settle(() => reject(error));
        }
      };
      const listening = this.#didChange.event(check);
      signal.addEventListener('abort', check);
      check();
    });
  }
}

export function activeClient({ clientId }: AgentHostClient): SessionActiveClient {
  return { clientId, displayName: 'Tapline portal', tools: lentJobTools };
}

function grantWords(grant: Grant): string {
  switch (grant.kind) {
    case 'command':
      return `the command ${JSON.stringify(grant.text)} may run`;
    case 'read':
    case 'write':
      return `${grant.kind === 'read' ? 'reading' : 'writing'} is allowed in ${grant.root}`;
    case 'url':
      return `pages of ${grant.origin} may be fetched`;
    case 'tool':
    case 'lentTool':
      return `the tool ${grant.name} may be called`;
    case 'everyCommand':
      return 'every command may run in this turn';
  }
}

function argumentOf(input: string): unknown {
  try {
    const value: unknown = JSON.parse(input);
    return isRecord(value) ? value['argument'] : undefined;
  } catch {
    return undefined;
  }
}

function resultOf(argument: unknown): ToolCallResult {
  if (typeof argument === 'string') return { success: true, pastTenseMessage: 'Reported', content: [{ type: 'text', text: argument }] };
  const message = 'The tool needs a text as its `argument`.';
  return { success: false, pastTenseMessage: message, error: { message } };
}
