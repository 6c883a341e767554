/**
 * A summary, for the model, of a conversation that the engine does not have: that of a forked or truncated session, or one whose record is
 * gone.
 */
import type { Turn } from '../../../../ahp/v1/session.ts';

/** In characters. The newest turns are kept. */
const MAX_LENGTH = 40_000;

/** Undefined when there are no turns. */
export function recapOf(turns: readonly Turn[]): string | undefined {
  const told: string[] = [];
  let length = 0;
  for (const turn of [...turns].reverse()) {
    const text = turnText(turn);
    length += text.length;
    if (length > MAX_LENGTH) {
      told.push('(Earlier turns are left out.)');
      break;
    }
    told.push(text);
  }
  if (told.length === 0) return undefined;
  return `<earlier_conversation>\nThis session was continued from the following conversation. What was done in it is done.\n\n${told.reverse().join('\n\n')}\n</earlier_conversation>`;
}

function turnText({ userMessage, responseParts, state }: Turn): string {
  const answer = responseParts.flatMap((part) => {
    if (part.kind === 'markdown') return [part.content];
    if (part.kind !== 'toolCall') return [];
    const { toolCall } = part;
    const input = 'toolInput' in toolCall && toolCall.toolInput ? `: ${toolCall.toolInput.slice(0, 500)}` : '';
    return [`[${toolCall.toolName} ${toolCall.status}${input}]`];
  });
  const ending = state === 'complete' ? '' : `\n[this turn ended as ${state}]`;
  return `User: ${userMessage.text}\n\nAssistant: ${answer.join('\n')}${ending}`;
}
