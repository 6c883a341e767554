/** Icons of the Sessions tree. A running session of a host that is away does not spin, because it is not known whether it is still running. */
import type { HostConnectionView } from '../hosts/hostConnectionView.ts';
import type { TreeIcon } from '../tree/treeRow.ts';
import type { SessionMood } from './sessionItem.ts';
import type { SessionNode } from './sessionTree.ts';

const moods: Record<SessionMood, TreeIcon> = {
  needsYou: { id: 'warning', color: 'list.warningForeground' },
  running: { id: 'loading~spin' },
  error: { id: 'error', color: 'list.errorForeground' },
  unread: { id: 'circle-filled', color: 'charts.blue' },
  idle: { id: 'check' },
};

export function sessionIcon({ item, stale }: Pick<SessionNode, 'item' | 'stale'>): TreeIcon {
  if (item.archived) return { id: 'archive', color: 'disabledForeground' };
  return stale && item.mood === 'running' ? { id: 'debug-disconnect' } : moods[item.mood];
}

export function hostIcon({ connected, failed }: HostConnectionView): TreeIcon {
  if (connected) return { id: 'vm-active' };
  return failed ? { id: 'vm-outline', color: 'list.errorForeground' } : { id: 'vm-connect' };
}
