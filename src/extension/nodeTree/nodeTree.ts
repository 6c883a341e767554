/** A native tree that shows rows as values. VS Code is told only of those that look otherwise: a click that comes while a row is replaced is lost. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { type TreeNode, updatedTree } from '../../views/tree/treeChanges.ts';
import { type DrawnRow, spokenRow, type TreeIcon, type TreeRow } from '../../views/tree/treeRow.ts';
import { type CommandId, commandName } from '../commandTable.ts';

export type OwnRow = TreeRow<CommandId>;

interface TreeUse<Node> {
  /** How a node looks. */
  row(node: Node): DrawnRow<CommandId>;
  /** VS Code wants what is below a node: it is open, or about to be. */
  opens?(node: Node): void;
  /** The user has opened or closed it. */
  toggled?(node: Node, isOpen: boolean): void;
  /** The user has ticked it, or has taken the tick away. */
  checked?(node: Node, isOn: boolean): unknown;
  readonly canSelectMany?: boolean;
}

export class NodeTree<Node extends TreeNode> implements Disposable, vscode.TreeDataProvider<Node> {
  readonly view: vscode.TreeView<Node>;
  readonly #store = new DisposableStore();
  readonly #onDidChangeTreeData = this.#store.add(new vscode.EventEmitter<Node[] | undefined>());
  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;
  /** The same objects as long as they are there. */
  #nodes: readonly Node[];
  /** Of those that are not at the top. VS Code may ask for one that has gone meanwhile. */
  readonly #parents = new WeakMap<Node, Node>();
  #areParentsKnown = false;

  constructor(
    viewId: string,
    nodes: readonly Node[],
    private readonly use: TreeUse<Node>,
  ) {
    this.#nodes = updatedTree([], nodes).rows;
    const { canSelectMany = false } = use;
    this.view = this.#store.add(
      vscode.window.createTreeView<Node>(viewId, {
        treeDataProvider: this,
        showCollapseAll: true,
        canSelectMany,
        // A row that is on may have rows that are off.
        manageCheckboxStateManually: true,
      }),
    );
    this.#store.add(this.view.onDidExpandElement(({ element }) => use.toggled?.(element, true)));
    this.#store.add(this.view.onDidCollapseElement(({ element }) => use.toggled?.(element, false)));
    this.#store.add(
      this.view.onDidChangeCheckboxState(async ({ items }) => {
        // The rows show what holds, not what was clicked, which may be asked about first.
        this.#onDidChangeTreeData.fire([...new Set(items.map(([node]) => this.#uppermostWithTick(node)))]);
        for (const [node, state] of items) await use.checked?.(node, state === vscode.TreeItemCheckboxState.Checked);
      }),
    );
  }

  /** At the top. */
  get nodes(): readonly Node[] {
    return this.#nodes;
  }

  show(nodes: readonly Node[]): void {
    const { rows, changes } = updatedTree(this.#nodes, nodes);
    this.#nodes = rows;
    this.#areParentsKnown = false;
    if (changes === 'all') this.#onDidChangeTreeData.fire(undefined);
    else if (changes.length > 0) this.#onDidChangeTreeData.fire([...changes]);
  }

  /** The one at the top that it is below, or itself. */
  rootOf(node: Node): Node {
    const parent = this.getParent(node);
    return parent ? this.rootOf(parent) : node;
  }

  /** Opens the view at the node of this id at the top. */
  async reveal(id: string): Promise<void> {
    const node = this.#nodes.find((one) => one.id === id);
    if (node) await this.view.reveal(node, { select: true, focus: true, expand: true });
  }

  getChildren(node?: Node): Node[] {
    if (!node) return [...this.#nodes];
    this.use.opens?.(node);
    return [...childrenOf(node)];
  }

  getParent(node: Node): Node | undefined {
    if (!this.#areParentsKnown) this.#noteParents(this.#nodes);
    this.#areParentsKnown = true;
    return this.#parents.get(node);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return treeItem(this.use.row(node), node);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #noteParents(nodes: readonly Node[]): void {
    for (const node of nodes) {
      const children = childrenOf(node);
      for (const child of children) this.#parents.set(child, node);
      this.#noteParents(children);
    }
  }

  /** VS Code takes the tick of a row that is drawn again alone for that of the row above it, too. */
  #uppermostWithTick(node: Node): Node {
    const parent = this.getParent(node);
    return parent?.checkbox ? this.#uppermostWithTick(parent) : node;
  }
}

/** The nodes below one are of the same kinds. */
function childrenOf<Node extends TreeNode>({ children = [] }: Node): readonly Node[] {
  return children as readonly Node[];
}

function treeItem(row: DrawnRow<CommandId>, node: TreeNode): vscode.TreeItem {
  const { id, label, description = '', tooltip, icon, context = '', checkbox, action, isOpen } = row;
  const { None, Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, !node.children?.length ? None : isOpen ? Expanded : Collapsed);
  item.id = id;
  item.description = description;
  item.tooltip = tooltip ?? [label, description].filter(Boolean).join('\n');
  item.contextValue = context;
  item.accessibilityInformation = { label: spokenRow(row) };
  if (icon) item.iconPath = themeIcon(icon);
  if (checkbox) {
    const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
    const { isOn, says } = checkbox;
    item.checkboxState = { state: isOn ? Checked : Unchecked, tooltip: says, accessibilityInformation: { label: says } };
  }
  if (typeof action === 'string') item.command = { command: commandName(action), title: label, arguments: [node] };
  else if (action) item.command = { command: action.command, title: label, ...('argument' in action && { arguments: [action.argument] }) };
  return item;
}

function themeIcon({ id, color }: TreeIcon): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}
