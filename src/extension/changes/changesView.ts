/** The Changes view: a native tree that shows the view model of `views/changes/changesTree`, and what the user does in it. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { messageOf, UserError } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { type ChangesNode, changesTree, isFor, operationsOf } from '../../views/changes/changesTree.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import { allRows } from '../../views/tree/treeRow.ts';
import type { ChangesetOperation } from '../../ahp/channels/changeset.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { showError } from '../notifications.ts';
import { NodeTree } from '../nodeTree/nodeTree.ts';
import { Redraw } from '../nodeTree/redraw.ts';
import { openDiff } from '../sessionView/openers.ts';
import { pickOperation, placeOf, runOperation } from './runOperation.ts';
import type { ShownChanges } from './shownChanges.ts';

const VIEW = 'tapline.changes';
/** A burst of changes is drawn once. */
const REDRAW_MS = 100;

/** What the palette offers, by the rows that it is for. */
const KEYS = {
  'tapline.changedFilesShown': 'file',
  'tapline.changeOperationOffered': 'operations',
  'tapline.discardOffered': 'discard',
  'tapline.keepOffered': 'keep',
} as const;

export class ChangesView implements Disposable {
  readonly #store = new DisposableStore();
  readonly #tree: NodeTree<ChangesNode>;
  readonly #redraw = this.#store.add(new Redraw(() => this.#draw(), REDRAW_MS));
  /** URIs of changesets that the user has closed, or has opened beside the first. */
  readonly #toggled = new Map<string, boolean>();
  #roots: readonly ChangesNode[] = [];

  /** `setKey`: whether the session has changesets, and for what there are rows. */
  constructor(
    private readonly changes: ShownChanges,
    private readonly setKey: (key: keyof typeof KEYS | 'tapline.changesShown', value: boolean) => void,
  ) {
    this.#tree = this.#store.add(
      new NodeTree<ChangesNode>(VIEW, [], {
        row: (node) => node,
        toggled: (node, isOpen) => this.#toggle(node, isOpen),
        checked: (node, isOn) => this.#review(node, isOn),
      }),
    );
    const { view } = this.#tree;
    this.#store.add(changes.onDidChange(() => this.#redraw.soon()));
    this.#store.add(view.onDidChangeVisibility(({ visible }) => changes.setVisible(visible)));
    changes.setVisible(view.visible);
    this.#redraw.now();
  }

  /** Without an argument the user picks a file. */
  async openChange(argument: unknown): Promise<void> {
    const { host } = this.changes;
    const node =
      this.#find(argument) ?? (await this.#pick('file', l10n.t('Which file do you want to see?'), l10n.t('No file has changed.')));
    if (host && node?.edit) await openDiff(host, node.edit, l10n.t('changes'));
  }

  /** Without an argument the user picks what it is for. */
  async runOperation(argument: unknown): Promise<void> {
    const { host } = this.changes;
    const none = l10n.t('The host offers nothing to do with the changes now.');
    const node = this.#find(argument) ?? (await this.#pick('operations', l10n.t('For what do you want to do something?'), none));
    if (!host || !node) return;
    const operation = await pickOperation(this.#stateOf(node), placeOf(node));
    if (operation) await this.#run(host, node, operation);
  }

  /** The operation of this id. Without an argument the user picks what it is for. */
  async runOwnOperation(id: 'discard' | 'keep', argument: unknown): Promise<void> {
    const { host } = this.changes;
    const [question, none] =
      id === 'keep'
        ? [l10n.t('Which changes do you want to keep?'), l10n.t('There are no changes now that the host offers to keep.')]
        : [l10n.t('Which changes do you want to discard?'), l10n.t('There are no changes now that the host offers to discard.')];
    const node = this.#find(argument) ?? (await this.#pick(id, question, none));
    if (!host || !node) return;
    const operation = operationsOf(this.#stateOf(node), placeOf(node).scope).find((one) => one.id === id);
    if (!operation) throw new UserError(l10n.t`The host does not offer this for “${node.label}” now.`);
    await this.#run(host, node, operation);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #run(host: RegisteredHost, node: ChangesNode, operation: ChangesetOperation): Promise<void> {
    const stateNow = () => (this.changes.host === host ? this.#stateOf(node) : undefined);
    await runOperation(host, VIEW, placeOf(node), operation, stateNow);
  }

  #stateOf({ changeset }: ChangesNode) {
    return this.changes.inputs.find(({ listed }) => listed.uri === changeset)?.state;
  }

  async #review({ changeset, checkbox, label }: ChangesNode, reviewed: boolean): Promise<void> {
    const model = this.changes.model(changeset);
    if (!model || !checkbox) return;
    try {
      const settlement = await model.perform({ type: 'changeset/filesReviewChanged', files: [...checkbox.files], reviewed }).settled;
      if (settlement.kind !== 'confirmed') throw new UserError(settlement.words ?? settlement.reason);
    } catch (error) {
      await showError(l10n.t`The review of “${label}” was not changed. ${messageOf(error)}`);
    }
  }

  /** The row as it is now. Any extension may run a command with any argument. */
  #find(argument: unknown): ChangesNode | undefined {
    const id = (argument as Partial<ChangesNode> | null | undefined)?.id;
    return allRows(this.#roots).find((node) => node.id === id);
  }

  /** `none`: what is said where the view is open and has no such row. */
  async #pick(what: Parameters<typeof isFor>[0], placeHolder: string, none: string): Promise<ChangesNode | undefined> {
    if (this.#roots.length === 0)
      throw new UserError(l10n.t('Open the Changes view of a session first. It lists what its host says has changed.'));
    const nodes = allRows(this.#roots).filter((node) => isFor(what, node));
    if (nodes.length === 0) throw new UserError(none);
    const items = nodes.map((node) => ({ label: withoutMarkup(node.label), description: withoutMarkup(node.description ?? ''), node }));
    return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.node;
  }

  #isOpen(uri: string): boolean {
    return this.#toggled.get(uri) ?? this.changes.listed[0]?.uri === uri;
  }

  #toggle({ id }: ChangesNode, isOpen: boolean): void {
    this.#toggled.set(id, isOpen);
    this.#redraw.soon();
  }

  #draw(): void {
    const { listed } = this.changes;
    this.setKey('tapline.changesShown', listed.length > 0 || this.changes.isOfTurns);
    this.changes.setOpen(new Set(listed.map(({ uri }) => uri).filter((uri) => this.#isOpen(uri))));
    this.#roots = changesTree(this.changes.inputs, this.changes.folder).map((node) => ({ ...node, isOpen: this.#isOpen(node.id) }));
    const nodes = allRows(this.#roots);
    for (const [key, what] of Object.entries(KEYS))
      this.setKey(
        key as keyof typeof KEYS,
        nodes.some((node) => isFor(what, node)),
      );
    this.#tree.show(this.#roots);
  }
}
