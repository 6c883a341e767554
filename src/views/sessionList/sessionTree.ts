/** The Sessions tree: host → project → session, as plain values. */
import type { URI } from '../../ahp/common/shapes.ts';
import type { SessionSummary } from '../../ahp/channels/shapes/summaries.ts';
import { withoutEnd } from '../../base/text/ends.ts';
import type { HostConnectionView } from '../hosts/hostConnectionView.ts';
import { type HostRemedy, remedyNames } from '../hosts/hostProblem.ts';
import { folderOf } from '../session/openChat.ts';
import { oneLine } from '../text/oneLine.ts';
import { displayPath } from '../text/displayPath.ts';
import { fits, isFiltered, type SessionFilter } from './sessionFilter.ts';
import { MOOD_WORDS, sessionItem, type SessionItem } from './sessionItem.ts';

export interface HostInput {
  id: string;
  label: string;
  connection: HostConnectionView;
  /** The last known list, also while the host cannot be reached. */
  sessions: readonly SessionSummary[];
  /** The list has been read at least once. */
  listed: boolean;
  /** The host has more than what it has listed. */
  isCut?: boolean;
  /** Why the list could not be read. */
  listError?: string;
  /** The list needs a GitHub account. */
  needsSignIn?: boolean;
  /** The host has settings of its own. */
  hasSettings?: boolean;
  /** How many commands of each session run. */
  running?: ReadonlyMap<URI, number>;
  /** The session that the user started, where subagents have sessions. */
  topSession(this: void, uri: URI): URI;
}

export interface HostNode {
  kind: 'host';
  id: string;
  hostId: string;
  label: string;
  connection: HostConnectionView;
  hasSettings?: true;
  children: (ProjectNode | MessageNode)[];
}
export interface ProjectNode {
  kind: 'project';
  id: string;
  hostId: string;
  label: string;
  tooltip: string;
  children: SessionNode[];
}
export interface SessionNode {
  kind: 'session';
  id: string;
  hostId: string;
  /** The session is shown as last known, because the host cannot be reached or does not list its sessions. */
  stale: boolean;
  pinned?: boolean;
  /** Where the row is not below its host, and there are several. */
  hostLabel?: string;
  item: SessionItem;
}
/** A message in place of sessions, with an action that helps. */
export interface MessageNode {
  kind: 'message';
  id: string;
  hostId: string;
  label: string;
  /** The full text, if the label is a short form that fits into a narrow sidebar. */
  details?: string;
  severity: 'info' | 'warning' | 'error';
  action?: 'newSession' | 'refresh' | 'signIn' | 'toggleArchived' | 'connectVsCodeHost' | 'declineVsCodeHost' | HostRemedy;
}
export type SessionTreeNode = HostNode | ProjectNode | SessionNode | MessageNode;

export interface SessionTreeOptions {
  showArchived: boolean;
  filter: SessionFilter;
  now: number;
  /** Node ids of sessions that the user has hidden in this window. A session that is running or needs the user is shown in any case. */
  hidden: ReadonlySet<string>;
}

export function sessionTree(hosts: readonly HostInput[], options: SessionTreeOptions): HostNode[] {
  return hosts.map((host) => hostNode(host, options));
}

function hostNode(host: HostInput, options: SessionTreeOptions): HostNode {
  const projects = projectNodes(host, options);
  const messages = hostMessages(host, projects.length > 0, options).map((message): MessageNode => {
    // The id contains the action, because VS Code may still run the command of an earlier row with the same id.
    return { kind: 'message', id: `${host.id}\nmessage\n${message.action ?? ''}`, hostId: host.id, ...message };
  });
  const children = [...messages, ...projects];
  const { id, label, connection, hasSettings } = host;
  return { kind: 'host', id, hostId: id, label, connection, ...(hasSettings && { hasSettings }), children };
}

type Message = Omit<MessageNode, 'kind' | 'id' | 'hostId'>;

/** The problem of the host and its remedies, or a message that explains why there are no sessions. */
function hostMessages(host: HostInput, hasSessions: boolean, options: SessionTreeOptions): Message[] {
  const { problem, failed } = host.connection;
  if (!problem) return [hostMessage(host, hasSessions, options)].filter((message) => message !== undefined);
  const what: Message = { label: problem.brief, details: problem.message, severity: failed ? 'error' : 'warning' };
  return [what, ...problem.remedies.map((action): Message => ({ label: remedyNames[action], severity: 'info', action }))];
}

function hostMessage(host: HostInput, hasSessions: boolean, options: SessionTreeOptions): Message | undefined {
  if (host.needsSignIn) {
    const details = 'Sign in to GitHub to see the sessions of this host.';
    return { label: 'Sign in to GitHub…', details, severity: 'info', action: 'signIn' };
  }
  if (host.listError)
    return { label: `The sessions could not be listed: ${oneLine(host.listError)}`, severity: 'error', action: 'refresh' };
  if (host.isCut) {
    const details = `Only ${host.sessions.length} sessions of this host are here. It has too many, or lists them too slowly. Refresh to try again.`;
    return { label: 'Not all sessions are listed', details, severity: 'warning', action: 'refresh' };
  }
  if (hasSessions) return undefined;
  // Never empty: VS Code collapses a row that loses its children, and new ones would be hidden.
  if (!host.listed) return { label: host.connection.connected ? 'Listing the sessions…' : 'Not connected yet.', severity: 'info' };
  if (host.sessions.length === 0) return { label: 'No sessions yet. Start one.', severity: 'info', action: 'newSession' };
  if (isFiltered(options.filter)) return { label: 'No session matches the filter.', severity: 'info' };
  const details = 'All sessions of this host are archived, or hidden in this window.';
  return { label: 'Show archived sessions', details, severity: 'info', action: 'toggleArchived' };
}

function projectNodes(host: HostInput, options: SessionTreeOptions): ProjectNode[] {
  const byProject = new Map<string, { label: string; tooltip: string; sessions: SessionNode[] }>();
  for (const summary of host.sessions) {
    // A subagent's session is opened from the call that started it.
    if (host.topSession(summary.resource) !== summary.resource) continue;
    const id = sessionNodeId(host.id, summary.resource);
    const told = sessionItem(summary, options.now, host.running?.get(summary.resource));
    const item = options.hidden.has(id) ? hiddenItem(told) : told;
    const project = projectOf(summary);
    const { provider } = summary;
    if (!fits({ item, provider, hostId: host.id, folder: project.label }, options.filter, options.showArchived)) continue;
    let group = byProject.get(project.key);
    if (!group) byProject.set(project.key, (group = { label: project.label, tooltip: project.tooltip, sessions: [] }));
    group.sessions.push({
      kind: 'session',
      id,
      hostId: host.id,
      stale: !host.connection.connected || host.listError !== undefined,
      item,
    });
  }
  return [...byProject]
    .map(([key, { label, tooltip, sessions }]) => ({
      kind: 'project' as const,
      id: `${host.id}\nproject\n${key}`,
      hostId: host.id,
      label,
      tooltip,
      children: sessions.sort((a, b) => b.item.modifiedAt - a.item.modifiedAt),
    }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

/** The text beside a session's title, and the label for screen readers. */
export function sessionWords({ item, stale, hostLabel }: Pick<SessionNode, 'item' | 'stale' | 'hostLabel'>): {
  description: string;
  label: string;
} {
  const { title, archived, mood, description } = item;
  const state = description.startsWith(MOOD_WORDS[mood]) ? description : `${MOOD_WORDS[mood]}, ${description}`;
  return {
    description: `${stale ? 'last known · ' : ''}${description}${hostLabel === undefined ? '' : ` · ${hostLabel}`}`,
    label: `${title}, ${archived ? 'archived, ' : ''}${stale ? 'last known: ' : ''}${state}${hostLabel === undefined ? '' : `, on ${hostLabel}`}`,
  };
}

function hiddenItem(item: SessionItem): SessionItem {
  if (item.mood === 'needsYou' || item.mood === 'running') return item;
  return { ...item, archived: true, details: [...item.details, 'Hidden in this window'] };
}

/** Contains the host, because two hosts may use the same session URI. */
export function sessionNodeId(hostId: string, uri: string): string {
  return `${hostId}\nsession\n${uri}`;
}

function projectOf(summary: SessionSummary): { key: string; label: string; tooltip: string } {
  if (summary.project) {
    return {
      key: summary.project.uri,
      label: oneLine(summary.project.displayName) || displayPath(summary.project.uri),
      tooltip: displayPath(summary.project.uri),
    };
  }
  const folder = folderOf(summary);
  if (folder !== undefined) {
    const path = withoutEnd(displayPath(folder), '/');
    return { key: folder, label: oneLine(path.slice(path.lastIndexOf('/') + 1)) || '/', tooltip: path || '/' };
  }
  return { key: '', label: 'No folder', tooltip: 'Sessions without a working directory' };
}
