/** What the user is asked about agents and context providers. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import { NOT_NOW, showInfo } from '../notifications.ts';
import type { Answer } from '../projectProviders/consentAnswers.ts';
import type { AgentConsent } from './agentConsent.ts';
import type { OpenCtx } from './openCtx.ts';

export async function askAboutAgents({ uri }: { uri: string }): Promise<Answer | undefined> {
  const text = l10n.t`An agent wants to ask the context provider “${oneLine(uri, 80)}” about a file. The provider gets the text of each file that agents ask it about, and agents get its answers.`;
  const choice = await showInfo(text, ALLOW, NOT_NOW, NEVER);
  return choice === ALLOW ? 'run' : choice === NEVER ? 'never' : undefined;
}

const ALLOW = l10n.t('Allow');
const NEVER = l10n.t('Never');

/** Changes what was answered. */
export async function chooseAboutAgents(openCtx: OpenCtx, consent: AgentConsent, only?: { folder: string; uri: string }): Promise<void> {
  const all = openCtx.providers.flatMap(({ folder, uri, provider }) => (provider ? [{ folder, uri, provider }] : []));
  if (all.length === 0)
    throw new UserError(l10n.t('No context provider is named in the settings. Look at “Tapline: Show Context Providers”.'));
  const items = all.map(({ uri, provider }) => ({
    label: withoutMarkup(oneLine(uri)),
    description: wordsOf(consent.of(provider)),
    provider,
  }));
  const given = only && all.find(({ folder, uri }) => folder === only.folder && uri === only.uri)?.provider;
  const provider = given ?? (await vscode.window.showQuickPick(items, { title: l10n.t('Let Agents Ask a Context Provider') }))?.provider;
  if (!provider) return;
  const choices = ([undefined, 'run', 'never'] as const).map((answer) => ({
    label: { none: l10n.t('Ask Me'), run: ALLOW, never: NEVER }[answer ?? 'none'],
    description: answer === consent.of(provider) ? l10n.t('as it is') : '',
    answer,
  }));
  const chosen = await vscode.window.showQuickPick(choices, { title: l10n.t`Agents That Ask “${oneLine(provider.uri, 80)}”` });
  if (chosen) await consent.set(provider, chosen.answer);
}

export function wordsOf(answer: Answer | undefined): string {
  return answer === 'run' ? l10n.t('agents may ask it') : answer === 'never' ? l10n.t('agents may not ask it') : '';
}
