/** What a command acts on: the tree node on which it was called, otherwise the active session, otherwise the session that the user picks. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { MOOD_WORDS } from '../../../views/sessionList/sessionItem.ts';
import { type SessionNode, sessionWords } from '../../../views/sessionList/sessionTree.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import { showInfo } from '../../notifications.ts';

/** Any extension may run a command with any argument. */
export function sessionFromArgument(argument: unknown): SessionRef | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  // A row of “Providers” names its session as its subject.
  const { subject = argument } = argument as { subject?: unknown };
  const { hostId, item, uri = item?.uri } = (subject ?? {}) as Partial<SessionNode> & { uri?: unknown };
  return typeof hostId === 'string' && typeof uri === 'string' ? { hostId, uri } : undefined;
}

/**
 * The sessions of a command's arguments, as VS Code passes them from a tree: the row on which it was called, and all selected rows where
 * that row is one of them.
 */
export function sessionsFromArguments(argument: unknown, more: unknown): SessionRef[] {
  const rows: unknown[] = Array.isArray(more) && more.length > 0 ? more : [argument];
  return rows.map(sessionFromArgument).filter((session) => session !== undefined);
}

/** `listed`: what there is to choose from where neither an argument nor an active session says which one. */
export async function targetSession(
  argument: unknown,
  active: SessionRef | undefined,
  listed: readonly SessionNode[],
): Promise<SessionRef | undefined> {
  return sessionFromArgument(argument) ?? active ?? (await pickSession(listed, l10n.t('Which session?')));
}

export function hostIdFromArgument(argument: unknown): string | undefined {
  const hostId = (argument as { hostId?: unknown } | null | undefined)?.hostId;
  return typeof hostId === 'string' ? hostId : undefined;
}

export async function pickSession(nodes: readonly SessionNode[], placeHolder: string): Promise<SessionRef | undefined> {
  if (nodes.length === 0) {
    void showInfo(l10n.t('There is no session to choose from. Start one with “Tapline: New Session…”, or clear the filter of the list.'));
    return undefined;
  }
  const items = nodes.map((node) => {
    const { description } = sessionWords(node);
    const mood = MOOD_WORDS[node.item.mood];
    // The description of a session that is doing something begins with its mood already.
    return {
      label: withoutMarkup(node.item.title),
      description: withoutMarkup(description.startsWith(mood) ? description : `${mood} · ${description}`),
      node,
    };
  });
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  return picked && { hostId: picked.node.hostId, uri: picked.node.item.uri };
}
