/** What the host does, as spans. It follows the actions of the store, and asks nobody. No prompt, argument or result is in a span. */
import type { StateAction } from '../../ahp/channels/actions.ts';
import type { ChatAction } from '../../ahp/channels/chat/actions.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import { modelCallIn } from '../../ahp/common/modelCalls.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { SpanAttribute, type SpanAttributes, type TelemetrySpan } from '../../ahp/telemetry/telemetryAttributes.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { newSpanIds, parseTraceparent, type SpanIds } from '../../base/traces/traceparent.ts';
import type { AddedChannel, DispatchedAction, StateStore } from '../state/stateStore.ts';

/** Characters of what agents and clients name. */
const MAX_TEXT = 500;
/** Of a turn: an agent that never ends its calls must not fill the memory. */
const MAX_OPEN = 500;

interface OpenSpan {
  readonly ids: SpanIds;
  readonly parent: SpanIds | undefined;
  readonly name: string;
  readonly start: number;
  readonly attributes: SpanAttributes;
}

interface OpenTurn {
  readonly id: string;
  readonly span: OpenSpan;
  /** Names of tools, by the id of their call, until that is over. */
  readonly tools: Map<string, string>;
  /** Calls that run or wait for somebody, by kind and id. */
  readonly open: Map<string, OpenSpan>;
}

type CallKind = 'execute_tool' | 'wait_for_user';

export class HostSpans implements Disposable {
  readonly #store = new DisposableStore();
  readonly #didEnd = this.#store.add(new Emitter<TelemetrySpan>());
  /** A span is over. */
  readonly onDidEnd = this.#didEnd.event;
  /** By chat. */
  readonly #turns = new Map<URI, OpenTurn>();
  readonly #creating = new Map<URI, OpenSpan>();

  constructor(private readonly states: StateStore) {
    this.#store.add(states.onDidAdd((added) => this.#added(added)));
    this.#store.add(states.onDidDelete((channel) => this.#deleted(channel)));
    this.#store.add(states.onDidDispatch((dispatched) => this.#follow(dispatched)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #added({ channel, kind, state }: AddedChannel): void {
    if (kind !== 'session' || state.lifecycle !== 'creating') return;
    const attributes = { [SpanAttribute.session]: cut(channel), [SpanAttribute.agent]: cut(state.provider) };
    this.#creating.set(channel, begun('create_session', this.states.now, undefined, attributes));
  }

  #deleted(channel: URI): void {
    this.#creating.delete(channel);
    this.#turns.delete(channel);
  }

  #follow({ kind, session, envelope, at, before }: DispatchedAction): void {
    const { channel, action, rejectionReason } = envelope;
    if (rejectionReason !== undefined) return;
    if (kind === 'session') this.#followSession(channel, action, at);
    else if (kind === 'chat') this.#followChat({ chat: channel, session, at, before: before as ChatState }, action as ChatAction);
  }

  #followSession(session: URI, action: StateAction, at: number): void {
    const creating = this.#creating.get(session);
    if (!creating || (action.type !== 'session/ready' && action.type !== 'session/creationFailed')) return;
    this.#creating.delete(session);
    this.#end(creating, at, action.type === 'session/ready' ? undefined : cut(action.error.errorType));
  }

  #followChat(place: { chat: URI; session: URI | undefined; at: number; before: ChatState }, action: ChatAction): void {
    const { chat, at } = place;
    if (action.type === 'chat/turnStarted') return this.#begin(place, action.turnId, action.message._meta?.['traceparent']);
    if (action.type === 'chat/turnResume') {
      const resumed = place.before.turns.findLast(({ id }) => id === action.turnId);
      return this.#begin(place, action.turnId, resumed?.message._meta?.['traceparent']);
    }
    const turn = this.#turns.get(chat);
    if (!turn) return;
    switch (action.type) {
      case 'chat/turnComplete':
        return this.#endTurn(chat, turn, at);
      case 'chat/turnCancelled':
        return this.#endTurn(chat, turn, at, 'cancelled');
      case 'chat/error':
        return this.#endTurn(chat, turn, at, cut(action.part.error.errorType));
      case 'chat/toolCallStart':
        if (turn.tools.size < MAX_OPEN) turn.tools.set(action.toolCallId, cut(action.toolName));
        return;
      case 'chat/toolCallReady':
        return this.#open(turn, action.confirmed === undefined ? 'wait_for_user' : 'execute_tool', action.toolCallId, at);
      case 'chat/toolCallConfirmed':
        this.#close(turn, 'wait_for_user', action.toolCallId, at, { more: { [SpanAttribute.approved]: action.approved } });
        if (action.approved) this.#open(turn, 'execute_tool', action.toolCallId, at);
        else turn.tools.delete(action.toolCallId);
        return;
      case 'chat/toolCallComplete': {
        const error = action.result.success ? undefined : cut(action.result.error?.code ?? 'failed');
        this.#close(turn, 'wait_for_user', action.toolCallId, at, {});
        this.#close(turn, 'execute_tool', action.toolCallId, at, { error });
        if (action.requiresResultConfirmation) this.#open(turn, 'wait_for_user', action.toolCallId, at);
        else turn.tools.delete(action.toolCallId);
        return;
      }
      case 'chat/toolCallResultConfirmed':
        turn.tools.delete(action.toolCallId);
        return this.#close(turn, 'wait_for_user', action.toolCallId, at, { more: { [SpanAttribute.approved]: action.approved } });
      case 'chat/inputRequested':
        return this.#open(turn, 'wait_for_user', action.request.id, at);
      case 'chat/inputCompleted':
        return this.#close(turn, 'wait_for_user', action.requestId, at, {});
      case 'chat/usage':
        return this.#modelCall(turn, action._meta, at);
      default:
    }
  }

  #begin(
    { chat, session, at, before }: { chat: URI; session: URI | undefined; at: number; before: ChatState },
    id: string,
    given: unknown,
  ) {
    const interrupted = this.#turns.get(chat);
    if (interrupted) this.#endTurn(chat, interrupted, at, 'interrupted');
    const parent = parseTraceparent(given) ?? this.#callAbove(before);
    const attributes = {
      ...(session !== undefined && { [SpanAttribute.session]: cut(session) }),
      [SpanAttribute.chat]: cut(chat),
      [SpanAttribute.turn]: cut(id),
    };
    this.#turns.set(chat, { id, span: begun('turn', at, parent, attributes), tools: new Map(), open: new Map() });
  }

  /** The turn of a subagent is below the call that has started it. */
  #callAbove({ origin }: ChatState): SpanIds | undefined {
    if (origin?.kind !== 'tool' || !('toolCallId' in origin)) return undefined;
    return this.#turns.get(origin.chat)?.open.get(keyOf('execute_tool', origin.toolCallId))?.ids;
  }

  #endTurn(chat: URI, turn: OpenTurn, at: number, error?: string): void {
    this.#turns.delete(chat);
    for (const span of turn.open.values()) this.#end(span, at, 'turn_ended');
    this.#end(turn.span, at, error);
  }

  /** `id`: of a call or a question. */
  #open(turn: OpenTurn, kind: CallKind, id: string, at: number): void {
    const key = keyOf(kind, id);
    if (turn.open.has(key) || turn.open.size >= MAX_OPEN) return;
    const tool = turn.tools.get(id);
    const ofTool = tool !== undefined && { [SpanAttribute.tool]: tool, [SpanAttribute.call]: cut(id) };
    const attributes = { ...inTurn(turn), ...ofTool };
    turn.open.set(key, begun(tool === undefined ? kind : `${kind} ${tool}`, at, turn.span.ids, attributes));
  }

  #close(
    turn: OpenTurn,
    kind: CallKind,
    id: string,
    at: number,
    { more, error }: { more?: SpanAttributes; error?: string | undefined },
  ): void {
    const key = keyOf(kind, id);
    const span = turn.open.get(key);
    if (!span) return;
    turn.open.delete(key);
    this.#end({ ...span, attributes: { ...span.attributes, ...more } }, at, error);
  }

  #modelCall(turn: OpenTurn, meta: Record<string, unknown> | undefined, at: number): void {
    const call = modelCallIn(meta);
    if (!call) return;
    const { model, durationMs, inputTokens, outputTokens, error } = call;
    const start = Math.max(turn.span.start, at - durationMs);
    const attributes = {
      ...inTurn(turn),
      ...(model !== undefined && { [SpanAttribute.model]: cut(model) }),
      ...(inputTokens !== undefined && { [SpanAttribute.inputTokens]: inputTokens }),
      ...(outputTokens !== undefined && { [SpanAttribute.outputTokens]: outputTokens }),
    };
    const span = begun(model === undefined ? 'chat' : `chat ${cut(model)}`, start, turn.span.ids, attributes);
    this.#end(span, at, error === undefined ? undefined : cut(error), true);
  }

  #end({ ids, parent, name, start, attributes }: OpenSpan, at: number, error?: string, isToOthers = false): void {
    this.#didEnd.fire({
      ...{ traceId: ids.traceId, spanId: ids.spanId, name, start, end: Math.max(start, at), attributes },
      ...(parent && { parentSpanId: parent.spanId }),
      ...(error !== undefined && { error }),
      ...(isToOthers && { isToOthers }),
    });
  }
}

function begun(name: string, start: number, parent: SpanIds | undefined, attributes: SpanAttributes): OpenSpan {
  return { ids: newSpanIds(parent), parent, name, start, attributes };
}

function inTurn({ span }: OpenTurn): SpanAttributes {
  return span.attributes;
}

function keyOf(kind: CallKind, id: string): string {
  return `${kind} ${id}`;
}

function cut(text: string): string {
  return text.slice(0, MAX_TEXT);
}
