/** The Sessions view, and what is kept of sessions. */
import { systemClock } from '../../base/clock.ts';
import type { WindowAttention } from '../attention/windowAttention.ts';
import type { VsCodeHosts } from '../hosts/discovery/vsCodeHosts.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import type { WindowBase } from '../windowServices.ts';
import { DecisionLog } from './decisionLog.ts';
import { Drafts } from './drafts.ts';
import { SessionSet } from './sessionSet.ts';
import { SessionsTree } from './sessionsTree.ts';

export type KeptSessions = Omit<ReturnType<typeof registerSessions>, 'tree'>;

export function registerSessions(
  { context, logger, own }: WindowBase,
  { hosts, vsCodeHosts }: { readonly hosts: HostRegistry; readonly vsCodeHosts: VsCodeHosts },
  attention: WindowAttention,
) {
  const hidden = own(new SessionSet(context.workspaceState, 'tapline.hiddenSessions'));
  const pinned = own(new SessionSet(context.globalState, 'tapline.pinnedSessions'));
  const tree = own(new SessionsTree(hosts, hidden, pinned, attention, vsCodeHosts));
  const decisions = own(new DecisionLog(hosts, context.workspaceState, systemClock, logger));
  return { tree, hidden, pinned, decisions, drafts: new Drafts(context.workspaceState) };
}
