/** What can be found of a turn: its prompt, the agent's answers, and the titles and commands of its calls, as a user reads them. */
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import { markdownTexts } from '../../text/markdown/markdownText.ts';
import { plainText } from '../../text/inlineText.ts';
import { toolCallLabel, toolCallView } from '../toolCall/toolCallView.ts';
import { messageView } from '../transcript/messageView.ts';
import type { Row, TurnView } from '../transcript/transcript.ts';
import { foldedText, GAP } from './foldedText.ts';
import { PROMPT } from './promptKey.ts';

export interface SearchPart {
  /** {@link PROMPT}, or the key of a row. */
  key: string;
  text: string;
}

/** In characters: of a longer part only the beginning is searched. */
const MAX_PART = 2_000_000;

const prompts = new WeakMap<TurnView, string>();
const texts = new WeakMap<Row, string>();

/** Their texts are folded. One at a time, because a row may take long. Memoised, as turns and rows are. */
export function* searchParts(turn: TurnView): Generator<SearchPart> {
  yield { key: PROMPT, text: promptOf(turn) };
  for (const row of turn.rows) yield { key: row.key, text: textOf(row) };
}

function promptOf(turn: TurnView): string {
  const known = prompts.get(turn);
  if (known !== undefined) return known;
  const text = foldedText(messageView(turn.message).words.slice(0, MAX_PART));
  prompts.set(turn, text);
  return text;
}

function textOf(row: Row): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const text = foldedText(wordsOf(row).join(GAP).slice(0, MAX_PART));
  texts.set(row, text);
  return text;
}

function wordsOf(row: Row): string[] {
  switch (row.kind) {
    case 'markdown':
      return markdownTexts(row.text.slice(0, MAX_PART));
    case 'notice':
      return [plainText(row.text)];
    case 'toolCall':
      return wordsOfCall(row.call);
    default:
      return [];
  }
}

/** What is waited for has a card, which shows the tool and its input. */
function wordsOfCall(call: ToolCallState): string[] {
  const isCard = call.status === 'pending-confirmation';
  const view = toolCallView(call);
  const title = isCard && call.confirmationTitle !== undefined ? plainText(call.confirmationTitle) : undefined;
  const summary = title ?? (isCard ? toolCallLabel(call) : view.summary).map(({ text }) => text).join('');
  const behind = [view.input?.command, view.input?.url].filter((text) => text !== undefined && !summary.includes(text));
  return [summary, ...(behind as string[])];
}
