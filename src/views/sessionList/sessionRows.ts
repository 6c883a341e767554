/** The nodes of the Sessions tree as rows. */
import * as l10n from '../../base/l10n.ts';
import { connectionSentence } from '../hosts/hostConnectionView.ts';
import { type HostKind, ownWords } from '../hosts/hostProblem.ts';
import type { DrawnRow, TreeIcon } from '../tree/treeRow.ts';
import type { OfferNode } from './offerNodes.ts';
import type { GroupNode } from './sessionGroups.ts';
import { type HostNode, type MessageNode, type SessionNode, type SessionTreeNode, sessionWords } from './sessionTree.ts';
import { hostIcon, sessionIcon } from './treeIcons.ts';

export type SessionsNode = SessionTreeNode | GroupNode | OfferNode;

const SEVERITY_ICONS: Record<MessageNode['severity'], TreeIcon> = {
  info: { id: 'info' },
  warning: { id: 'warning', color: 'list.warningForeground' },
  error: { id: 'error', color: 'list.errorForeground' },
};
const ACTIONS = {
  newSession: 'newSession',
  refresh: 'refreshSessions',
  signIn: 'signInToGitHub',
  toggleArchived: 'toggleArchived',
  reconnect: 'reconnectHost',
  editHost: 'editHost',
  enterHostToken: 'enterHostToken',
  updateTapline: 'updateTapline',
  showHostLog: 'showHostLog',
  connectVsCodeHost: 'connectVsCodeHost',
  declineVsCodeHost: 'declineVsCodeHost',
} as const satisfies Record<NonNullable<MessageNode['action']>, string>;
const ACTION_ICONS: { [A in NonNullable<MessageNode['action']>]?: string } = {
  signIn: 'github',
  toggleArchived: 'archive',
  reconnect: 'debug-restart',
  editHost: 'edit',
  enterHostToken: 'key',
  updateTapline: 'extensions',
  showHostLog: 'output',
  connectVsCodeHost: 'plug',
  declineVsCodeHost: 'close',
};

export type SessionsRow = DrawnRow<'openSession' | (typeof ACTIONS)[keyof typeof ACTIONS]>;

/** `kindOf`: of a host; undefined where it has gone. */
export function sessionsRow(node: SessionsNode, kindOf: (hostId: string) => HostKind | undefined): SessionsRow {
  switch (node.kind) {
    case 'offer':
      return offerRow(node);
    case 'host':
      return hostRow(node, kindOf(node.hostId));
    case 'group':
      return { ...listRow(node), spoken: `${node.label}, ${sessions(node.children.length)}` };
    case 'project':
      return { ...listRow(node), tooltip: node.tooltip, spoken: l10n.t`Folder ${node.label}, ${sessions(node.children.length)}` };
    case 'session':
      return sessionRow(node);
    case 'message':
      return messageRow(node);
  }
}

const sessions = (count: number) => l10n.plural(count, l10n.t`${l10n.countText(count)} session`, l10n.t`${l10n.countText(count)} sessions`);

function listRow({ id, kind, label }: Extract<SessionsNode, { children: unknown }>): SessionsRow {
  return { id, label, context: kind, isOpen: true };
}

function offerRow(node: OfferNode): SessionsRow {
  const { description, details } = node;
  return { ...listRow(node), description, tooltip: details, spoken: details, icon: { id: 'vm-outline' } };
}

function hostRow(node: HostNode, kind: HostKind | undefined): SessionsRow {
  const { id, hostId, label, connection, hasSettings, children } = node;
  const own = kind && ownWords[kind];
  return {
    ...listRow(node),
    // Another row for VS Code, which would keep one collapsed that gets children again.
    id: children.length === 0 ? `${id}\nempty` : id,
    description: connection.text,
    tooltip: `${own ? `${label}: ${own}` : `${label}\n${hostId}`}\n${connectionSentence(connection)}`,
    icon: hostIcon(connection),
    context: `host ${kind ?? 'gone'} ${connection.connected ? 'connected' : 'disconnected'}${hasSettings ? ' settings' : ''}`,
    spoken: l10n.t`Agent host ${label}, ${connectionSentence(connection)}`,
  };
}

function sessionRow(node: SessionNode): SessionsRow {
  const { id, item, pinned } = node;
  const { description, label } = sessionWords(node);
  const state = [item.archived ? 'archived' : 'active', item.mood === 'unread' ? 'unread' : 'read', pinned ? 'pinned' : 'loose'];
  return {
    ...{ id, label: item.title, description },
    tooltip: item.details.join('\n'),
    icon: sessionIcon(node),
    context: ['session', ...state].join(':'),
    spoken: label,
    action: 'openSession',
  };
}

function messageRow({ id, label, details, severity, action }: MessageNode): SessionsRow {
  const icon = action && ACTION_ICONS[action];
  return {
    ...{ id, label, context: 'message' },
    tooltip: details ?? label,
    icon: icon === undefined ? SEVERITY_ICONS[severity] : { id: icon },
    ...(details !== undefined && { spoken: `${label}. ${details}` }),
    ...(action && { action: ACTIONS[action] }),
  };
}
