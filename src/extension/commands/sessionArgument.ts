/** What a command acts on: the tree node it was called on, else the session in front, else the one that the user picks. */
import * as vscode from 'vscode';
import { MOOD_WORDS } from '../../views/sessionItem.ts';
import type { SessionNode } from '../../views/sessionTree.ts';
import { withoutMarkup } from '../../views/withoutMarkup.ts';
import type { SessionRef } from '../sessions/sessionRef.ts';
import type { SessionsTree } from '../sessions/sessionsTree.ts';
import { showInfo } from '../notifications.ts';

/** Commands may be called by anybody with anything. */
export function sessionFromArgument(argument: unknown): SessionRef | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { hostId, item, uri = item?.uri } = argument as Partial<SessionNode> & { uri?: unknown };
  return typeof hostId === 'string' && typeof uri === 'string' ? { hostId, uri } : undefined;
}

export function hostIdFromArgument(argument: unknown): string | undefined {
  const hostId = (argument as { hostId?: unknown } | null | undefined)?.hostId;
  return typeof hostId === 'string' ? hostId : undefined;
}

export async function pickSession(tree: SessionsTree, nodes: SessionNode[], placeHolder: string): Promise<SessionRef | undefined> {
  if (nodes.length === 0) {
    void showInfo(
      tree.allSessions.length === 0 ? 'There are no sessions yet. Start one with Tapline: New Session.' : 'Nothing needs you right now.',
    );
    return undefined;
  }
  const items = nodes.map((node) => ({
    label: withoutMarkup(node.item.title),
    description: withoutMarkup(`${MOOD_WORDS[node.item.mood]} · ${node.item.description}`),
    node,
  }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  return picked && { hostId: picked.node.hostId, uri: picked.node.item.uri };
}
