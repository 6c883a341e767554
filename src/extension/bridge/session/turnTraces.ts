/** The spans of a session's turns and of what they wait for, as this window sees them. The calls of lent tools are the gateway's. */
import type { ReceivedSpan } from '../../../ahp/telemetry/receivedSpans.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { sha256 } from '../../../base/node/sha256.ts';
import { type ToldSpanInput, TraceLimit } from '../../../tap/wire/traces/toldSpan.ts';
import { formatTraceparent, newSpanIds, parseTraceparent, type SpanIds } from '../../../base/traces/traceparent.ts';
import type { HostedCall, HostedTurn, HostSession } from '../hosted/hostedSession.ts';
import type { TurnMemory } from '../storage/turnMemory.ts';
import { JoinedSpans } from '../traces/joinedSpans.ts';

/** What the user's settings say. */
export interface TraceChoice {
  readonly isOn: boolean;
  /** Prompts are in spans as well. */
  readonly hasContent: boolean;
}

export interface TurnTracesOptions {
  /** Of the session at the gateway. */
  readonly sessionId: string;
  readonly host: HostSession;
  readonly memory: TurnMemory;
  readonly choice: () => TraceChoice;
  readonly tell: (spans: readonly ToldSpanInput[]) => void;
  readonly clock: Clock;
}

interface OpenCall {
  readonly call: HostedCall;
  readonly kind: 'wait_for_user' | 'execute_tool';
  readonly start: number;
}

interface OpenTurn {
  readonly id: string;
  readonly ids: SpanIds;
  readonly parent: SpanIds | undefined;
  readonly start: number;
  readonly text: string;
  readonly calls: Map<string, OpenCall>;
}

/** Messages that were sent and began no turn that we have seen. */
const MAX_INJECTED = 10;

export class TurnTraces implements Disposable {
  #turn: OpenTurn | undefined;
  /** While the spans of the host are read. */
  #reading: Disposable | undefined;
  readonly #joined = new JoinedSpans();
  readonly #injected = new Map<string, SpanIds>();

  constructor(private readonly options: TurnTracesOptions) {}

  /** The turn that begins with this message is below that span. */
  injected(text: string, traceparent: string | undefined): void {
    const ids = parseTraceparent(traceparent);
    if (!ids) return;
    this.#injected.set(text, ids);
    const [oldest] = this.#injected.keys();
    if (this.#injected.size > MAX_INJECTED && oldest !== undefined) this.#injected.delete(oldest);
  }

  /** What a call of the turn is below. Undefined where its turn is not followed, as in other chats. */
  traceparentOf({ turnId }: Pick<HostedCall, 'turnId'>): string | undefined {
    return this.#turn?.id === turnId ? formatTraceparent(this.#turn.ids) : undefined;
  }

  /** Call it after every change of the session's state. */
  update(): void {
    const { host, choice } = this.options;
    const { isOn } = choice();
    if (!isOn) this.dispose();
    else this.#reading ??= host.readSpans((spans) => this.#join(spans));
    if (!isOn) this.#turn = undefined;
    else if (host.state.status === 'live') this.#follow();
  }

  dispose(): void {
    this.#reading?.dispose();
    this.#reading = undefined;
  }

  #join(spans: readonly ReceivedSpan[]): void {
    const { host, choice, tell } = this.options;
    const joined = this.#joined.join(spans, choice().hasContent, (span) => host.isOwnSpan(span));
    if (joined.length > 0) tell(joined);
  }

  #follow(): void {
    const { turn, calls } = this.options.host.state;
    if (this.#turn && this.#turn.id !== turn?.id) this.#end(this.#turn);
    if (!turn) return;
    const open = (this.#turn ??= this.#begin(turn));
    const own = calls.filter(({ turnId }) => turnId === turn.id);
    this.#followCalls(open, own);
  }

  #begin({ id, text, traceparent }: HostedTurn): OpenTurn {
    const { sessionId, clock, memory } = this.options;
    const before = memory.get(sessionId, id);
    const parent = this.#injected.get(text) ?? parseTraceparent(before?.parent ?? traceparent);
    this.#injected.delete(text);
    const start = before?.start ?? clock.now();
    if (!before) memory.began(sessionId, { turnId: id, start, ...(parent && { parent: formatTraceparent(parent) }) });
    // The same in every window, and after each reload.
    const hash = sha256(JSON.stringify([sessionId, id]));
    const own = { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48), isSampled: true };
    const ids = parent ? { ...parent, spanId: own.spanId } : own;
    this.#joined.began(id, { ids, parent });
    return { id, ids, parent, start, text, calls: new Map() };
  }

  #followCalls({ ids, calls }: OpenTurn, now: readonly HostedCall[]): void {
    const open = new Map<string, Omit<OpenCall, 'start'>>();
    for (const call of now) for (const kind of this.#kindOf(call)) open.set(`${kind} ${call.callId}`, { call, kind });
    const over = [...calls].filter(([key]) => !open.has(key));
    for (const [key] of over) calls.delete(key);
    if (over.length > 0) this.options.tell(over.map(([, call]) => this.#spanOf(call, ids)));
    for (const [key, call] of open) if (!calls.has(key)) calls.set(key, { ...call, start: this.options.clock.now() });
  }

  #kindOf({ status, clientId }: HostedCall): OpenCall['kind'][] {
    if (status === 'waiting') return ['wait_for_user'];
    return status === 'running' && clientId !== this.options.host.clientId ? ['execute_tool'] : [];
  }

  #spanOf({ call, kind, start }: OpenCall, turn: SpanIds): ToldSpanInput {
    const { host, clock } = this.options;
    const { traceId, spanId } = newSpanIds(turn);
    const hasFailed = kind === 'execute_tool' && host.callNow(call)?.status === 'failed';
    const tool = call.toolName.slice(0, TraceLimit.textLength);
    return {
      traceId,
      spanId,
      parentSpanId: turn.spanId,
      name: `${kind} ${tool}`.slice(0, TraceLimit.nameLength),
      start,
      end: Math.max(start, clock.now()),
      attributes: { 'gen_ai.tool.name': tool, 'gen_ai.tool.call.id': call.callId.slice(0, TraceLimit.textLength) },
      ...(hasFailed && { error: 'failed' }),
    };
  }

  #end(turn: OpenTurn): void {
    const { sessionId, clock, choice, memory, tell } = this.options;
    this.#turn = undefined;
    memory.ended(sessionId);
    this.#followCalls(turn, []);
    const { traceId, spanId } = turn.ids;
    const content = choice().hasContent && { 'tapline.content.prompt': turn.text.slice(0, TraceLimit.contentLength) };
    tell([
      {
        traceId,
        spanId,
        ...(turn.parent && { parentSpanId: turn.parent.spanId }),
        name: 'turn',
        start: turn.start,
        end: Math.max(turn.start, clock.now()),
        attributes: { 'tapline.turn.id': turn.id.slice(0, TraceLimit.textLength), ...content },
      },
    ]);
  }
}
