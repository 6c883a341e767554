/** The Sessions tree: host → project → session, as plain values. */
import type { SessionSummary } from '../ahp/v1/session.ts';
import type { HostConnectionView } from './hostConnectionView.ts';
import { type HostRemedy, remedyNames } from './hostProblem.ts';
import { oneLine } from './oneLine.ts';
import { displayPath } from './displayPath.ts';
import { MOOD_WORDS, sessionItem, type SessionItem } from './sessionItem.ts';
import { wellFormedSummary } from './wellFormed.ts';

export interface HostInput {
  id: string;
  label: string;
  connection: HostConnectionView;
  /** The last known list; kept while the host cannot be reached. */
  sessions: readonly SessionSummary[];
  /** Undefined until the list was read once. */
  listed: boolean;
  /** Why the list could not be read. */
  listError?: string;
  /** The list needs a GitHub account. */
  needsSignIn?: boolean;
}

export interface HostNode {
  kind: 'host';
  id: string;
  hostId: string;
  label: string;
  connection: HostConnectionView;
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
  /** True when the host cannot be reached or gives no list: what is shown is the last known. */
  stale: boolean;
  item: SessionItem;
}
/** A sentence in place of what is not there, with the one action that helps. */
export interface MessageNode {
  kind: 'message';
  id: string;
  hostId: string;
  label: string;
  /** All of it, where the label is short so as to be whole in a narrow sidebar. */
  details?: string;
  severity: 'info' | 'warning' | 'error';
  action?: 'newSession' | 'refresh' | 'signIn' | 'toggleArchived' | HostRemedy;
}
export type SessionTreeNode = HostNode | ProjectNode | SessionNode | MessageNode;

export interface SessionTreeOptions {
  showArchived: boolean;
  /** Shows only sessions whose title or folder contains it. */
  filter: string;
  now: number;
  /** Ids of nodes of sessions that the user hides in this window; one that runs or needs the user is shown all the same. */
  hidden: ReadonlySet<string>;
}

export function sessionTree(hosts: readonly HostInput[], options: SessionTreeOptions): HostNode[] {
  return hosts.map((host) => hostNode(host, options));
}

function hostNode(host: HostInput, options: SessionTreeOptions): HostNode {
  const projects = projectNodes(host, options);
  const messages = hostMessages(host, projects.length > 0, options).map((message): MessageNode => {
    // By what it does: VS Code may still run the command of an earlier row with the same id.
    return { kind: 'message', id: `${host.id}\nmessage\n${message.action ?? ''}`, hostId: host.id, ...message };
  });
  const children = [...messages, ...projects];
  return { kind: 'host', id: host.id, hostId: host.id, label: host.label, connection: host.connection, children };
}

type Message = Omit<MessageNode, 'kind' | 'id' | 'hostId'>;

/** What is wrong with the host and each way to mend it, or the one sentence that is to be said in place of its sessions. */
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
  if (hasSessions) return undefined;
  // Never nothing: VS Code folds a row that loses what is below it, and what comes next would be hidden.
  if (!host.listed) return { label: host.connection.connected ? 'Listing the sessions…' : 'Not connected yet.', severity: 'info' };
  if (host.sessions.length === 0) return { label: 'No sessions yet. Start one.', severity: 'info', action: 'newSession' };
  if (options.filter) return { label: 'No session matches the filter.', severity: 'info' };
  const details = 'All sessions of this host are archived, or hidden in this window.';
  return { label: 'Show archived sessions', details, severity: 'info', action: 'toggleArchived' };
}

function projectNodes(host: HostInput, options: SessionTreeOptions): ProjectNode[] {
  const filter = options.filter.trim().toLowerCase();
  const byProject = new Map<string, { label: string; tooltip: string; sessions: SessionNode[] }>();
  for (const listed of host.sessions) {
    const summary = wellFormedSummary(listed);
    if (!summary || isSubagent(summary)) continue;
    const id = sessionNodeId(host.id, summary.resource);
    const told = sessionItem(summary, options.now);
    const item = options.hidden.has(id) ? hiddenItem(told) : told;
    if (item.archived && !options.showArchived) continue;
    const project = projectOf(summary);
    if (filter && !`${item.title}\n${project.label}`.toLowerCase().includes(filter)) continue;
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

/** What stands beside a session's title, and what a screen reader says of it all. */
export function sessionWords({ item, stale }: SessionNode): { description: string; label: string } {
  const { title, archived, mood, description } = item;
  const state = description.startsWith(MOOD_WORDS[mood]) ? description : `${MOOD_WORDS[mood]}, ${description}`;
  return {
    description: stale ? `last known · ${description}` : description,
    label: `${title}, ${archived ? 'archived, ' : ''}${stale ? 'last known: ' : ''}${state}`,
  };
}

function hiddenItem(item: SessionItem): SessionItem {
  if (item.mood === 'needsYou' || item.mood === 'running') return item;
  return { ...item, archived: true, details: [...item.details, 'Hidden in this window'] };
}

/** One identity per host and URI: two hosts may use the same session URI. */
export function sessionNodeId(hostId: string, uri: string): string {
  return `${hostId}\nsession\n${uri}`;
}

// A subagent's session is reached from the call that started it.
function isSubagent(summary: SessionSummary): boolean {
  return /\/subagent\/[^/]+$/.test(summary.resource);
}

function projectOf(summary: SessionSummary): { key: string; label: string; tooltip: string } {
  if (summary.project) {
    return {
      key: summary.project.uri,
      label: oneLine(summary.project.displayName) || displayPath(summary.project.uri),
      tooltip: displayPath(summary.project.uri),
    };
  }
  if (summary.workingDirectory) {
    const path = displayPath(summary.workingDirectory).replace(/\/+$/, '');
    return { key: summary.workingDirectory, label: oneLine(path.slice(path.lastIndexOf('/') + 1)) || '/', tooltip: path || '/' };
  }
  return { key: '', label: 'No folder', tooltip: 'Sessions without a working directory' };
}
