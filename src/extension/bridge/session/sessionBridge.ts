/** One session between its agent host and the gateway: registered there while no other client lends it tools, and lent the tools of its providers. */
import { reasonText } from '../../../ahp/client/resources/subscription.ts';
import * as l10n from '../../../base/l10n.ts';
import type { Clock } from '../../../base/clock.ts';
import { withContext } from '../../../base/text/contextBlock.ts';
import { messageOf } from '../../../base/errors.ts';
import { Emitter } from '../../../base/event.ts';
import { type Disposable, DisposableStore } from '../../../base/lifecycle.ts';
import type { Logger } from '../../../base/log.ts';
import { sameJson } from '../../../base/sameJson.ts';
import { isSameProvider } from '../../../tap/wire/trust.ts';
import type { CallProvider } from '../../../views/session/toolCall/callProvider.ts';
import type { TimelineRow } from '../../../views/session/transcript/timelineRows.ts';
import type { OfferedTool, OwnerEvents, StreamDump, ToolOutcome } from '../../../tap/wire/owner/ownerMessages.ts';
import type { HostedCall, HostedSections, HostedSession, HostSession } from '../hosted/hostedSession.ts';
import type { CallSpan, OnAsk, OwnedSession, OwnerClient } from '../../../tap/owner/ownerClient.ts';
import type { CallMemory } from '../storage/callMemory.ts';
import type { ProviderMemory } from '../storage/providerMemory.ts';
import type { TurnMemory } from '../storage/turnMemory.ts';
import type { AskUser } from '../../questions/toolQuestions.ts';
import { isGatewaysOwn } from '../tools/ownProvider.ts';
import { type Selection, selectTools } from '../tools/selectTools.ts';
import type { ToolSwitches } from '../tools/toolSwitches.ts';
import { CallProviders } from './callProviders.ts';
import { CallError, CallRelay, type LentTools, lostCall, type Pause } from './callRelay.ts';
import { Gates } from './gates.ts';
import { GatewaySession, type Push, type SessionFacts } from './gatewaySession.ts';
import { Lender } from './lender.ts';
import type { Lending } from './lending.ts';
import { Prompts } from './prompts.ts';
import { SessionEvents } from './sessionEvents.ts';
import { Timeline } from './timeline.ts';
import { type TraceChoice, TurnTraces } from './turnTraces.ts';

export interface SessionBridgeOptions {
  /** Of the session in this window, for what is remembered. */
  key: string;
  /** Of the session at the gateway: the same in every window, and after each reload. */
  sessionId: string;
  host: HostSession;
  owner: OwnerClient;
  switches: ToolSwitches;
  memory: CallMemory;
  providerMemory: ProviderMemory;
  turnMemory: TurnMemory;
  /** Whether there are to be traces. */
  traces: () => TraceChoice;
  /** Asks the user for a tool that runs. */
  ask: AskUser;
  clock: Clock;
  logger: Logger;
}

const LABEL_LENGTH = 500;
/** It is on this computer. */
const GATEWAY_TIMEOUT_MS = 5_000;

export class SessionBridge implements Disposable {
  readonly timeline = new Timeline();
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  /** `lending`, `offered`, `selection`, `owned`, `isAtGateway` or `cwd` changed. */
  readonly onDidChange = this.#didChange.event;
  readonly #didChangeCallProviders = this.#store.add(new Emitter<void>());
  /** With each call, so that only who shows them follows it. */
  readonly onDidChangeCallProviders = this.#didChangeCallProviders.event;
  readonly #gateway: GatewaySession;
  readonly #lender: Lender;
  readonly #relay: CallRelay;
  readonly #callProviders: CallProviders;
  readonly #gates: Gates;
  readonly #events: SessionEvents;
  readonly #traces: TurnTraces;
  readonly #prompts = new Prompts();
  #selection: Selection = { tools: [], leftOut: [] };
  #selectedFrom: readonly unknown[] = [];
  #lentOf: { offered: readonly OfferedTool[]; tools: Selection['tools']; count: number } | undefined;
  #isForeground = false;
  #lending: Lending = { kind: 'waiting', for: 'session' };
  #place: readonly unknown[] = [undefined, undefined, undefined];
  #isUpdating = false;
  #hasChanged = false;
  readonly #warned = new Set<string>();

  constructor(private readonly options: SessionBridgeOptions) {
    const { key: session, sessionId, host, owner, switches, memory, providerMemory, clock, logger } = options;
    this.#store.add(host);
    this.#gateway = this.#store.add(
      new GatewaySession({ sessionId, owner, neededCalls: () => this.#relay.needed, answers: host.answers, clock, logger }),
    );
    this.#lender = this.#store.add(
      new Lender({
        host,
        clock,
        onChange: () => this.#update(),
        onRefused: (reason) => this.#warn(l10n.t`The host did not take our tools: ${reason}`),
      }),
    );
    this.#callProviders = new CallProviders(host, session, providerMemory);
    this.#relay = this.#store.add(
      new CallRelay({
        session,
        host,
        memory,
        clock,
        logger,
        tools: {
          ready: (call, signal) => this.#ready(call, signal),
          call: (...call) => this.#call(...call),
          resume: (...call) => this.#gateway.resume(...call),
          settled: (keptAs) => this.#gateway.settled(keptAs),
        },
        onProgress: ({ callId }, provider, text) => this.#show({ kind: 'progress', provider, callId, text }),
        onTakenUp: () => this.#update(),
      }),
    );
    this.#gates = this.#store.add(
      new Gates({
        host,
        clock,
        evaluate: (call, args, waits) =>
          this.#gateway
            [waits ? 'askSoon' : 'ask']((owned) => owned.evaluateHooks(call.toolName, args, this.#spanOf(call)))
            .catch((error: unknown) =>
              this.#warn(l10n.t`The rules of the providers could not be asked about ${call.toolName}: ${messageOf(error)}`),
            ),
        onContext: (context) => this.#prompts.addFromHook(context),
        onDenied: ({ toolName, callId }, { provider, reason = '' }, inTime) => {
          const text = inTime
            ? l10n.t`Denied ${toolName}. ${reason}`
            : l10n.t`Denied ${toolName} too late, because the call had been decided already. ${reason}`;
          this.#show({ kind: 'gate', callId, ...(provider !== undefined && { provider }), text: text.trim() });
        },
      }),
    );
    host.serve({ mayRun: (...question) => this.#gates.mayRun(...question), sections: (current) => this.#sections(current) });
    this.#traces = this.#store.add(
      new TurnTraces({
        sessionId,
        host,
        memory: options.turnMemory,
        choice: options.traces,
        tell: (spans) => this.registered?.tellSpans(spans),
        clock,
      }),
    );
    this.#events = new SessionEvents({
      host,
      clock,
      tell: (...event) => this.#gateway.event(...event),
      providerOf: (tool) => this.offered.find(({ name }) => name === tool)?.provider,
    });
    this.#store.add(host.onDidChange(() => this.#update()));
    this.#store.add(switches.onDidChange(() => this.#update()));
    this.#store.add(this.#gateway.onPush((push) => this.#receive(push)));
    this.#store.add(
      this.#gateway.onDidChange(() => {
        this.#update();
        this.#didChange.fire();
      }),
    );
    this.#update();
  }

  /** Who this window is to the host. */
  get clientId(): string {
    return this.options.host.clientId;
  }
  /** Its id at the gateway. */
  get sessionId(): string {
    return this.options.sessionId;
  }
  get title(): string {
    return this.options.host.state.label;
  }
  get isForeground(): boolean {
    return this.#isForeground;
  }
  get lending(): Lending {
    return this.#lending;
  }
  /** The session at the gateway, for as long as this window wants it there; the gateway may be away. */
  get owned(): OwnedSession | undefined {
    return this.#gateway.owned;
  }
  /** The same, while the gateway has it. */
  get registered(): OwnedSession | undefined {
    return this.#gateway.registered;
  }
  /** Where the agent works, as far as it is a path of this kind of system. */
  get cwd(): string | undefined {
    return this.options.host.state.cwd;
  }
  /** All tools that the gateway has for the session. */
  get offered(): readonly OfferedTool[] {
    return this.#gateway.offered ?? [];
  }
  /** Providers may connect to it now. */
  get isAtGateway(): boolean {
    return this.registered !== undefined;
  }
  /** Of the calls that were seen here, the newest last. Another list after each change. */
  get callProviders(): readonly CallProvider[] {
    return this.#callProviders.shown;
  }
  /** Which of them the agent is told of. */
  get selection(): Selection {
    return this.#selection;
  }

  /** The user looks at this session. */
  setForeground(isForeground: boolean): void {
    if (isForeground === this.#isForeground) return;
    this.#isForeground = isForeground;
    this.#update();
  }

  /** Lends our tools in place of another client's, and says what became of it. Only for a user who asks for it. */
  async lendHere(): Promise<Lending> {
    const known = this.#lender.takeOver(this.#selection.tools);
    this.#update();
    await known;
    await this.#gatewayHeard();
    return this.#lending;
  }

  /** The gateway gets the session only once we lend there, and its tools are known when it has it. Waits for that, but not for long. */
  async #gatewayHeard(): Promise<void> {
    let listening: Disposable | undefined;
    let timer: Disposable | undefined;
    await new Promise<void>((resolve) => {
      const look = () => {
        const lending = this.#lending;
        if (lending.kind !== 'waiting' || lending.for !== 'gateway' || lending.error !== undefined) resolve();
      };
      listening = this.#didChange.event(look);
      timer = this.options.clock.setTimer(resolve, GATEWAY_TIMEOUT_MS);
      look();
    });
    listening?.dispose();
    timer?.dispose();
  }

  /** The user's message with what the providers add in front of it. Never rejects. */
  preparePrompt(text: string): Promise<string> {
    return this.#prompts.prepare(
      text,
      // A host that asks first gets them as sections.
      async () => (this.#isAskedFirst ? undefined : this.#gateway.ask((owned) => owned.evaluateTransforms())),
      (error) => this.#warn(l10n.t`A message went without what the providers add: ${messageOf(error)}`),
    );
  }

  /** The newest events of each stream; none while the gateway is away. */
  async streams(last: number): Promise<StreamDump[]> {
    return (await this.#gateway.ask((owned) => owned.streams(last))) ?? [];
  }

  /**
   * Runs a tool for the user, also when it is switched off, and without the rules, which are for the agent's calls. Throws a
   * {@link CallError} when the provider does not offer the tool any more.
   */
  run(tool: OfferedTool, ...[args, signal, onProgress]: [unknown, AbortSignal, (message: string) => void]): Promise<ToolOutcome> {
    const now = this.offered.find(({ name }) => name === tool.name);
    if (!now || !isSameProvider(now, tool))
      throw new CallError(l10n.t`${tool.provider} does not offer the tool ${tool.name} to this session any more.`, 'NOT_FOUND');
    return this.#gateway.call(tool.name, args, signal, onProgress, now, undefined, this.#asker(tool.name)).catch((error: unknown) => {
      throw lostCall(error);
    });
  }

  get #isAskedFirst(): boolean {
    const { host } = this.options;
    return host.asksFirst && host.state.lender?.clientId === host.clientId;
  }

  async #sections(current: Readonly<Record<string, string>>): Promise<HostedSections> {
    try {
      const parts = await this.#gateway.ask((owned) => owned.evaluateTransforms({ ...current }));
      if (parts) return this.#prompts.sections(parts);
    } catch (error) {
      this.#warn(l10n.t`A turn began without what the providers add: ${messageOf(error)}`);
    }
    return { sections: [], context: [], startup: [] };
  }

  /** Withdraws the tools and ends what runs, with the reason for the model. */
  close(reason: string): void {
    this.#relay.stop(reason);
    this.options.host.withdraw();
    this.#gateway.end();
    this.dispose();
  }

  /** The host has gone, or the window goes: calls that run go on, and are taken up by who comes back. */
  leave(): void {
    this.#gateway.leave();
    this.dispose();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Looking at the state may tell of changes: they are followed after the look, not in the middle of it. */
  #update(): void {
    this.#hasChanged = true;
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    try {
      while (this.#hasChanged && !this.#store.isDisposed) {
        this.#hasChanged = false;
        this.#follow();
      }
    } finally {
      this.#isUpdating = false;
    }
  }

  #follow(): void {
    const { state } = this.options.host;
    if (state.status !== 'loading') this.#gateway.follow(this.#factsOf(state));
    this.#selection = this.#select(state);
    this.#lender.follow(state, this.#gateway.offered && this.#selection.tools);
    const { shown } = this.#callProviders;
    this.#callProviders.update(this.offered);
    if (this.#callProviders.shown !== shown) this.#didChangeCallProviders.fire();
    // Before the calls, which are below it.
    this.#traces.update();
    const { isTakingUp } = this.#relay;
    this.#relay.update();
    if (this.#relay.isTakingUp !== isTakingUp) this.#hasChanged = true;
    this.#gates.update();
    this.#events.update();
    this.#tellPlace();
    this.#tellLending(this.#lendingNow(this.options.host.state));
  }

  /**
   * Undefined where the gateway is not to have the session of this window: it is not there, or another client lends it tools, which may be another
   * window of ours. A client that came while this window was being loaded again takes no call from it.
   */
  #factsOf({ status, isReady, lender, label, cwd, isIdle }: HostedSession): SessionFacts | undefined {
    const isOurs = !lender || lender.clientId === this.options.host.clientId || this.#relay.isTakingUp;
    if (!isReady || status === 'gone' || !isOurs) return undefined;
    return { label: label.slice(0, LABEL_LENGTH), cwd, foreground: this.#isForeground, idle: isIdle };
  }

  #select({ agentTools }: HostedSession): Selection {
    const { switches } = this.options;
    const from = [this.#gateway.offered, agentTools, switches.revision];
    if (from.every((value, index) => value === this.#selectedFrom[index])) return this.#selection;
    this.#selectedFrom = from;
    const selection = selectTools(this.offered, agentTools, (tool) => switches.of(tool));
    for (const { tool, why } of selection.leftOut) {
      if (why === 'taken')
        this.#warn(l10n.t`The tool ${tool.name} of ${tool.provider} is left out: the agent has a tool of that name itself.`);
      if (why === 'tooLarge')
        this.#warn(l10n.t`The tool ${tool.name} of ${tool.provider} is left out: its parameters are too large for the host.`);
    }
    return selection;
  }

  #lendingNow({ status, lender }: HostedSession): Lending {
    if (lender && lender.clientId !== this.options.host.clientId) return { kind: 'otherClient', name: lender.name };
    const { refusal: reason } = this.#lender;
    if (reason !== undefined) return { kind: 'refused', reason };
    if (status !== 'live') return { kind: 'waiting', for: 'session' };
    const { error, offered } = this.#gateway;
    if (error !== undefined) return { kind: 'waiting', for: 'gateway', error };
    if (!offered || !lender) return { kind: 'waiting', for: 'gateway' };
    return { kind: 'lending', tools: this.#lent(offered), leftOut: this.#selection.leftOut.length };
  }

  /** How many tools are lent that are not the gateway's own. */
  #lent(offered: readonly OfferedTool[]): number {
    const { tools } = this.#selection;
    if (this.#lentOf?.offered !== offered || this.#lentOf.tools !== tools) {
      const own = new Set(offered.flatMap(({ name, provider, trust }) => (isGatewaysOwn(provider, trust) ? [name] : [])));
      this.#lentOf = { offered, tools, count: tools.filter(({ name }) => !own.has(name)).length };
    }
    return this.#lentOf.count;
  }

  #tellPlace(): void {
    const place = [this.owned, this.registered, this.cwd];
    if (place.every((value, index) => value === this.#place[index])) return;
    this.#place = place;
    this.#didChange.fire();
  }

  #tellLending(lending: Lending): void {
    if (sameJson(lending, this.#lending)) return;
    this.#lending = lending;
    this.#didChange.fire();
  }

  async #ready(call: HostedCall, signal: AbortSignal): Promise<OfferedTool> {
    const tool = await this.#gateway.tool(call.toolName, signal);
    this.#check(call, tool);
    return tool;
  }

  /** Checked once more, because the tool or its switch may have changed while the call was being kept. */
  #call(...[call, args, pause, keptAs, signal, onProgress]: Parameters<LentTools['call']>): Promise<ToolOutcome> {
    const tool = this.offered.find(({ name }) => name === call.toolName);
    // eslint-disable-next-line texts/translated -- for the model
    if (!tool) throw new CallError(`There is no tool ${call.toolName} any more: its provider has gone.`, 'NOT_FOUND');
    this.#check(call, tool);
    const asker = this.#asker(call.toolName, pause);
    return this.#gateway.call(call.toolName, args, signal, onProgress, tool, keptAs, asker, this.#spanOf(call));
  }

  #spanOf(call: Pick<HostedCall, 'turnId' | 'callId'>): CallSpan {
    const traceparent = this.#traces.traceparentOf(call);
    return traceparent === undefined ? {} : { traceparent, hostCallId: call.callId };
  }

  #asker(tool: string, pause?: Pause): OnAsk {
    return async (question, provider, over) => {
      const paused = pause?.();
      try {
        return await this.options.ask({ tool, provider, session: this.title, question }, over);
      } finally {
        paused?.dispose();
      }
    };
  }

  /** Throws a {@link CallError} unless the user has allowed the tool, and it is of the provider that the call was made for. */
  #check(call: HostedCall, tool: OfferedTool): void {
    this.#callProviders.check(call, tool);
    const state = this.options.switches.of(tool);
    if (state === 'on') return;
    // eslint-disable-next-line texts/translated -- for the model
    throw new CallError(`The user has not allowed the tool ${call.toolName} (${state}). It was not called.`, 'UNAUTHORIZED');
  }

  #receive({ event, params }: Push): void {
    if (event === 'push/inject') return this.#inject(params);
    if (event === 'push/dropped')
      return this.#show({
        kind: 'dropped',
        provider: params.provider,
        text: l10n.t('sends more events than the gateway takes. Some are lost.'),
      });
    const { provider, stream, event: text, level, paused, emitter } = params;
    const from = emitter === undefined ? { provider, stream } : { emitter };
    this.#show({ kind: 'push', ...from, text, ...(level === 'inject' && { injects: true }), ...(paused && { paused }) });
  }

  #inject({ provider, stream, text, isPrompt, traceparent }: OwnerEvents['push/inject']): void {
    this.#gateway.setBusy();
    const part = { kind: 'push', provider, name: stream } as const;
    const message = isPrompt ? withContext([{ ...part, content: '' }], text) : withContext([{ ...part, content: text }], '');
    this.#traces.injected(message, traceparent);
    void this.options.host.send(message, traceparent).then((settlement) => {
      if (settlement.kind === 'rejected') this.#warn(l10n.t`An event of ${provider} did not begin a turn: ${reasonText(settlement)}`);
      this.#update();
    });
  }

  #show(row: Omit<TimelineRow, 'id' | 'at' | 'after'>): void {
    const { lastTurn } = this.options.host;
    const after = lastTurn && { turnId: lastTurn.id, ...(!lastTurn.isOver && { parts: lastTurn.parts.length }) };
    this.timeline.add({ ...row, at: this.options.clock.now(), ...(after && { after }) });
  }

  /** Each once. */
  #warn(text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    this.options.logger.warn(text);
    this.#show({ kind: 'warning', text });
  }
}
