/** “Providers” in the view “Tools & Jobs”: the view model of `views/providers/providersTree` as rows. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { GatewayHealth } from '../../views/providers/facts.ts';
import { type ProvidersNode, spoken } from '../../views/providers/node.ts';
import { providersSummary, providersTree } from '../../views/providers/providersTree.ts';
import { commandName } from '../commandTable.ts';
import { Redraw } from '../redraw.ts';
import { Beginning, type GroupSummary, type ToolsGroup } from '../tools/toolsGroup.ts';
import type { ProvidersWatch } from './providersWatch.ts';

/** A burst of changes is drawn once. */
const REDRAW_MS = 100;

export class ProvidersGroup implements Disposable, ToolsGroup<ProvidersNode> {
  readonly id = 'providers';
  readonly label = 'Providers';
  readonly icon = 'plug';
  readonly about = 'Programs and pages that lend their tools to your agent sessions, through the tap gateway on this computer.';
  readonly #store = new DisposableStore();
  readonly #redraw = this.#store.add(new Redraw(() => this.#draw(), REDRAW_MS));
  readonly onDidChange = this.#redraw.onDidChange;
  #summary: GroupSummary = { text: '', needsYou: 0 };
  #roots: ProvidersNode[] = [];

  /** `switched`: the user has ticked a row, or taken the tick away. */
  constructor(
    private readonly watch: ProvidersWatch,
    private readonly switched: (node: ProvidersNode, isOn: boolean) => Promise<unknown>,
  ) {
    this.#store.add(watch.onDidChange(() => this.#redraw.soon()));
    this.#redraw.now();
  }

  get isShown(): boolean {
    return this.watch.areProvidersShown;
  }
  get summary(): GroupSummary {
    return this.#summary;
  }
  get beginning(): readonly Beginning[] {
    const { gateway } = this.watch.facts;
    const what = new Beginning('A provider lends you tools', 'info', undefined, this.about);
    return gateway.kind === 'off' ? [what, ...waysToBegin[gateway.why]] : [];
  }

  getChildren(node?: ProvidersNode): ProvidersNode[] {
    return [...((node ? node.children : this.#roots) ?? [])];
  }

  getTreeItem(node: ProvidersNode): vscode.TreeItem {
    const { None, Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(node.label, !node.children?.length ? None : node.isOpen ? Expanded : Collapsed);
    item.id = node.id;
    item.description = node.description ?? '';
    item.tooltip = node.tooltip ?? [node.label, node.description].filter(Boolean).join('\n');
    item.contextValue = node.context ?? '';
    item.accessibilityInformation = { label: spoken(node) };
    const { icon, checkbox, action } = node;
    if (icon) item.iconPath = new vscode.ThemeIcon(icon.id, icon.color === undefined ? undefined : new vscode.ThemeColor(icon.color));
    if (checkbox) {
      const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
      item.checkboxState = {
        state: checkbox.isOn ? Checked : Unchecked,
        tooltip: checkbox.says,
        accessibilityInformation: { label: checkbox.says },
      };
    }
    if (action) item.command = { command: commandName(action), title: node.label, arguments: [node] };
    return item;
  }

  setVisible(isVisible: boolean): void {
    this.watch.setVisible(isVisible);
  }

  setChecked(node: ProvidersNode, isOn: boolean): Promise<unknown> {
    return this.switched(node, isOn);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #draw(): unknown {
    const { facts } = this.watch;
    this.#roots = providersTree(facts);
    this.#summary = providersSummary(facts);
    const { gateway } = facts;
    const off = gateway.kind === 'off' ? gateway.why : '';
    void vscode.commands.executeCommand('setContext', 'tapline.gatewayOff', off);
    return [this.isShown, off, this.#summary, this.#roots];
  }
}

const waysToBegin: Readonly<Record<Extract<GatewayHealth, { kind: 'off' }>['why'], readonly Beginning[]>> = {
  unused: [
    new Beginning('Start a session', 'add', { id: commandName('newSession') }, 'Start a session: the gateway starts with the first one.'),
    new Beginning('Copy a ready-made provider…', 'new-file', { id: commandName('copyProvider') }),
  ],
  user: [
    new Beginning(
      'Start the gateway',
      'play',
      { id: commandName('startGateway') },
      'You have stopped the gateway in this window. Start it.',
    ),
  ],
  setting: [
    new Beginning(
      'Open the setting',
      'gear',
      { id: 'workbench.action.openSettings', argument: 'tapline.gateway.enabled' },
      'The gateway is switched off in the settings. Open the setting.',
    ),
  ],
};
