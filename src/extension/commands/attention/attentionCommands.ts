/** Shows what waits for the user, and opens what they pick. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { type AttentionItem, cardPlace, type WindowItem } from '../../../views/attention/attentionItems.ts';
import type { FinishedTurn } from '../../../views/attention/finishedTurns.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import type { GitHubAccount } from '../../models/gitHubAccount.ts';
import { type ClosableNotification, showInfo } from '../../notifications.ts';
import type { SessionViews } from '../../sessionView/sessionViews.ts';

/** A single item is returned without asking. */
export async function pickAttentionItem(items: readonly WindowItem[]): Promise<WindowItem | undefined> {
  if (items.length === 0) void showInfo(l10n.t('Nothing needs you right now.'));
  if (items.length <= 1) return items[0];
  const hosts = new Set(items.flatMap(({ hostId, uri }) => (uri === undefined ? [] : hostId)));
  const picks = items.map((item) => ({
    label: withoutMarkup(item.title),
    description: withoutMarkup(hosts.size > 1 && item.uri !== undefined ? item.hostLabel : ''),
    detail: withoutMarkup(item.what),
    item,
  }));
  const picked = await vscode.window.showQuickPick(picks, {
    title: l10n.t('What Needs You'),
    placeHolder: l10n.t('What do you want to see and answer?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.item;
}

/** Nothing is answered from it, because what waits is not shown in full. */
export function attentionNotification({ title, what, uri }: AttentionItem, open: () => unknown): ClosableNotification {
  return {
    text: l10n.t`“${title}” needs you. ${what}`,
    links: [{ label: uri === undefined ? l10n.t('Sign in') : l10n.t('Open'), run: open }],
  };
}

export function finishedNotification({ title, hasFailed, line }: FinishedTurn, open: () => unknown): ClosableNotification {
  const what = hasFailed ? l10n.t`“${title}” failed` : l10n.t`“${title}” has finished`;
  return { text: line === '' ? `${what}.` : `${what}: ${line}`, links: [{ label: l10n.t('Open'), run: open }] };
}

export async function openAttentionItem(item: WindowItem, views: SessionViews, account: GitHubAccount): Promise<void> {
  const { hostId, uri } = item;
  if (uri === undefined) await account.signIn(hostId);
  else await views.show({ hostId, uri }, 'needsYou', cardPlace(item));
}
