/** The rows of the Sessions tree below its hosts: sessions by date, and those that the user has pinned. */
import * as l10n from '../../base/l10n.ts';
import type { HostNode, SessionNode } from './sessionTree.ts';

export type SessionGrouping = 'date' | 'project';

const LABELS = {
  pinned: l10n.t('Pinned'),
  today: l10n.t('Today'),
  yesterday: l10n.t('Yesterday'),
  lastWeek: l10n.t('Last week'),
  older: l10n.t('Older'),
};
type Group = keyof typeof LABELS;

export interface GroupNode {
  kind: 'group';
  id: string;
  label: string;
  children: SessionNode[];
}

export interface GroupOptions {
  groupBy: SessionGrouping;
  /** Node ids of sessions. */
  pinned: ReadonlySet<string>;
  /** ms since the epoch. A day begins at midnight of the local time. */
  now: number;
}

/**
 * Pinned sessions are in a group of their own. By date all others are in groups of all hosts, and the rows of the hosts say only how they
 * are; by project they stay below their host.
 */
export function groupedTree(hosts: readonly HostNode[], { groupBy, pinned, now }: GroupOptions): (HostNode | GroupNode)[] {
  const byDate = dateGroups(now);
  const groups = new Map<Group, SessionNode[]>();
  const isLeft = (node: SessionNode, host: HostNode): boolean => {
    const isPinned = pinned.has(node.id);
    if (!isPinned && groupBy === 'project') return true;
    const group = isPinned ? 'pinned' : byDate(node.item.modifiedAt);
    const session = { ...node, pinned: isPinned, ...(hosts.length > 1 && { hostLabel: host.label }) };
    const others = groups.get(group);
    if (others) others.push(session);
    else groups.set(group, [session]);
    return false;
  };
  const left = hosts.map((host): HostNode => {
    const children = host.children.flatMap((child): HostNode['children'] => {
      if (child.kind === 'message') return [child];
      const sessions = child.children.filter((session) => isLeft(session, host));
      return sessions.length > 0 ? [{ ...child, children: sessions }] : [];
    });
    return { ...host, children };
  });
  const shown = (Object.keys(LABELS) as Group[]).flatMap((group): GroupNode[] => {
    const children = groups.get(group)?.sort((a, b) => b.item.modifiedAt - a.item.modifiedAt);
    return children ? [{ kind: 'group', id: `\ngroup\n${group}`, label: LABELS[group], children }] : [];
  });
  const pinnedFirst = shown.filter(({ label }) => label === LABELS.pinned);
  return groupBy === 'project' ? [...pinnedFirst, ...left] : [...left, ...shown];
}

/** The sessions in the order of their rows. */
export function sessionsOf(nodes: readonly (HostNode | GroupNode)[]): SessionNode[] {
  return nodes.flatMap((node) =>
    node.kind === 'group' ? node.children : node.children.flatMap((child) => (child.kind === 'project' ? child.children : [])),
  );
}

/** The session `step` rows below `from` in the list, going round at its ends. From a session that is not listed it is the first or the last. */
export function sessionBeside(list: readonly SessionNode[], from: string | undefined, step: 1 | -1): SessionNode | undefined {
  const at = list.findIndex(({ id }) => id === from);
  if (at < 0) return list.at(step === 1 ? 0 : -1);
  return list[(at + step + list.length) % list.length];
}

function dateGroups(now: number): (time: number) => Group {
  const date = new Date(now);
  // Not in milliseconds: a day of the local time may have 23 or 25 hours.
  const midnight = (daysAgo: number) => new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysAgo).getTime();
  const [today, yesterday, lastWeek] = [midnight(0), midnight(1), midnight(7)];
  return (time) => (time >= today ? 'today' : time >= yesterday ? 'yesterday' : time >= lastWeek ? 'lastWeek' : 'older');
}
