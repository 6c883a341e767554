/** Turns as rows, in stream order. Unchanged rows are the same objects as before, so that they are not rendered again. */
import * as l10n from '../../../base/l10n.ts';
import type { ActiveTurn, ChatState, ErrorResponsePart, ResponsePart, Turn } from '../../../ahp/channels/chat/state.ts';
import type { Message } from '../../../ahp/channels/shapes/message.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { InputRequest } from '../../../ahp/common/inputRequest.ts';
import type { ContentRef, ErrorInfo, StringOrMarkdown, UsageInfo } from '../../../ahp/common/shapes.ts';

export type Row =
  | { kind: 'markdown'; key: string; text: string }
  /** `running`: the agent is reasoning now. */
  | { kind: 'reasoning'; key: string; id: string; text: string; running: boolean }
  | { kind: 'toolCall'; key: string; call: ToolCallState }
  | { kind: 'resource'; key: string; resource: ContentRef }
  /** `response`: how it was answered. Absent while it is open. */
  | { kind: 'question'; key: string; request: InputRequest; response?: string }
  /** Of the host, to the user. */
  | { kind: 'notice'; key: string; text: StringOrMarkdown }
  /** A part that this protocol version does not have, shown as JSON. */
  | { kind: 'unknown'; key: string; label: string; json: string };

export interface TurnView {
  id: string;
  message: Message;
  rows: readonly Row[];
  /** `running`, or how the turn ended. Unknown states are passed on. */
  state: string;
  error?: ErrorInfo;
  /** How long it took, as its host says; absent where it does not. */
  durationMs?: number;
  usage?: UsageInfo;
}

const pastTurns = new WeakMap<readonly Turn[], readonly TurnView[]>();
const turns = new WeakMap<ActiveTurn, TurnView>();
const rows = new WeakMap<ResponsePart, Row>();

/** Past turns and the active one, oldest first. Memoised by the identity of the state objects, as are the turns. */
export function turnViews({ turns: past, activeTurn }: ChatState): readonly TurnView[] {
  let views = pastTurns.get(past);
  if (!views) pastTurns.set(past, (views = past.map(pastView)));
  return activeTurn ? [...views, turnView(activeTurn, 'running')] : views;
}

/** The last of them. However many there are before, they cost nothing. */
export function lastTurnViews({ turns: past, activeTurn }: ChatState, count: number): readonly TurnView[] {
  const running = activeTurn && count > 0 ? [turnView(activeTurn, 'running')] : [];
  return [...past.slice(Math.max(0, past.length - count + running.length)).map(pastView), ...running];
}

const pastView = (turn: Turn) => turnView(turn, turn.state);

function turnView(turn: Turn | ActiveTurn, state: string): TurnView {
  const known = turns.get(turn);
  if (known) return known;
  const last = turn.responseParts.length - 1;
  const error = failureOf(turn)?.error;
  const duration = 'duration' in turn ? turn.duration : undefined;
  const view: TurnView = {
    id: turn.id,
    message: turn.message,
    rows: turn.responseParts.flatMap((part, index) =>
      part.kind === 'error' ? [] : [rowOf(part, index, state === 'running' && index === last)],
    ),
    state,
    ...(error && { error }),
    ...(duration !== undefined && { durationMs: duration }),
    ...(turn.usage && { usage: turn.usage }),
  };
  turns.set(turn, view);
  return view;
}

/** How a turn failed. */
export function failureOf({ responseParts }: Turn | ActiveTurn): ErrorResponsePart | undefined {
  return responseParts.findLast((part) => part.kind === 'error') as ErrorResponsePart | undefined;
}

function rowOf(part: ResponsePart, index: number, running: boolean): Row {
  const known = rows.get(part);
  if (known && (known.kind !== 'reasoning' || known.running === running)) return known;
  const row = newRow(part, index, running);
  rows.set(part, row);
  return row;
}

function newRow(part: ResponsePart, index: number, running: boolean): Row {
  switch (part.kind) {
    case 'markdown':
      return { kind: 'markdown', key: `m:${part.id}`, text: part.content };
    case 'reasoning':
      return { kind: 'reasoning', key: `r:${part.id}`, id: part.id, text: part.content, running };
    case 'toolCall':
      return { kind: 'toolCall', key: `c:${part.toolCall.toolCallId}`, call: part.toolCall };
    case 'contentRef':
      return { kind: 'resource', key: `i:${index}`, resource: part };
    case 'inputRequest': {
      const { request, response } = part;
      return { kind: 'question', key: `q:${request.id}`, request, ...(response !== undefined && { response }) };
    }
    case 'systemNotification':
      return { kind: 'notice', key: `i:${index}`, text: part.content };
    default:
      return { kind: 'unknown', key: `i:${index}`, label: unknownLabel('part', part.kind), json: JSON.stringify(part, undefined, 2) };
  }
}

/** For example "Unknown part (kind)". */
export function unknownLabel(what: 'part' | 'end' | 'content' | 'question', tag: unknown): string {
  const kind = typeof tag === 'string' ? tag : l10n.t('no kind');
  switch (what) {
    case 'part':
      return l10n.t`Unknown part (${kind})`;
    case 'end':
      return l10n.t`Unknown end (${kind})`;
    case 'content':
      return l10n.t`Unknown content (${kind})`;
    case 'question':
      return l10n.t`Unknown question (${kind})`;
  }
}

/** What the agent wrote in a turn, as Markdown. Empty when it wrote nothing. */
export function answerOf({ rows }: Pick<TurnView, 'rows'>): string {
  return rows.flatMap((row) => (row.kind === 'markdown' && row.text.trim() !== '' ? [row.text.trim()] : [])).join('\n\n');
}
