/** The Sessions tree: host → project → session, as plain values. */
import * as l10n from '../../base/l10n.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { SessionSummary } from '../../ahp/channels/shapes/summaries.ts';
import type { HostConnectionView } from '../hosts/hostConnectionView.ts';
import { type HostRemedy, remedyNames } from '../hosts/hostProblem.ts';
import { oneLine } from '../text/oneLine.ts';
import { fits, isFiltered, type SessionFilter } from './sessionFilter.ts';
import { ListedSessions, type Project } from './listedSessions.ts';
import { MOOD_WORDS, type SessionItem } from './sessionItem.ts';

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

/** What was said of the sessions the last time, by the ids of hosts. */
export type KnownSessions = Map<string, ListedSessions>;

/** `known`: kept by the caller for the next tree. */
export function sessionTree(hosts: readonly HostInput[], options: SessionTreeOptions, known: KnownSessions = new Map()): HostNode[] {
  for (const id of known.keys()) if (!hosts.some((host) => host.id === id)) known.delete(id);
  return hosts.map((host) => {
    let listed = known.get(host.id);
    if (!listed) known.set(host.id, (listed = new ListedSessions()));
    return hostNode(host, options, listed);
  });
}

function hostNode(host: HostInput, options: SessionTreeOptions, listed: ListedSessions): HostNode {
  const projects = projectNodes(host, options, listed);
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
    const details = l10n.t('Sign in to GitHub to see the sessions of this host.');
    return { label: l10n.t('Sign in to GitHub…'), details, severity: 'info', action: 'signIn' };
  }
  if (host.listError)
    return { label: l10n.t`The sessions could not be listed: ${oneLine(host.listError)}`, severity: 'error', action: 'refresh' };
  if (host.isCut) {
    const details = l10n.t`Only ${host.sessions.length} sessions of this host are here. It has too many, or lists them too slowly. Refresh to try again.`;
    return { label: l10n.t('Not all sessions are listed'), details, severity: 'warning', action: 'refresh' };
  }
  if (hasSessions) return undefined;
  // Never empty: VS Code collapses a row that loses its children, and new ones would be hidden.
  if (!host.listed)
    return { label: host.connection.connected ? l10n.t('Listing the sessions…') : l10n.t('Not connected yet.'), severity: 'info' };
  if (host.sessions.length === 0) return { label: l10n.t('No sessions yet. Start one.'), severity: 'info', action: 'newSession' };
  if (isFiltered(options.filter)) return { label: l10n.t('No session matches the filter.'), severity: 'info' };
  const details = l10n.t('All sessions of this host are archived, or hidden in this window.');
  return { label: l10n.t('Show archived sessions'), details, severity: 'info', action: 'toggleArchived' };
}

function projectNodes(host: HostInput, options: SessionTreeOptions, listed: ListedSessions): ProjectNode[] {
  listed.update(host, options.now);
  const byProject = new Map<string, Group>();
  const stale = !host.connection.connected || host.listError !== undefined;
  const showsAll = options.showArchived && !isFiltered(options.filter) && options.hidden.size === 0;
  let group: Group | undefined;
  for (let at = 0; at < host.sessions.length; at++) {
    const project = listed.projects[at];
    if (!project) continue;
    const id = listed.ids[at] as string;
    let item = listed.items[at] as SessionItem;
    if (!showsAll) {
      if (options.hidden.has(id)) item = hiddenItem(item);
      const provider = listed.providers[at] as string;
      if (!fits({ item, provider, hostId: host.id, folder: project.label }, options.filter, options.showArchived)) continue;
    }
    if (group?.project !== project) {
      group = byProject.get(project.key);
      if (!group) byProject.set(project.key, (group = { project, sessions: [], isSorted: true, last: Infinity }));
    }
    const time = listed.times[at] as number;
    if (time > group.last) group.isSorted = false;
    group.last = time;
    group.sessions.push({ kind: 'session', id, hostId: host.id, stale, item });
  }
  return [...byProject.values()]
    .map(({ project: { key, label, tooltip }, sessions, isSorted }) => ({
      kind: 'project' as const,
      id: `${host.id}\nproject\n${key}`,
      hostId: host.id,
      label,
      tooltip,
      children: isSorted ? sessions : sessions.sort((a, b) => b.item.modifiedAt - a.item.modifiedAt),
    }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

/** The sessions of a project. */
interface Group {
  readonly project: Project;
  readonly sessions: SessionNode[];
  /** The newest first, as most hosts list them. */
  isSorted: boolean;
  /** When the last one was changed. */
  last: number;
}

/** The text beside a session's title, and the label for screen readers. */
export function sessionWords({ item, stale, hostLabel }: Pick<SessionNode, 'item' | 'stale' | 'hostLabel'>): {
  description: string;
  label: string;
} {
  const { title, archived, mood, description } = item;
  const state = description.startsWith(MOOD_WORDS[mood]) ? description : `${MOOD_WORDS[mood]}, ${description}`;
  return {
    description: [...(stale ? [l10n.t('last known')] : []), description, ...(hostLabel === undefined ? [] : [hostLabel])].join(' · '),
    label: [
      title,
      ...(archived ? [l10n.t('archived')] : []),
      stale ? l10n.t`last known: ${state}` : state,
      ...(hostLabel === undefined ? [] : [l10n.t`on ${hostLabel}`]),
    ].join(', '),
  };
}

function hiddenItem(item: SessionItem): SessionItem {
  if (item.mood === 'needsYou' || item.mood === 'running') return item;
  return { ...item, archived: true, details: [...item.details, l10n.t('Hidden in this window')] };
}
