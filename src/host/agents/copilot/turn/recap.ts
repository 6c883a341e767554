/**
 * Conversations as texts for the model: what the engine does not have of this one (that of a chat that was forked or truncated, or whose
 * record is gone), and those of other chats.
 */
import type { InputRequestResponsePart, ResponsePart, Turn } from '../../../../ahp/channels/chat/state.ts';
import type { InputAnswer, InputQuestion } from '../../../../ahp/common/inputRequest.ts';
import type { SideSource } from '../../sideSource.ts';
import { code, codeBlock } from '../../markdown.ts';

/** In characters. The newest turns are kept. */
const MAX_LENGTH = 40_000;
/** Characters of an input, a question or an answer. */
const MAX_DETAIL = 500;

/** Undefined when there are no turns. */
export function recapOf(turns: readonly Turn[]): string | undefined {
  const told = toldTurns(turns);
  return (
    told &&
    `<earlier_conversation>\nThis session was continued from the following conversation. What was done in it is done.\n\n${told}\n</earlier_conversation>`
  );
}

/** What a side chat knows of the chat that it was made from. */
export function asideOf({ turns, selection }: SideSource): string {
  const told = toldTurns(turns) ?? '(It is not there any more.)';
  const about = selection === undefined ? '' : `\n\nThe user asks about this part of it:\n\n${codeBlock(selection)}`;
  return (
    '<other_conversation>\nThe user asks beside the following conversation, which goes on without this one. What was done in it is done.' +
    `\n\n${told}${about}\n</other_conversation>`
  );
}

/** `endTurn`: the last turn of it, where it is not the whole chat. Undefined when there is nothing to tell. */
export function attachedChat(label: string, turns: readonly Turn[], endTurn: string | undefined): string | undefined {
  const end = endTurn === undefined ? turns.length : turns.findIndex(({ id }) => id === endTurn) + 1;
  const told = toldTurns(turns.slice(0, end));
  return (
    told && `<attached_conversation>\nThe user attached the following conversation, ${code(label)}.\n\n${told}\n</attached_conversation>`
  );
}

function toldTurns(turns: readonly Turn[]): string | undefined {
  const told: string[] = [];
  let length = 0;
  for (const turn of turns.toReversed()) {
    const text = turnText(turn);
    length += text.length;
    if (length > MAX_LENGTH) {
      told.push('(Earlier turns are left out.)');
      break;
    }
    told.push(text);
  }
  return told.length === 0 ? undefined : told.reverse().join('\n\n');
}

function turnText({ message, responseParts, state }: Turn): string {
  const ending = state === 'complete' ? '' : `\n[this turn ended as ${state}]`;
  return `User: ${message.text}\n\nAssistant: ${responseParts.flatMap(partText).join('\n')}${ending}`;
}

function partText(part: ResponsePart): string[] {
  switch (part.kind) {
    case 'markdown':
      return [part.content];
    case 'toolCall': {
      const { toolCall } = part;
      const given = 'toolInput' in toolCall && toolCall.toolInput;
      const input = typeof given === 'string' && given !== '' ? `: ${given.slice(0, MAX_DETAIL)}` : '';
      return [`[${toolCall.toolName} ${toolCall.status}${input}]`];
    }
    case 'inputRequest':
      return [questionText(part)];
    case 'error':
      return [`[error: ${part.error.message.slice(0, MAX_DETAIL)}]`];
    default:
      return [];
  }
}

function questionText({ request, response }: InputRequestResponsePart): string {
  const { message, url, questions = [], answers = {} } = request;
  const what = [message, url].filter((text) => text !== undefined).join(' ');
  const asked = `asked the user: ${what.slice(0, MAX_DETAIL)}`;
  if (response !== 'accept') return `[${asked} — ${response === 'decline' ? 'the user declined' : 'no answer'}]`;
  const said = questions.map((question) => {
    const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
    return `\n${question.message.slice(0, MAX_DETAIL)} — ${answerText(question, answer).slice(0, MAX_DETAIL)}`;
  });
  return `[${asked}${said.length > 0 ? said.join('') : ' — the user accepted'}]`;
}

function answerText(question: InputQuestion, answer: InputAnswer | undefined): string {
  if (answer?.state === 'skipped') return ['skipped', ...(answer.freeformValues ?? [])].join(', ');
  if (answer?.state !== 'submitted') return 'no answer';
  const { value } = answer;
  const options = 'options' in question ? question.options : [];
  const label = (id: string) => options.find((option) => option.id === id)?.label ?? id;
  switch (value.kind) {
    case 'selected':
    case 'selected-many': {
      const chosen = [value.value].flat().filter((id) => id !== '');
      return [...chosen.map(label), ...(value.freeformValues ?? [])].join(', ');
    }
    case 'text':
    case 'number':
    case 'boolean':
      return String(value.value);
    default:
      return 'no answer';
  }
}
