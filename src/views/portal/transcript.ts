/** A session as the portal's live interface tells it. */
import { oneLine } from '../text/oneLine.ts';
import { shownText } from './shownText.ts';

interface Part {
  /** Of what the later responses about it name. Parts without such have `''`. */
  id: string;
}
export type TranscriptPart = Part &
  (
    | { kind: 'prompt'; text: string; isOwn: boolean }
    /** `text` is Markdown of a model. */
    | { kind: 'message'; text: string }
    | { kind: 'reasoning'; text: string }
    | { kind: 'tool'; name: string; input: string; output: string; status: 'Running' | 'Succeeded' | 'Failed'; problem?: string }
    | { kind: 'error'; text: string }
  );

export interface TranscriptState {
  parts: readonly TranscriptPart[];
  /** How many older parts are not shown any more. */
  dropped: number;
}

export const emptyTranscript: TranscriptState = { parts: [], dropped: 0 };

const MAX_PARTS = 300;
/** Of a message. */
const MAX_TEXT = 200_000;

/** What cannot be shown changes nothing. */
export function withResponse(state: TranscriptState, response: Readonly<Record<string, unknown>>): TranscriptState {
  const value = (key: string) => (typeof response[key] === 'string' ? response[key] : '');
  const add = (part: TranscriptPart) => limited({ ...state, parts: [...state.parts, part] });
  const text = (kind: 'message' | 'reasoning', id: string, change: (before: string) => string) =>
    changed(state, id, (part) => (part.kind === kind ? { ...part, text: cut(change(part.text)) } : part));
  if ('sessionError' in response) return add({ kind: 'error', id: '', text: shownText(value('sessionError')) });
  switch (response['callback']) {
    case 'onGeneratedUserPrompt':
      return add({ kind: 'prompt', id: '', text: shownText(value('prompt')), isOwn: false });
    case 'onStartMessage':
      return add({ kind: 'message', id: value('messageId'), text: '' });
    case 'onMessage':
      return text('message', value('messageId'), (before) => before + value('delta'));
    case 'onEndMessage':
      return text('message', value('messageId'), () => value('completeContent'));
    case 'onStartReasoning':
      return add({ kind: 'reasoning', id: value('reasoningId'), text: '' });
    case 'onReasoning':
      return text('reasoning', value('reasoningId'), (before) => before + value('delta'));
    case 'onEndReasoning':
      return text('reasoning', value('reasoningId'), () => value('completeContent'));
    case 'onStartToolExecution': {
      const name = oneLine(value('toolName'));
      return add({ kind: 'tool', id: value('toolCallId'), name, input: shownText(value('toolArguments')), output: '', status: 'Running' });
    }
    case 'onToolExecution':
      return changed(state, value('toolCallId'), (part) =>
        part.kind === 'tool' ? { ...part, output: shownText(part.output + value('delta')) } : part,
      );
    case 'onEndToolExecution':
      return withToolEnd(state, value('toolCallId'), response);
    case undefined:
      return response['error'] === 'EventsDropped'
        ? add({ kind: 'error', id: '', text: `${Number(response['dropped'])} events are not kept any more.` })
        : state;
    default:
      return state;
  }
}

/** What the user has said on this page. The live interface does not repeat it. */
export function withOwnPrompt(state: TranscriptState, text: string): TranscriptState {
  return limited({ ...state, parts: [...state.parts, { kind: 'prompt', id: '', text: shownText(text), isOwn: true }] });
}

function withToolEnd(state: TranscriptState, id: string, { error, result }: Readonly<Record<string, unknown>>): TranscriptState {
  const message = (error as { message?: unknown } | undefined)?.message;
  const content = (result as { content?: unknown } | undefined)?.content;
  const end =
    error === undefined
      ? { status: 'Succeeded' as const, ...(typeof content === 'string' && { output: shownText(content) }) }
      : { status: 'Failed' as const, problem: shownText(String(message ?? 'No reason was given.')) };
  const known = state.parts.some((part) => part.kind === 'tool' && part.id === id);
  // One that was denied has never started.
  if (!known) return limited({ ...state, parts: [...state.parts, { kind: 'tool', id, name: 'A tool', input: '', output: '', ...end }] });
  return changed(state, id, (part) => (part.kind === 'tool' ? { ...part, ...end } : part));
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** The last part with the id. */
function changed(state: TranscriptState, id: string, change: (part: TranscriptPart) => TranscriptPart): TranscriptState {
  const at = state.parts.findLastIndex((part) => part.id === id && id !== '');
  const part = state.parts[at];
  return part ? { ...state, parts: state.parts.with(at, change(part)) } : state;
}

function limited({ parts, dropped }: TranscriptState): TranscriptState {
  const over = Math.max(0, parts.length - MAX_PARTS);
  return { parts: over > 0 ? parts.slice(over) : parts, dropped: dropped + over };
}
