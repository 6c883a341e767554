/** The Sessions view: a native tree that shows the view model of `views/sessionList/sessionTree`. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { attentionText } from '../../views/attention/attentionItems.ts';
import { offerNodes } from '../../views/sessionList/offerNodes.ts';
import { type FilterNames, filterText, isFiltered, NO_FILTER, type SessionFilter } from '../../views/sessionList/sessionFilter.ts';
import { groupedTree, sessionsOf } from '../../views/sessionList/sessionGroups.ts';
import { type SessionsNode, sessionsRow } from '../../views/sessionList/sessionRows.ts';
import { type KnownSessions, type SessionNode, sessionTree } from '../../views/sessionList/sessionTree.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { WindowAttention } from '../attention/windowAttention.ts';
import type { VsCodeHosts } from '../hosts/discovery/vsCodeHosts.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import { agentsOf } from '../hosts/registeredHost.ts';
import { NodeTree } from '../nodeTree/nodeTree.ts';
import { Redraw } from '../nodeTree/redraw.ts';
import { VisibleClock } from '../nodeTree/visibleClock.ts';
import { settings } from '../settings.ts';
import type { SessionSet } from './sessionSet.ts';

const VIEW = 'tapline.sessions';
/** In the filter. A host may list sessions of any number of agents. */
const MAX_AGENTS = 50;
/** A burst of changes is drawn once. */
const REDRAW_MS = 100;
/** How often relative times and the groups by date are updated. */
const CLOCK_MS = 30_000;

export class SessionsTree implements Disposable {
  readonly #store = new DisposableStore();
  readonly #redraw = this.#store.add(new Redraw(() => this.#draw(), REDRAW_MS));
  readonly #tree: NodeTree<SessionsNode>;
  readonly #known: KnownSessions = new Map();
  #filter = NO_FILTER;

  constructor(
    private readonly hosts: HostRegistry,
    private readonly hidden: SessionSet,
    private readonly pinned: SessionSet,
    private readonly attention: WindowAttention,
    private readonly vsCodeHosts: VsCodeHosts,
  ) {
    const row = (node: SessionsNode) => sessionsRow(node, (hostId) => hosts.get(hostId)?.kind);
    this.#tree = this.#store.add(new NodeTree<SessionsNode>(VIEW, this.#nodes(), { row, canSelectMany: true }));
    const soon = () => this.#redraw.soon();
    for (const event of [hosts.onDidChange, hosts.onDidCountDown, hidden.onDidChange, pinned.onDidChange, vsCodeHosts.onDidChange])
      this.#store.add(event(soon));
    this.#store.add(attention.onDidChange(() => this.#showCount()));
    this.#store.add(vscode.workspace.onDidChangeConfiguration((event) => settings.affectsList(event) && soon()));
    const { view } = this.#tree;
    const clock = this.#store.add(new VisibleClock(soon, CLOCK_MS));
    clock.setVisible(view.visible);
    this.#store.add(view.onDidChangeVisibility(({ visible }) => clock.setVisible(visible)));
    this.#update();
    this.#showCount();
  }

  /** With the view in sight, at once or when the user comes to it. */
  whenVisible(act: () => void): void {
    if (this.#tree.view.visible) return act();
    const seen = this.#tree.view.onDidChangeVisibility(({ visible }) => {
      if (!visible) return;
      seen.dispose();
      act();
    });
    this.#store.add(seen);
  }

  /** In the order of the tree, without those that the filter hides. */
  get allSessions(): SessionNode[] {
    return sessionsOf(this.#tree.nodes.filter((row) => row.kind === 'host' || row.kind === 'group'));
  }

  /** The selected sessions, in the order of the selection. */
  get selection(): SessionRef[] {
    return this.#tree.view.selection.flatMap((node) => (node.kind === 'session' ? [{ hostId: node.hostId, uri: node.item.uri }] : []));
  }

  get filter(): SessionFilter {
    return this.#filter;
  }
  setFilter(filter: SessionFilter): void {
    this.#filter = filter;
    this.#redraw.soon();
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

  dispose(): void {
    this.#store.dispose();
  }

  #draw(): void {
    this.#tree.show(this.#nodes());
    this.#update();
  }

  #nodes(): SessionsNode[] {
    const now = Date.now();
    const hosts = sessionTree(
      this.hosts.all.map((host) => host.input()),
      { showArchived: settings.showArchived(), filter: this.#filter, now, hidden: this.hidden.nodeIds },
      this.#known,
    );
    const sessions = groupedTree(hosts, { groupBy: settings.groupBy(), pinned: this.pinned.nodeIds, now });
    return [...offerNodes(this.vsCodeHosts.offered), ...sessions];
  }

  #showCount(): void {
    const count = this.attention.items.length;
    const tooltip = attentionText(count);
    this.#tree.view.badge = tooltip === undefined ? undefined : { value: count, tooltip };
  }

  #update(): void {
    const isFilterOn = isFiltered(this.#filter);
    this.#tree.view.message = isFilterOn ? `Only: ${filterText(this.#filter, this.filterNames)}` : undefined;
    void vscode.commands.executeCommand('setContext', 'tapline.filtered', isFilterOn);
    void vscode.commands.executeCommand('setContext', 'tapline.hostCount', this.hosts.all.length);
  }
}
