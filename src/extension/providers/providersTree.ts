/** The Providers view: a native tree that shows the view model of `views/providers/providersTree`. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { type ProvidersNode, spoken } from '../../views/providers/node.ts';
import { providersTree } from '../../views/providers/providersTree.ts';
import { type CommandId, commandName } from '../commandTable.ts';
import type { ProvidersWatch } from './providersWatch.ts';

const VIEW = 'tapline.providers';
/** A burst of changes is drawn once. */
const REDRAW_MS = 100;

export class ProvidersTree implements Disposable, vscode.TreeDataProvider<ProvidersNode> {
  readonly #store = new DisposableStore();
  readonly #onDidChangeTreeData = this.#store.add(new vscode.EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;
  #roots: ProvidersNode[] = [];
  #drawn = '';
  #redraw: ReturnType<typeof setTimeout> | undefined;

  /** `switched`: the user has ticked a row, or taken the tick away. */
  constructor(
    private readonly watch: ProvidersWatch,
    switched: (node: ProvidersNode, isOn: boolean) => Promise<unknown>,
  ) {
    const view = this.#store.add(
      vscode.window.createTreeView<ProvidersNode>(VIEW, {
        treeDataProvider: this,
        showCollapseAll: true,
        // A provider that is on may have tools that are off.
        manageCheckboxStateManually: true,
      }),
    );
    this.#store.add(watch.onDidChange(() => this.#schedule()));
    this.#store.add(view.onDidChangeVisibility(({ visible }) => watch.setVisible(visible)));
    this.#store.add(
      view.onDidChangeCheckboxState(async ({ items }) => {
        // The rows show what holds, not what was clicked: a switch may be asked about first. For one row alone, VS Code would also take the
        // tick of its parent away.
        this.#onDidChangeTreeData.fire(undefined);
        for (const [node, state] of items) await switched(node, state === vscode.TreeItemCheckboxState.Checked);
      }),
    );
    watch.setVisible(view.visible);
    this.#draw();
  }

  getChildren(node?: ProvidersNode): ProvidersNode[] {
    return [...((node ? node.children : this.#roots) ?? [])];
  }

  getParent({ id }: ProvidersNode): ProvidersNode | undefined {
    const find = (nodes: readonly ProvidersNode[]): ProvidersNode | undefined => {
      for (const node of nodes) {
        const found = node.children?.some((child) => child.id === id) ? node : find(node.children ?? []);
        if (found) return found;
      }
      return undefined;
    };
    return find(this.#roots);
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
    if (action) item.command = { command: commandName(action satisfies CommandId), title: node.label, arguments: [node] };
    return item;
  }

  dispose(): void {
    clearTimeout(this.#redraw);
    this.#store.dispose();
  }

  #schedule(): void {
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined;
      this.#draw();
    }, REDRAW_MS);
  }

  #draw(): void {
    const { facts } = this.watch;
    this.#roots = providersTree(facts);
    const { gateway } = facts;
    void vscode.commands.executeCommand('setContext', 'tapline.gatewayOff', gateway.kind === 'off' ? gateway.why : '');
    // A click that comes while rows are replaced is lost, so nothing is drawn that looks the same.
    const drawn = JSON.stringify(this.#roots);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#onDidChangeTreeData.fire(undefined);
  }
}
