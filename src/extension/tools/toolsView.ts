/** The view “Tools & Jobs”: the rows of several features, each in a group that is there while there is something of it. */
import * as l10n from '../../base/l10n.ts';
import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { attentionText } from '../../views/attention/attentionItems.ts';
import { keep } from '../bridge/storage/storage.ts';
import { NodeTree, type OwnRow } from '../nodeTree/nodeTree.ts';
import type { ToolsGroup } from './toolsGroup.ts';

const VIEW = 'tapline.tools';
/** As the manifest has it. */
const TITLE = l10n.t('Tools & Jobs');
const CLOSED_KEY = 'tapline.closedToolGroups';

export class ToolsView implements Disposable {
  readonly #store = new DisposableStore();
  readonly #tree: NodeTree<OwnRow>;
  /** Ids of groups that the user has closed. */
  readonly #closed: Set<string>;
  /** Those whose rows the user looks at. */
  #visible: readonly ToolsGroup[] = [];

  /** `setShown`: whether there is anything to show. */
  constructor(
    private readonly groups: readonly ToolsGroup[],
    private readonly storage: vscode.Memento,
    private readonly setShown: (isShown: boolean) => void,
    private readonly logger: Logger,
  ) {
    this.#closed = new Set(storage.get<string[]>(CLOSED_KEY, []));
    this.#tree = this.#store.add(
      new NodeTree<OwnRow>(VIEW, this.#nodes(), {
        row: (node) => this.#row(node),
        opens: (node) => this.#below(node)?.opens?.(node),
        toggled: (node, isOpen) => this.#toggled(node, isOpen),
        checked: (node, isOn) => this.#below(node)?.setChecked?.(node, isOn),
      }),
    );
    this.#store.add(this.#tree.view.onDidChangeVisibility(() => this.#tellVisible()));
    for (const group of groups) this.#store.add(group.onDidChange(() => this.#update()));
    this.#update();
  }

  /** Opens the view at a group that is shown by now. */
  async show({ id }: ToolsGroup): Promise<void> {
    this.#update();
    await this.#tree.reveal(id);
  }

  dispose(): void {
    this.#store.dispose();
  }

  get #shown(): readonly ToolsGroup[] {
    return this.groups.filter(({ isShown }) => isShown);
  }

  #nodes(): OwnRow[] {
    return this.#shown.map((group) => groupRow(group, !this.#closed.has(group.id)));
  }

  /** The group of a row of it. Undefined for the row of the group itself. */
  #below(node: OwnRow): ToolsGroup | undefined {
    const root = this.#tree.rootOf(node);
    return root === node ? undefined : this.groups.find(({ id }) => id === root.id);
  }

  #row(node: OwnRow): OwnRow {
    const group = this.#below(node);
    // Each feature knows only its own rows.
    return group ? { ...node, id: `${group.id}\n${node.id}`, context: `${group.id} ${node.context ?? ''}`.trimEnd() } : node;
  }

  #toggled(node: OwnRow, isOpen: boolean): void {
    const group = this.#below(node);
    if (group) return isOpen ? undefined : group.closed?.(node);
    if (isOpen) this.#closed.delete(node.id);
    else this.#closed.add(node.id);
    keep(this.storage, CLOSED_KEY, [...this.#closed], this.logger);
    this.#tellVisible();
  }

  #tellVisible(): void {
    const before = this.#visible;
    this.#visible = this.#tree.view.visible ? this.#shown.filter(({ id }) => !this.#closed.has(id)) : [];
    for (const group of this.groups) {
      const isVisible = this.#visible.includes(group);
      if (isVisible !== before.includes(group)) group.setVisible(isVisible);
    }
  }

  #update(): void {
    const shown = this.#shown;
    this.setShown(shown.length > 0);
    const needsYou = shown.reduce((sum, { summary }) => sum + summary.needsYou, 0);
    // A view that is closed has only its title to say so. A badge would count again what the badge of Needs You counts.
    const title = needsYou === 0 ? TITLE : `${TITLE} (${l10n.countText(needsYou)})`;
    if (this.#tree.view.title !== title) this.#tree.view.title = title;
    this.#tree.show(this.#nodes());
    this.#tellVisible();
  }
}

function groupRow({ id, label, icon, about, summary, rows, beginning }: ToolsGroup, isOpen: boolean): OwnRow {
  const waiting = attentionText(summary.needsYou);
  const description = [...(waiting === undefined ? [] : [waiting]), summary.text].filter(Boolean).join(' · ');
  return {
    ...{ id, label, description, isOpen },
    tooltip: [label, description, about].filter(Boolean).join('\n'),
    icon: { id: icon, ...(waiting !== undefined && { color: 'list.warningForeground' }) },
    context: `group ${id}`,
    children: rows.length === 0 ? beginning : rows,
  };
}
