/** The question to the user when a program wants hooks or context. */
import * as l10n from '@vscode/l10n';
import { named } from '../../base/text/quoted.ts';
import { oneLine } from '../text/oneLine.ts';

const NAME_LENGTH = 100;

const wantWords: Readonly<Record<string, string>> = {
  hooks: l10n.t('see and deny tool calls (hooks)'),
  transforms: l10n.t('change what models are told at the start (transforms)'),
  context: l10n.t('add to what models read (context)'),
};

/** `sessions`: titles of those in this window that it serves. */
export function consentQuestion(provider: string, wants: readonly string[], sessions: readonly string[]): string {
  const wanted = wants.map((want) => wantWords[want] ?? oneLine(want, NAME_LENGTH)).join(' and ') || l10n.t('use hooks and context');
  const [first, ...more] = sessions;
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  const where = first === undefined ? '' : ` in “${oneLine(first, NAME_LENGTH)}”${others}`;
  return l10n.t`The program ${named(oneLine(provider, NAME_LENGTH))} wants to ${wanted}${where}.`;
}

/** What an answer covers, for the user who gives it. */
export const CONSENT_MEANS = l10n.t(
  'Your answer holds for all hooks, transforms and context that programs of this name on this computer want, now and later, in all sessions, until you forget the decision.',
);
