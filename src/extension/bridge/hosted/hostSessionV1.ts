/** A session at a host of protocol version 1, where one client at a time lends tools. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { HookServer } from '../../../ahp/client/hookServer.ts';
import { hasHooks } from '../../../ahp/hookRequests.ts';
import type { AgentHostClient } from '../../../ahp/client/agentHostClient.ts';
import type { Settlement, Subscription } from '../../../ahp/client/resources/subscription.ts';
import type { StringOrMarkdown } from '../../../ahp/v1/common.ts';
import type { ActiveTurn, ResponsePart, SessionAction, SessionState, Turn } from '../../../ahp/v1/session.ts';
import type { ToolCallResult, ToolCallState, ToolDefinition } from '../../../ahp/v1/toolCall.ts';
import { listOf } from '../../../ahp/common/reducers/reducer.ts';
import { Emitter } from '../../../base/event.ts';
import { DisposableStore } from '../../../base/lifecycle.ts';
import { sessionTitle } from '../../../views/sessionList/sessionItem.ts';
import { wellFormedSession } from '../../../views/wellFormedV1.ts';
import type { HostedCall, HostedPart, HostedSession, HostedTurn, HostQuestions, HostSession } from './hostSession.ts';

/** What other clients call us. */
const DISPLAY_NAME = 'Tapline';

type Body<A> = A extends SessionAction ? Omit<A, 'session'> : never;

export class HostSessionV1 implements HostSession {
  readonly clientId: string;
  readonly #store = new DisposableStore();
  readonly #subscription: Subscription<SessionState>;
  readonly #didChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#didChange.event;
  #state: HostedSession | undefined;

  constructor(
    private readonly client: AgentHostClient,
    private readonly uri: string,
    /** Absent: the host is not answered. */
    private readonly hooks?: HookServer,
    /** A call is about to be denied by a rule. */
    private readonly onDeny?: (call: Pick<HostedCall, 'turnId' | 'callId'>) => void,
  ) {
    this.clientId = client.clientId;
    this.#subscription = this.#store.add(client.subscribeSession(uri));
    this.#store.add(
      this.#subscription.onDidChange(() => {
        this.#state = undefined;
        this.#didChange.fire();
      }),
    );
  }

  get state(): HostedSession {
    return (this.#state ??= this.#look());
  }

  get lastTurn(): HostedTurn | undefined {
    const { activeTurn, turns } = this.#confirmed ?? {};
    const last = activeTurn ?? turns?.at(-1);
    return last && hostedTurn(last);
  }

  turnsAfter(turnId: string | undefined): readonly HostedTurn[] | undefined {
    const { activeTurn, turns = [] } = this.#confirmed ?? {};
    if (turnId !== undefined && activeTurn?.id === turnId) return [];
    const at = turns.findLastIndex(({ id }) => id === turnId);
    if (turnId !== undefined && at < 0) return undefined;
    return [...turns.slice(at + 1), ...(activeTurn ? [activeTurn] : [])].map(hostedTurn);
  }

  turn(turnId: string): HostedTurn | undefined {
    const { activeTurn, turns = [] } = this.#confirmed ?? {};
    const found = activeTurn?.id === turnId ? activeTurn : turns.findLast(({ id }) => id === turnId);
    return found && hostedTurn(found);
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
    const activeClient = { clientId: this.clientId, displayName: DISPLAY_NAME, tools: [...tools] };
    return this.#dispatch({ type: 'session/activeClientChanged', activeClient });
  }

  /** Some hosts take a new client only where there is none. */
  takeOver(tools: readonly ToolDefinition[]): Promise<Settlement> {
    this.#unset();
    return this.lend(tools);
  }

  announce(tools: readonly ToolDefinition[]): Promise<Settlement> {
    return this.#dispatch({ type: 'session/activeClientToolsChanged', tools: [...tools] });
  }

  withdraw(): void {
    if (this.state.lender?.clientId === this.clientId) this.#unset();
  }

  report({ turnId, callId }: HostedCall, text: string): void {
    void this.#dispatch({ type: 'session/toolCallContentChanged', turnId, toolCallId: callId, content: [{ type: 'text', text }] });
  }

  complete({ turnId, callId }: HostedCall, result: ToolCallResult): Promise<Settlement> {
    return this.#dispatch({ type: 'session/toolCallComplete', turnId, toolCallId: callId, result });
  }

  deny({ turnId, callId }: HostedCall, reason: string): Promise<Settlement> {
    this.onDeny?.({ turnId, callId });
    const denial = { approved: false, reason: 'denied', reasonMessage: reason } as const;
    return this.#dispatch({ type: 'session/toolCallConfirmed', turnId, toolCallId: callId, ...denial });
  }

  send(text: string): Promise<Settlement> {
    const message = { userMessage: { text } };
    return this.state.isIdle
      ? this.#dispatch({ type: 'session/turnStarted', turnId: randomUUID(), ...message })
      : this.#dispatch({ type: 'session/pendingMessageSet', kind: 'queued', id: randomUUID(), ...message });
  }

  dispose(): void {
    this.#store.dispose();
  }

  get #confirmed(): SessionState | undefined {
    const { confirmed } = this.#subscription;
    return confirmed && wellFormedSession(confirmed);
  }

  #unset(): void {
    void this.#dispatch({ type: 'session/activeClientChanged', activeClient: null });
  }

  #dispatch(action: Body<SessionAction>): Promise<Settlement> {
    const { settled } = this.client.dispatch(this.uri, { ...action, session: this.uri } as SessionAction);
    this.#state = undefined; // it shows at once
    return settled;
  }

  #look(): HostedSession {
    const { status, state } = this.#subscription;
    const confirmed = this.#confirmed;
    if (!state || !confirmed) return { ...nothing, status: status.kind === 'loading' ? 'loading' : 'gone' };
    const ahead = wellFormedSession(state);
    const { summary, activeClient } = ahead;
    const isReady = ahead.lifecycle === 'ready';
    return {
      status: status.kind === 'failed' || status.kind === 'removed' ? 'gone' : status.kind,
      label: sessionTitle(summary),
      cwd: pathOf(summary.workingDirectory),
      isIdle: status.kind === 'live' && isReady && !ahead.activeTurn && listOf(ahead.queuedMessages).length === 0,
      isReady,
      hasTurns: ahead.turns.length > 0 || ahead.activeTurn !== undefined,
      agentTools: listOf(confirmed.serverTools).map(({ name }) => name),
      activity: confirmed.summary.activity,
      lender: activeClient && { clientId: activeClient.clientId, name: activeClient.displayName ?? activeClient.clientId },
      turn: confirmed.activeTurn && hostedTurn(confirmed.activeTurn),
    };
  }
}

const nothing: Omit<HostedSession, 'status'> = {
  label: '',
  cwd: undefined,
  isIdle: false,
  isReady: false,
  hasTurns: false,
  agentTools: [],
  activity: undefined,
  lender: undefined,
  turn: undefined,
};

function pathOf(uri: string | undefined): string | undefined {
  try {
    return uri?.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined; // a path of another kind of system
  }
}

function hostedTurn(turn: ActiveTurn | Turn): HostedTurn {
  return {
    id: turn.id,
    text: turn.userMessage.text,
    parts: listOf(turn.responseParts).map((part) => hostedPart(turn.id, part)),
    isOver: 'state' in turn,
  };
}

/** A part that did not change is the same object, so that a long turn costs no more with each word. */
const known = new WeakMap<ResponsePart, HostedPart>();

function hostedPart(turnId: string, part: ResponsePart): HostedPart {
  const hosted = known.get(part) ?? newPart(turnId, part);
  known.set(part, hosted);
  return hosted;
}

function newPart(turnId: string, part: ResponsePart): HostedPart {
  if (part.kind === 'markdown' && 'content' in part) return { kind: 'text', text: part.content };
  if (part.kind === 'toolCall' && 'toolCall' in part) return { kind: 'call', call: hostedCall(turnId, part.toolCall) };
  return { kind: 'other' };
}

function hostedCall(turnId: string, call: ToolCallState): HostedCall {
  return {
    turnId,
    callId: call.toolCallId,
    toolName: call.toolName,
    clientId: call.toolClientId,
    input: 'toolInput' in call ? call.toolInput : undefined,
    ...endOf(call),
  };
}

function endOf(call: ToolCallState): Pick<HostedCall, 'status' | 'output'> {
  switch (call.status) {
    case 'pending-confirmation':
      return { status: 'waiting', output: undefined };
    case 'running':
      return { status: 'running', output: undefined };
    case 'pending-result-confirmation':
    case 'completed':
      return { status: call.success ? 'done' : 'failed', output: textOfResult(call) };
    case 'cancelled':
      return { status: 'failed', output: call.reasonMessage === undefined ? call.reason : plain(call.reasonMessage) };
    default:
      return { status: 'starting', output: undefined };
  }
}

function textOfResult({ content, error }: ToolCallResult): string {
  const texts = listOf(content).flatMap((part) => (part.type === 'text' && 'text' in part ? [part.text] : []));
  return texts.join('\n') || (error?.message ?? '');
}

function plain(words: StringOrMarkdown): string {
  return typeof words === 'string' ? words : words.markdown;
}
