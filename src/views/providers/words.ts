/** Switches and errors of providers in words. */
import { visibleText } from '../text/visibleText.ts';
import type { ToolState } from './facts.ts';

export const toolStateWords: Readonly<Record<ToolState, string>> = {
  on: 'on',
  off: 'off',
  new: 'new, off until you allow it',
  changed: 'changed since you allowed it, off until you allow it again',
  taken: 'left out: the agent has a tool of that name itself',
  tooLarge: 'left out: its parameters are too large for the host',
};

/** What the user can do about an error of the gateway, by its code. */
const advice: Readonly<Record<string, string>> = {
  PROVIDER_ENDED: 'Look at its log, correct the program or its entry in tap.config.json, and start it again.',
  AUTH_FAILED: 'Start the program again, so that it reads the current token. A page has to pair again.',
  UNSUPPORTED_VERSION: 'Update the provider: it speaks another version of the protocol.',
  TOOL_CONFLICT: 'Another provider or the agent has a tool of that name. Stop one of them, or rename its tool.',
  DUPLICATE_INSTANCE: 'The same provider is connected already. Stop one of them, or give it an instance name of its own.',
  INVALID_SESSION: 'The provider asks for a session that is not there. Open a session, then start the provider again.',
  RATE_LIMITED: 'There are too many connections or messages. Its message says which. It works again after a pause.',
  PAYLOAD_TOO_LARGE: 'The provider sends more than the gateway takes. It has to send less at once.',
  UNAUTHORIZED: 'The provider asks for more than its trust allows. Start it in a terminal of this window if it is yours.',
};

export function adviceFor(code: string): string {
  return advice[code] ?? 'This is a fault of the provider. The log of the gateway may say more.';
}

/** An untrusted text with all its lines, cut at `limit` characters. Characters that cannot be seen are named. */
export function plainLines(text: string, limit: number): string {
  const cut = text.length > limit ? text.slice(0, limit).replace(/[\ud800-\udbff]$/, '') : text;
  const shown = visibleText(cut, text.length > limit)
    .map((segment) => (segment.unseen ? `[${segment.text}]` : segment.text))
    .join('');
  return text.length > limit ? `${shown}… (${(text.length - limit).toLocaleString('en')} more characters)` : shown;
}
