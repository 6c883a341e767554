/** Turns and calls of a chat, as the bridge sees them. */
import type { ActiveTurn, ResponsePart, Turn } from '../../../ahp/channels/chat/state.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { StringOrMarkdown } from '../../../ahp/common/shapes.ts';
import type { ToolCallResult } from '../../../ahp/common/tools.ts';
import { RememberedChoice, RememberedLists } from '../../../ahp/common/remembered.ts';
import { listOf } from '../../../ahp/common/reducers/reducer.ts';
import type { HostedCall, HostedPart, HostedTurn } from './hostedSession.ts';

/** Several look at each state. */
const knownTurns = new WeakMap<ActiveTurn | Turn, HostedTurn>();

/** `chat`: as {@link HostedCall.chat}. */
export function hostedTurn(chat: string | undefined, turn: ActiveTurn | Turn): HostedTurn {
  let hosted = knownTurns.get(turn);
  if (!hosted) knownTurns.set(turn, (hosted = newTurn(chat, turn)));
  return hosted;
}

function newTurn(chat: string | undefined, turn: ActiveTurn | Turn): HostedTurn {
  const parts = hostedParts.of(withoutOpenEnd(listOf(turn.responseParts)), (part) => hostedPart(chat, turn.id, part));
  const { text, _meta } = turn.message;
  const traceparent = _meta?.['traceparent'];
  return { id: turn.id, text, ...(typeof traceparent === 'string' && { traceparent }), parts, isOver: 'state' in turn };
}

const hostedParts = new RememberedLists<ResponsePart, HostedPart>();

const callsNotOver = new RememberedChoice((part: HostedPart) => (part.kind === 'call' && !isOver(part.call) ? part.call : undefined));

/** The calls of a turn that are not over. Of a long turn that is nearly none. */
export function openCallsOf(turn: HostedTurn | undefined): readonly HostedCall[] {
  return turn ? callsNotOver.of(turn.parts) : [];
}

function isOver({ status }: HostedCall): boolean {
  return status === 'done' || status === 'failed';
}

/** A call of a turn, also one that is over. */
export function callOf(turn: HostedTurn | undefined, callId: string): HostedCall | undefined {
  for (const part of turn?.parts ?? []) if (part.kind === 'call' && part.call.callId === callId) return part.call;
  return undefined;
}

/** Open questions at the end are not where they stay: AHP v1 does not say where they were asked, and forgets them. */
function withoutOpenEnd(parts: readonly ResponsePart[]): readonly ResponsePart[] {
  let end = parts.length;
  while (end > 0 && isOpenQuestion(parts[end - 1])) end--;
  return end === parts.length ? parts : parts.slice(0, end);
}

function isOpenQuestion(part: ResponsePart | undefined): boolean {
  return part?.kind === 'inputRequest' && 'request' in part && part.response === undefined;
}

/** A part that did not change is the same object, so that a long turn costs no more with each word. */
const known = new WeakMap<ResponsePart, HostedPart>();

function hostedPart(chat: string | undefined, turnId: string, part: ResponsePart): HostedPart {
  let hosted = known.get(part);
  if (!hosted) known.set(part, (hosted = newPart(chat, turnId, part)));
  return hosted;
}

function newPart(chat: string | undefined, turnId: string, part: ResponsePart): HostedPart {
  if (part.kind === 'markdown' && 'content' in part) return { kind: 'text', text: part.content };
  if (part.kind === 'toolCall' && 'toolCall' in part) return { kind: 'call', call: hostedCall(chat, turnId, part.toolCall) };
  return { kind: 'other' };
}

export function hostedCall(chat: string | undefined, turnId: string, call: ToolCallState): HostedCall {
  const { contributor } = call;
  const input = 'toolInput' in call ? call.toolInput : undefined;
  return {
    chat,
    turnId,
    callId: call.toolCallId,
    toolName: call.toolName,
    clientId: contributor?.kind === 'client' && 'clientId' in contributor ? contributor.clientId : undefined,
    input: typeof input === 'string' ? input : undefined,
    isInputElsewhere: typeof input === 'object',
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
