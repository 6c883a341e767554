/** What was said in a chat, as plain lines that can be searched. */
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { messageView } from '../session/transcript/messageView.ts';

export interface Saying {
  readonly chat: URI;
  readonly turnId: string;
  readonly by: 'you' | 'agent';
  /** On one line, at most {@link MAX_SAYING} characters. */
  readonly text: string;
}

/** In characters. What comes later in a longer text is not found. */
export const MAX_SAYING = 20_000;

/** The newest turn first. Reasoning, and what tools took and returned, is left out: it would hide what people look for. */
export function* sayingsOf(chat: ChatState): Generator<Saying> {
  const turns = chat.activeTurn ? [...chat.turns, chat.activeTurn] : chat.turns;
  for (const { id: turnId, message, responseParts } of turns.toReversed()) {
    const { words, sentBy } = messageView({ ...message, text: message.text.slice(0, MAX_SAYING * 2) });
    const said = responseParts.flatMap((part) => (part.kind === 'markdown' && 'content' in part ? [part.content] : []));
    const texts = [
      { by: sentBy ? ('agent' as const) : ('you' as const), text: words },
      ...said.map((text) => ({ by: 'agent' as const, text })),
    ];
    for (const { by, text } of texts) {
      const line = plainLine(text.slice(0, MAX_SAYING));
      if (line !== '') yield { chat: chat.resource, turnId, by, text: line };
    }
  }
}

/** Words on one line, without the marks of Markdown that stand between words as they are read. */
export function plainLine(text: string): string {
  return text
    .replace(/\*\*|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
