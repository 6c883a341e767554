/** What the live interface tells of a session, in the words of `ICopilotSessionCallbacks`: the differences between its states. */
import type { ChatState, ResponsePart, Turn } from '../../ahp/channels/chat/state.ts';
import type { ToolCallState } from '../../ahp/channels/shapes/toolCall.ts';
import type { ToolResultContent, ToolResultFileEditContent } from '../../ahp/common/tools.ts';
import { isRecord } from '../../base/isRecord.ts';
import { failureOf } from '../../views/session/transcript/transcript.ts';
import type { LiveEvent } from '../live/liveEvents.ts';
import { plainText } from '../../views/text/inlineText.ts';

export type SessionResponse = LiveEvent<'session'>;
type PlayedTurn = NonNullable<ChatState['activeTurn']>;

/** What was told of a part. */
interface ToldPart {
  hasStarted: boolean;
  hasEnded: boolean;
  /** Of a text part, or of the content of a tool call. */
  text: string;
}

interface ToldTurn {
  id: string;
  /** As it was seen last. */
  seen: PlayedTurn;
  parts: ToldPart[];
  /** All parts before it have ended. */
  firstOpen: number;
}

export class SessionCallbacks {
  readonly #parent: { parentToolCallId: string } | undefined;
  /** Ids of turns that have ended. */
  readonly #ended = new Set<string>();
  #turn: ToldTurn | undefined;

  /** `parent`: the call that has started the subagent whose chat it is. Then only its calls are told, because nothing else names its parent. */
  constructor(parent?: { parentToolCallId: string }) {
    this.#parent = parent;
  }

  /** In order. `toolStarted` is called for each tool that runs now, before those after it are looked at. */
  update(state: ChatState, toolStarted: (turnId: string, call: ToolCallState) => void = () => undefined): SessionResponse[] {
    const told: SessionResponse[] = [];
    const { turns, activeTurn } = state;
    let from = turns.length;
    while (from > 0 && !this.#ended.has(turns[from - 1]?.id ?? '')) from--;
    for (const turn of turns.slice(from)) {
      this.#tell(turn, told, toolStarted);
      this.#end(turn, told);
    }
    if (turns.length > from && !activeTurn && !state.queuedMessages?.length) told.push({ callback: 'onIdle' });
    if (activeTurn) this.#tell(activeTurn, told, toolStarted);
    return this.#parent ? ofCalls(told, this.#parent) : told;
  }

  /** Nothing more is heard of the session: its calls have ended for who is told of them. */
  close(): SessionResponse[] {
    const told: SessionResponse[] = [];
    const { seen, parts = [] } = this.#turn ?? {};
    for (const [at, part] of (seen?.responseParts ?? []).entries())
      if (part.kind === 'toolCall') endCall(part, parts[at], told, NOTHING_MORE);
    this.#turn = undefined;
    return told;
  }

  #tell(turn: PlayedTurn, told: SessionResponse[], toolStarted: (turnId: string, call: ToolCallState) => void): void {
    if (this.#turn?.id !== turn.id) {
      this.#turn = { id: turn.id, seen: turn, parts: [], firstOpen: 0 };
      told.push({ callback: 'onAgentStart', turnId: turn.id });
    }
    const current = this.#turn;
    current.seen = turn;
    const { responseParts } = turn;
    for (let at = current.firstOpen; at < responseParts.length; at++) {
      const part = responseParts[at];
      const known = (current.parts[at] ??= { hasStarted: false, hasEnded: false, text: '' });
      if (!part || known.hasEnded) continue;
      // Text is only ever added to the last part.
      tellPart(part, known, at < responseParts.length - 1, told, (call) => toolStarted(turn.id, call));
    }
    while (current.parts[current.firstOpen]?.hasEnded) current.firstOpen++;
  }

  #end(turn: Turn, told: SessionResponse[]): void {
    for (const [at, part] of turn.responseParts.entries()) {
      const known = this.#turn?.parts[at];
      if (!known || known.hasEnded) continue;
      if (part.kind === 'toolCall') endCall(part, known, told);
      else tellPart(part, known, true, told, () => undefined);
    }
    if (turn.state === 'error') told.push({ sessionError: failureOf(turn)?.error.message ?? 'The turn has failed.' });
    told.push({ callback: 'onAgentEnd', turnId: turn.id });
    this.#ended.add(turn.id);
    this.#turn = undefined;
  }
}

function ofCalls(told: readonly SessionResponse[], parent: { parentToolCallId: string }): SessionResponse[] {
  return told.flatMap((response): SessionResponse[] => {
    if (!('callback' in response)) return [];
    if (response.callback === 'onStartToolExecution') return [{ ...response, ...parent }];
    return response.callback === 'onToolExecution' || response.callback === 'onEndToolExecution' ? [response] : [];
  });
}

function tellPart(
  part: ResponsePart,
  known: ToldPart,
  isComplete: boolean,
  told: SessionResponse[],
  toolStarted: (call: ToolCallState) => void,
): void {
  if (part.kind === 'markdown' || part.kind === 'reasoning') {
    const { id, content } = part as { id: string; content: string };
    const { start, more, end } = part.kind === 'markdown' ? ofMessage(id) : ofReasoning(id);
    if (!known.hasStarted) told.push(start());
    known.hasStarted = true;
    if (content.length > known.text.length) told.push(more(content.slice(known.text.length)));
    known.text = content;
    if (isComplete) told.push(end(content));
    known.hasEnded = isComplete;
  } else if (part.kind === 'toolCall') tellCall(callOf(part), known, told, toolStarted);
  else known.hasEnded = true;
}

/** What is told of a text as it comes. */
interface TextEvents {
  start(): SessionResponse;
  more(delta: string): SessionResponse;
  end(completeContent: string): SessionResponse;
}

const ofMessage = (messageId: string): TextEvents => ({
  start: () => ({ callback: 'onStartMessage', messageId }),
  more: (delta) => ({ callback: 'onMessage', messageId, delta }),
  end: (completeContent) => ({ callback: 'onEndMessage', messageId, completeContent }),
});
const ofReasoning = (reasoningId: string): TextEvents => ({
  start: () => ({ callback: 'onStartReasoning', reasoningId }),
  more: (delta) => ({ callback: 'onReasoning', reasoningId, delta }),
  end: (completeContent) => ({ callback: 'onEndReasoning', reasoningId, completeContent }),
});

function tellCall(call: ToolCallState, known: ToldPart, told: SessionResponse[], toolStarted: (call: ToolCallState) => void): void {
  const { toolCallId, status } = call;
  const runs = status === 'running' || status === 'pending-result-confirmation' || status === 'completed';
  if (runs && !known.hasStarted) {
    known.hasStarted = true;
    const toolArguments = argumentsOf(call);
    told.push({ callback: 'onStartToolExecution', toolCallId, toolName: call.toolName, toolArguments });
    toolStarted(call);
  }
  if (status === 'running') {
    const text = textOf((call as Extract<ToolCallState, { status: 'running' }>).content);
    if (text === known.text) return;
    const delta = text.startsWith(known.text) ? text.slice(known.text.length) : text;
    told.push({ callback: 'onToolExecution', toolCallId, delta });
    known.text = text;
  } else if (status === 'completed') {
    const { success, content, error } = call as Extract<ToolCallState, { status: 'completed' }>;
    const text = textOf(content);
    const detailedContent = detailsOf(call);
    const result = success ? { content: text, ...(detailedContent !== '' && { detailedContent }) } : undefined;
    told.push(toolEnd(call, result, success ? undefined : { message: error?.message ?? text, ...(error?.code && { code: error.code }) }));
    known.hasEnded = true;
  } else if (status === 'cancelled') {
    // It may never have started: then it was denied.
    const { reason, reasonMessage } = call as Extract<ToolCallState, { status: 'cancelled' }>;
    const message = reasonMessage === undefined ? reason : plainText(reasonMessage);
    told.push(toolEnd(call, undefined, { message, code: reason }));
    known.hasEnded = true;
  }
}

/** With its turn. */
const TURN_ENDED = { message: 'The turn has ended.', code: 'turn-ended' };
/** The call may go on at the host. */
const NOTHING_MORE = { message: 'Nothing more is heard of the session.', code: 'session-ended' };

function endCall(part: ResponsePart, known: ToldPart | undefined, told: SessionResponse[], why = TURN_ENDED): void {
  if (known?.hasStarted && !known.hasEnded) told.push(toolEnd(callOf(part), undefined, why));
}

function toolEnd(
  { toolCallId }: ToolCallState,
  result: { content: string; detailedContent?: string } | undefined,
  error: { message: string; code?: string } | undefined,
): SessionResponse {
  return { callback: 'onEndToolExecution', toolCallId, ...(result && { result }), ...(error && { error }) };
}

/** `''` while it is not known, and where the host does not send it along. */
export function inputOf(call: ToolCallState): string {
  const { toolInput } = call as { toolInput?: unknown };
  return typeof toolInput === 'string' ? toolInput : '';
}

/** The input as a JSON object, also where the host sends a command line or another text. */
function argumentsOf(call: ToolCallState): string {
  const input = inputOf(call);
  if (input === '') return '{}';
  try {
    if (isRecord(JSON.parse(input))) return input;
  } catch {
    // It is a text.
  }
  const { toolKind } = (call._meta ?? {}) as { toolKind?: unknown };
  return JSON.stringify({ [toolKind === 'terminal' ? 'command' : 'input']: input });
}

/** What a result has beside its text: the files that were changed, and content that is structured. */
function detailsOf(call: ToolCallState): string {
  const { content = [], structuredContent } = call as Extract<ToolCallState, { status: 'completed' }>;
  const files = content.flatMap((item) => {
    if (item.type !== 'fileEdit') return [];
    const { before, after, diff } = item as ToolResultFileEditContent;
    const names = [before?.uri, after?.uri].filter((uri) => uri !== undefined);
    const counts = diff === undefined ? '' : ` (+${diff.added ?? 0} −${diff.removed ?? 0})`;
    return [`${[...new Set(names)].join(' → ')}${counts}`];
  });
  return [...files, ...(structuredContent === undefined ? [] : [JSON.stringify(structuredContent)])].join('\n');
}

function callOf(part: ResponsePart): ToolCallState {
  return (part as Extract<ResponsePart, { kind: 'toolCall' }>).toolCall;
}

function textOf(content: readonly ToolResultContent[] = []): string {
  return content.flatMap((item) => (item.type === 'text' ? [(item as { text: string }).text] : [])).join('\n');
}
