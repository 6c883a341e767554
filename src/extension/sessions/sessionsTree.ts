/** The Sessions view: a native tree that shows the view model of `views/sessionList/sessionTree`. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/lifecycle.ts';
import { attentionText } from '../../views/attention/attentionItems.ts';
import { ownWords } from '../../views/hosts/hostProblem.ts';
import { connectionSentence } from '../../views/hosts/hostConnectionView.ts';
import {
  type HostNode,
  type KnownSessions,
  type MessageNode,
  type ProjectNode,
  sessionTree,
  type SessionNode,
  sessionWords,
} from '../../views/sessionList/sessionTree.ts';
import { type FilterNames, filterText, isFiltered, NO_FILTER, type SessionFilter } from '../../views/sessionList/sessionFilter.ts';
import { type GroupNode, groupedTree, sessionsOf } from '../../views/sessionList/sessionGroups.ts';
import { type OfferNode, offerNodes } from '../../views/sessionList/offerNodes.ts';
import { type TreeChanges, type TreeNode, updatedTree } from '../../views/sessionList/treeChanges.ts';
import { hostIcon, sessionIcon, type TreeIcon } from '../../views/sessionList/treeIcons.ts';
import { counted } from '../../views/text/counted.ts';
import type { WindowAttention } from '../attention/windowAttention.ts';
import { type CommandId, commandName } from '../commandTable.ts';
import type { VsCodeHosts } from '../hosts/discovery/vsCodeHosts.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import { agentsOf, type RegisteredHost } from '../hosts/registeredHost.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { settings } from '../settings.ts';
import type { SessionSet } from './sessionSet.ts';

const VIEW = 'tapline.sessions';
/** In the filter. A host may list sessions of any number of agents. */
const MAX_AGENTS = 50;
/** A burst of changes is drawn once. */
const REDRAW_MS = 100;
/** How often relative times and the groups by date are updated. */
const CLOCK_MS = 30_000;

export class SessionsTree implements Disposable, vscode.TreeDataProvider<TreeNode> {
  readonly #store = new DisposableStore();
  readonly #onDidChangeTreeData = new vscode.EventEmitter<TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;
  readonly #view: vscode.TreeView<TreeNode>;
  /** The same objects as long as they are there. */
  #rows: TreeNode[] = [];
  readonly #known: KnownSessions = new Map();
  #filter = NO_FILTER;
  #redraw: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly hosts: HostRegistry,
    private readonly hidden: SessionSet,
    private readonly pinned: SessionSet,
    private readonly attention: WindowAttention,
    private readonly vsCodeHosts: VsCodeHosts,
  ) {
    this.#rebuild();
    this.#view = vscode.window.createTreeView<TreeNode>(VIEW, { treeDataProvider: this, showCollapseAll: true, canSelectMany: true });
    this.#store.add(this.#view);
    this.#store.add(hosts.onDidChange(() => this.#schedule()));
    this.#store.add(hosts.onDidCountDown(() => this.#schedule()));
    this.#store.add(hidden.onDidChange(() => this.#schedule()));
    this.#store.add(pinned.onDidChange(() => this.#schedule()));
    this.#store.add(vsCodeHosts.onDidChange(() => this.#schedule()));
    this.#store.add(attention.onDidChange(() => this.#showCount()));
    this.#store.add(vscode.workspace.onDidChangeConfiguration((event) => settings.affectsList(event) && this.#schedule()));
    const clock = setInterval(() => this.#schedule(), CLOCK_MS);
    this.#store.add(toDisposable(() => clearInterval(clock)));
    this.#update();
    this.#showCount();
  }

  /** With the view in sight, at once or when the user comes to it. */
  whenVisible(act: () => void): void {
    if (this.#view.visible) return act();
    const seen = this.#view.onDidChangeVisibility(({ visible }) => {
      if (!visible) return;
      seen.dispose();
      act();
    });
    this.#store.add(seen);
  }

  /** In the order of the tree, without those that the filter hides. */
  get allSessions(): SessionNode[] {
    return sessionsOf(this.#rows.filter((row) => row.kind === 'host' || row.kind === 'group'));
  }

  /** The selected sessions, in the order of the selection. */
  get selection(): SessionRef[] {
    return this.#view.selection.flatMap((node) => (node.kind === 'session' ? [{ hostId: node.hostId, uri: node.item.uri }] : []));
  }

  get filter(): SessionFilter {
    return this.#filter;
  }
  setFilter(filter: SessionFilter): void {
    this.#filter = filter;
    this.#schedule();
  }

  /** Names that a filter can be about, by provider and by id of the host. Those of sessions that are there, and those that are chosen. */
  get filterNames(): FilterNames {
    const { all } = this.hosts;
    const known = new Map(all.flatMap(agentsOf).map(({ provider, displayName }) => [provider, displayName || provider]));
    const used = all.flatMap(({ client }) => client.sessions.summaries.map(({ provider }) => provider));
    const providers = [...new Set([...used, ...this.#filter.agents])]
      .filter((provider) => typeof provider === 'string')
      .slice(0, MAX_AGENTS);
    return {
      agents: new Map(providers.map((provider) => [provider, known.get(provider) ?? provider])),
      hosts: new Map(all.map(({ id, label }) => [id, label])),
    };
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (!node) return this.#rows;
    return 'children' in node ? node.children : [];
  }

  getParent(node: TreeNode): TreeNode | undefined {
    for (const top of this.#rows) {
      for (const child of this.getChildren(top)) {
        if (child.id === node.id) return top;
        if (child.kind === 'project' && child.children.some(({ id }) => id === node.id)) return child;
      }
    }
    return undefined;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    switch (node.kind) {
      case 'offer':
        return offerItem(node);
      case 'host':
        return hostItem(node, this.hosts.get(node.hostId));
      case 'group':
        return groupItem(node);
      case 'project':
        return projectItem(node);
      case 'session':
        return sessionTreeItem(node);
      case 'message':
        return messageItem(node);
    }
  }

  dispose(): void {
    clearTimeout(this.#redraw);
    this.#onDidChangeTreeData.dispose();
    this.#store.dispose();
  }

  #schedule(): void {
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined;
      const changes = this.#rebuild();
      if (changes === 'all') this.#onDidChangeTreeData.fire(undefined);
      else if (changes.length > 0) this.#onDidChangeTreeData.fire([...changes]);
      this.#update();
    }, REDRAW_MS);
  }

  #rebuild(): TreeChanges {
    const now = Date.now();
    const hosts = sessionTree(
      this.hosts.all.map((host) => host.input()),
      { showArchived: settings.showArchived(), filter: this.#filter, now, hidden: this.hidden.nodeIds },
      this.#known,
    );
    const sessions = groupedTree(hosts, { groupBy: settings.groupBy(), pinned: this.pinned.nodeIds, now });
    const { rows, changes } = updatedTree(this.#rows, [...offerNodes(this.vsCodeHosts.offered), ...sessions]);
    this.#rows = rows;
    return changes;
  }

  #showCount(): void {
    const count = this.attention.items.length;
    const tooltip = attentionText(count);
    this.#view.badge = tooltip === undefined ? undefined : { value: count, tooltip };
  }

  #update(): void {
    const isFilterOn = isFiltered(this.#filter);
    this.#view.message = isFilterOn ? `Only: ${filterText(this.#filter, this.filterNames)}` : undefined;
    void vscode.commands.executeCommand('setContext', 'tapline.filtered', isFilterOn);
    void vscode.commands.executeCommand('setContext', 'tapline.hostCount', this.hosts.all.length);
  }
}

const SEVERITY_ICONS: Record<MessageNode['severity'], vscode.ThemeIcon> = {
  info: new vscode.ThemeIcon('info'),
  warning: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
  error: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
};
const ACTION_COMMANDS: Record<NonNullable<MessageNode['action']>, CommandId> = {
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
};
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

function themeIcon({ id, color }: TreeIcon): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}

function offerItem({ id, label, description, details }: OfferNode): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = id;
  item.description = description;
  item.tooltip = details;
  item.iconPath = new vscode.ThemeIcon('vm-outline');
  item.accessibilityInformation = { label: details };
  item.contextValue = 'offer';
  return item;
}

function hostItem({ id, hostId, label, connection, hasSettings, children }: HostNode, host: RegisteredHost | undefined): vscode.TreeItem {
  const isEmpty = children.length === 0;
  const { Expanded, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, isEmpty ? None : Expanded);
  // Another row for VS Code, which would keep one collapsed that gets children again.
  item.id = isEmpty ? `${id}\nempty` : id;
  item.description = connection.text;
  const own = host && ownWords[host.kind];
  const address = own ? `${label}: ${own}` : `${label}\n${hostId}`;
  item.tooltip = `${address}\n${connectionSentence(connection)}`;
  item.iconPath = themeIcon(hostIcon(connection));
  item.contextValue = `host ${host?.kind ?? 'gone'} ${connection.connected ? 'connected' : 'disconnected'}${hasSettings ? ' settings' : ''}`;
  item.accessibilityInformation = { label: `Agent host ${label}, ${connectionSentence(connection)}` };
  return item;
}

function groupItem({ id, label, children }: GroupNode): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = id;
  item.contextValue = 'group';
  item.accessibilityInformation = { label: `${label}, ${counted(children.length, 'session')}` };
  return item;
}

function projectItem({ id, label, tooltip, children }: ProjectNode): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = id;
  item.tooltip = tooltip;
  item.contextValue = 'project';
  item.accessibilityInformation = { label: `Folder ${label}, ${counted(children.length, 'session')}` };
  return item;
}

function sessionTreeItem(node: SessionNode): vscode.TreeItem {
  const { item } = node;
  const { description, label } = sessionWords(node);
  const treeItem = new vscode.TreeItem(item.title, vscode.TreeItemCollapsibleState.None);
  treeItem.id = node.id;
  treeItem.description = description;
  treeItem.tooltip = item.details.join('\n');
  treeItem.iconPath = themeIcon(sessionIcon(node));
  treeItem.contextValue = `session:${item.archived ? 'archived' : 'active'}:${item.mood === 'unread' ? 'unread' : 'read'}:${node.pinned ? 'pinned' : 'loose'}`;
  treeItem.command = { command: commandName('openSession'), title: 'Open Session', arguments: [node] };
  treeItem.accessibilityInformation = { label };
  return treeItem;
}

function messageItem({ id, hostId, label, details, severity, action }: MessageNode): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  item.id = id;
  item.tooltip = details ?? label;
  const icon = action && ACTION_ICONS[action];
  item.iconPath = icon ? new vscode.ThemeIcon(icon) : SEVERITY_ICONS[severity];
  item.contextValue = 'message';
  if (details !== undefined) item.accessibilityInformation = { label: `${label}. ${details}` };
  if (action) item.command = { command: commandName(ACTION_COMMANDS[action]), title: label, arguments: [{ hostId }] };
  return item;
}
