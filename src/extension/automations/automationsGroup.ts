/** “Automations” in the view “Tools & Jobs”: the view model of `views/automations/automationsTree` as rows. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { type AutomationsNode, automationsTree } from '../../views/automations/automationsTree.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import { allRows } from '../../views/tree/treeRow.ts';
import { Redraw } from '../nodeTree/redraw.ts';
import { VisibleClock } from '../nodeTree/visibleClock.ts';
import type { GroupSummary, ToolsGroup } from '../tools/toolsGroup.ts';
import { AutomationCommands } from './automationCommands.ts';
import type { HostAutomations } from './hostAutomations.ts';

/** A burst of changes is drawn once. */
const REDRAW_MS = 100;
/** The times in the rows are told anew. */
const TICK_MS = 60_000;

export class AutomationsGroup implements Disposable, ToolsGroup<AutomationsNode> {
  readonly id = 'automations';
  readonly label = l10n.t('Automations');
  readonly icon = 'watch';
  readonly about = l10n.t('What agent hosts do by themselves, at times or upon events, and how it went.');
  readonly beginning = [];
  readonly #store = new DisposableStore();
  readonly #redraw = this.#store.add(new Redraw(() => this.#draw(), REDRAW_MS));
  readonly onDidChange = this.#redraw.onDidDraw;
  readonly #commands: AutomationCommands;
  readonly #clock = this.#store.add(new VisibleClock(() => this.#redraw.now(), TICK_MS));
  #rows: readonly AutomationsNode[] = [];

  constructor(
    private readonly automations: HostAutomations,
    openSession: (session: SessionRef) => Promise<unknown>,
  ) {
    this.#commands = new AutomationCommands(automations, openSession);
    this.#store.add(automations.onDidChange(() => this.#redraw.soon()));
    this.#redraw.now();
  }

  get rows(): readonly AutomationsNode[] {
    return this.#rows;
  }
  /** A host has automations. */
  get isShown(): boolean {
    return this.automations.able.length > 0;
  }
  get summary(): GroupSummary {
    const known = this.automations.inputs.flatMap(({ state }) => (state ? [state.entries] : [])).flat();
    const running = known.filter(({ runs }) => runs.some(({ lifecycle }) => lifecycle.status === 'running')).length;
    const all = known.length;
    const text =
      running > 0
        ? l10n.t`${l10n.countText(running)} running`
        : all > 0
          ? l10n.plural(all, l10n.t`${l10n.countText(all)} automation`, l10n.t`${l10n.countText(all)} automations`)
          : '';
    return { text, needsYou: 0 };
  }

  setVisible(isVisible: boolean): void {
    this.#clock.setVisible(isVisible);
    this.automations.setVisible(isVisible);
  }

  async setEnabled(argument: unknown, enabled: boolean): Promise<void> {
    const node = await this.#target(argument, enabled ? 'enable' : 'disable');
    if (node) await this.#commands.setEnabled(node, enabled);
  }
  async runNow(argument: unknown): Promise<void> {
    const node = await this.#target(argument, 'run');
    if (node) await this.#commands.runNow(node);
  }
  async stop(argument: unknown): Promise<void> {
    const node = await this.#target(argument, 'stop');
    if (node) await this.#commands.stop(node);
  }
  async openRun(argument: unknown): Promise<void> {
    const node = await this.#target(argument, 'session');
    if (node) await this.#commands.open(node);
  }
  async loadOlder(argument: unknown): Promise<void> {
    const node = await this.#target(argument, 'older');
    if (node) await this.#commands.loadOlder(node);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The row as it is now. Without one the user picks among those that can do it. Any extension may run a command with any argument. */
  async #target(argument: unknown, what: string): Promise<AutomationsNode | undefined> {
    const id = (argument as Partial<AutomationsNode> | null | undefined)?.id;
    const able = allRows(this.#rows).filter(({ context }) =>
      context.split(' ').some((word, index) => word === what && (index > 0 || word === 'older')),
    );
    if (id !== undefined) return able.find((node) => node.id === id);
    if (able.length === 0)
      throw new UserError(
        l10n.t('There is nothing for that among the automations. Open “Automations” in “Tools & Jobs” to see what the hosts have.'),
      );
    const items = able.map((node) => ({
      label: withoutMarkup(node.kind === 'automation' ? node.label : `${node.automation?.definition.title ?? ''}: ${node.label}`),
      description: withoutMarkup(node.description ?? ''),
      node,
    }));
    return (await vscode.window.showQuickPick(items, { placeHolder: l10n.t('Which one?'), matchOnDescription: true }))?.node;
  }

  #draw(): void {
    this.#rows = automationsTree(this.automations.inputs, Date.now());
  }
}
