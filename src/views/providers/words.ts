/** Switches and errors of providers in words. */
import * as l10n from '../../base/l10n.ts';
import { visibleText } from '../text/visibleText.ts';
import type { ToolState } from './facts.ts';

export const toolStateWords: Readonly<Record<ToolState, string>> = {
  on: l10n.t('on'),
  off: l10n.t('off'),
  new: l10n.t('new, off until you allow it'),
  changed: l10n.t('changed since you allowed it, off until you allow it again'),
  taken: l10n.t('left out: the agent has a tool of that name itself'),
  tooLarge: l10n.t('left out: its parameters are too large for the host'),
};

/** What the user can do about an error of the gateway, by its code. */
const advice: Readonly<Record<string, string>> = {
  PROVIDER_ENDED: l10n.t('Look at its log, correct the program or its entry in tap.config.json, and start it again.'),
  AUTH_FAILED: l10n.t('Start the program again, so that it reads the current token. A page has to pair again.'),
  UNSUPPORTED_VERSION: l10n.t('Update the provider: it speaks another version of the protocol.'),
  TOOL_CONFLICT: l10n.t('Another provider or the agent has a tool of that name. Stop one of them, or rename its tool.'),
  DUPLICATE_INSTANCE: l10n.t('The same provider is connected already. Stop one of them, or give it an instance name of its own.'),
  INVALID_SESSION: l10n.t('The provider asks for a session that is not there. Open a session, then start the provider again.'),
  RATE_LIMITED: l10n.t('There are too many connections or messages. Its message says which. It works again after a pause.'),
  PAYLOAD_TOO_LARGE: l10n.t('The provider sends more than the gateway takes. It has to send less at once.'),
  UNAUTHORIZED: l10n.t('The provider asks for more than its trust allows. Start it in a terminal of this window if it is yours.'),
};

export function adviceFor(code: string): string {
  return advice[code] ?? l10n.t('This is a fault of the provider. The log of the gateway may say more.');
}

/** An untrusted text with all its lines, cut at `limit` characters. Characters that cannot be seen are named. */
export function plainLines(text: string, limit: number): string {
  const cut = text.length > limit ? text.slice(0, limit).replace(/[\ud800-\udbff]$/, '') : text;
  const shown = visibleText(cut, text.length > limit)
    .map((segment) => (segment.unseen ? `[${segment.text}]` : segment.text))
    .join('');
  const more = text.length - limit;
  return more > 0
    ? l10n.plural(
        more,
        l10n.t`${shown}… (${l10n.countText(more)} more character)`,
        l10n.t`${shown}… (${l10n.countText(more)} more characters)`,
      )
    : shown;
}
