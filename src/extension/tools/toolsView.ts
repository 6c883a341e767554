/** The view “Tools & Jobs”: the rows of several features, each in a group that is there while there is something of it. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { attentionText } from '../../views/attention/attentionItems.ts';
import { Beginning, type ToolsGroup } from './toolsGroup.ts';

const VIEW = 'tapline.tools';
/** As the manifest has it. */
const TITLE = 'Tools & Jobs';
const CLOSED_KEY = 'tapline.closedToolGroups';

type Element = ToolsGroup | object;

export class ToolsView implements Disposable, vscode.TreeDataProvider<Element> {
  readonly #store = new DisposableStore();
  readonly #onDidChangeTreeData = this.#store.add(new vscode.EventEmitter<Element | undefined>());
  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;
  readonly #view: vscode.TreeView<Element>;
  /** Of each row that VS Code has. */
  readonly #places = new WeakMap<object, { group: ToolsGroup; parent: Element }>();
  /** Ids of groups that the user has closed. */
  readonly #closed: Set<string>;
  #shown: readonly ToolsGroup[] = [];
  /** Those whose rows the user looks at. */
  #visible: readonly ToolsGroup[] = [];

  /** `setShown`: whether there is anything to show. */
  constructor(
    private readonly groups: readonly ToolsGroup[],
    private readonly storage: vscode.Memento,
    private readonly setShown: (isShown: boolean) => void,
  ) {
    this.#closed = new Set(storage.get<string[]>(CLOSED_KEY, []));
    this.#view = this.#store.add(
      vscode.window.createTreeView<Element>(VIEW, {
        treeDataProvider: this,
        showCollapseAll: true,
        // A row that is on may have rows that are off.
        manageCheckboxStateManually: true,
      }),
    );
    this.#store.add(this.#view.onDidChangeVisibility(() => this.#tellVisible()));
    this.#store.add(this.#view.onDidExpandElement(({ element }) => this.#toggled(element, true)));
    this.#store.add(this.#view.onDidCollapseElement(({ element }) => this.#toggled(element, false)));
    this.#store.add(
      this.#view.onDidChangeCheckboxState(async ({ items }) => {
        // The rows show what holds, not what was clicked: a switch may be asked about first. For one row alone, VS Code would also take the
        // tick of its parent away.
        this.#onDidChangeTreeData.fire(undefined);
        for (const [row, state] of items)
          await this.#places.get(row)?.group.setChecked?.(row, state === vscode.TreeItemCheckboxState.Checked);
      }),
    );
    for (const group of groups) this.#store.add(group.onDidChange(() => this.#update(group)));
    this.#update();
  }

  getChildren(element?: Element): Element[] {
    if (!element) return [...this.#shown];
    const group = this.#groupOf(element);
    const rows = element === group ? group.getChildren() : group.getChildren(element);
    const shown = element === group && rows.length === 0 ? [...group.beginning] : rows;
    for (const row of shown) this.#places.set(row, { group, parent: element });
    return shown;
  }

  getParent(element: Element): Element | undefined {
    return this.#places.get(element)?.parent;
  }

  getTreeItem(element: Element): vscode.TreeItem {
    const group = this.#groupOf(element);
    if (element === group) return this.#groupItem(group);
    const item = element instanceof Beginning ? beginningItem(element) : group.getTreeItem(element);
    // Each feature knows only its own rows.
    item.id = `${group.id}\n${item.id}`;
    item.contextValue = `${group.id} ${item.contextValue ?? ''}`.trimEnd();
    return item;
  }

  /** Opens the view at a group that is shown by now. */
  async show(group: ToolsGroup): Promise<void> {
    this.#update();
    await this.#view.reveal(group, { select: true, focus: true, expand: true });
  }

  dispose(): void {
    this.#store.dispose();
  }

  #groupOf(element: Element): ToolsGroup {
    return this.#places.get(element)?.group ?? (element as ToolsGroup);
  }

  #groupItem({ id, label, icon, about, summary }: ToolsGroup): vscode.TreeItem {
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(label, this.#closed.has(id) ? Collapsed : Expanded);
    const waiting = attentionText(summary.needsYou);
    const description = [...(waiting === undefined ? [] : [waiting]), summary.text].filter(Boolean).join(' · ');
    item.id = id;
    item.description = description;
    item.tooltip = [label, description, about].filter(Boolean).join('\n');
    item.iconPath = new vscode.ThemeIcon(icon, waiting === undefined ? undefined : new vscode.ThemeColor('list.warningForeground'));
    item.contextValue = `group ${id}`;
    item.accessibilityInformation = { label: [label, description].filter(Boolean).join(', ') };
    return item;
  }

  #toggled(element: Element, isOpen: boolean): void {
    const group = this.#groupOf(element);
    if (element !== group) return isOpen ? undefined : group.closed?.(element);
    if (isOpen) this.#closed.delete(group.id);
    else this.#closed.add(group.id);
    void this.storage.update(CLOSED_KEY, [...this.#closed]);
    this.#tellVisible();
  }

  #tellVisible(): void {
    const before = this.#visible;
    this.#visible = this.#view.visible ? this.#shown.filter(({ id }) => !this.#closed.has(id)) : [];
    for (const group of this.groups) {
      const isVisible = this.#visible.includes(group);
      if (isVisible !== before.includes(group)) group.setVisible(isVisible);
    }
  }

  /** `group`: what has changed. */
  #update(group?: ToolsGroup): void {
    const shown = this.groups.filter(({ isShown }) => isShown);
    const isSame = shown.length === this.#shown.length && shown.every((one, at) => one === this.#shown[at]);
    this.#shown = shown;
    this.setShown(shown.length > 0);
    const needsYou = shown.reduce((sum, { summary }) => sum + summary.needsYou, 0);
    // A view that is closed has only its title to say so. A badge would count again what the badge of Needs You counts.
    const title = needsYou === 0 ? TITLE : `${TITLE} (${needsYou})`;
    if (this.#view.title !== title) this.#view.title = title;
    if (!isSame) {
      this.#onDidChangeTreeData.fire(undefined);
      this.#tellVisible();
    } else if (group && shown.includes(group)) this.#onDidChangeTreeData.fire(group);
  }
}

function beginningItem({ label, icon, command, tooltip }: Beginning): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.id = `beginning ${label}`;
  item.tooltip = tooltip;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.accessibilityInformation = { label: tooltip };
  if (command) item.command = { command: command.id, title: label, ...('argument' in command && { arguments: [command.argument] }) };
  return item;
}
