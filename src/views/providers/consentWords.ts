/** The question to the user when a program wants hooks or context. */
import * as l10n from '../../base/l10n.ts';
import { oneLine } from '../text/oneLine.ts';
import { namedText } from '../text/decisionLines.ts';

const NAME_LENGTH = 100;

const wantWords: Readonly<Record<string, string>> = {
  hooks: l10n.t('see and deny tool calls (hooks)'),
  transforms: l10n.t('change what models are told at the start (transforms)'),
  context: l10n.t('add to what models read (context)'),
};

/** `sessions`: titles of those in this window that it serves. */
export function consentQuestion(provider: string, wants: readonly string[], sessions: readonly string[]): string {
  const wanted = l10n.listText(wants.map(wantText)) || l10n.t('use hooks and context');
  const name = namedText(oneLine(provider, NAME_LENGTH));
  const [first, ...more] = sessions;
  if (first === undefined) return l10n.t`The program ${name} wants to ${wanted}.`;
  const session = namedText(oneLine(first, NAME_LENGTH));
  return more.length === 0
    ? l10n.t`The program ${name} wants to ${wanted} in ${session}.`
    : l10n.t`The program ${name} wants to ${wanted} in ${session} and ${l10n.countText(more.length)} more.`;
}

function wantText(want: string): string {
  return (Object.hasOwn(wantWords, want) ? wantWords[want] : undefined) ?? oneLine(want, NAME_LENGTH);
}

/** What an answer covers, for the user who gives it. */
export const CONSENT_MEANS = l10n.t(
  'Your answer holds for all hooks, transforms and context that programs of this name on this computer want, now and later, in all sessions, until you forget the decision.',
);
