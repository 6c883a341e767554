/** “Context Providers” in the view “Tools & Jobs”: each provider of the window's folders, with its state. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { isRecord } from '../../base/isRecord.ts';
import { counted } from '../../views/text/counted.ts';
import { commandName } from '../commandTable.ts';
import { Redraw } from '../redraw.ts';
import { folderPaths } from '../sessions/folderPaths.ts';
import { settings } from '../settings.ts';
import { Beginning, type GroupSummary, type ToolsGroup } from '../tools/toolsGroup.ts';
import type { AgentConsent } from './agentConsent.ts';
import { wordsOf } from './agentQuestions.ts';
import type { OpenCtx } from './openCtx.ts';
import type { ListedProvider } from './providers/listed.ts';
import { providerRow } from './providers/row.ts';

/** A burst of answers is drawn once. */
const REDRAW_MS = 200;

export class OpenCtxGroup implements Disposable, ToolsGroup<ListedProvider> {
  readonly id = 'context';
  readonly label = 'Context Providers';
  readonly icon = 'book';
  readonly about = 'Servers and JavaScript files that know something about your files (OpenCtx).';
  readonly #store = new DisposableStore();
  readonly #rows = this.#store.add(new Redraw(() => this.#drawn()));
  readonly onDidChange = this.#rows.onDidChange;
  #redraw: ReturnType<typeof setTimeout> | undefined;
  /** There was a provider, or the user has asked. */
  #isShown = false;

  constructor(
    private readonly openCtx: OpenCtx,
    private readonly consent: Pick<AgentConsent, 'of' | 'onDidChange'>,
  ) {
    this.#store.add(consent.onDidChange(() => this.#schedule(0)));
    this.#store.add(openCtx.onDidChange(() => this.#schedule(REDRAW_MS)));
    this.#store.add(openCtx.onDidAnswer(() => this.#schedule(REDRAW_MS)));
  }

  get isShown(): boolean {
    return this.#isShown;
  }
  get summary(): GroupSummary {
    const { providers } = this.openCtx;
    const waiting = providers.filter(({ status }) => status.kind === 'waits').length;
    const failed = providers.filter(({ status }) => status.kind === 'failed' || status.kind === 'wrong').length;
    const text =
      providers.length === 0 ? '' : failed > 0 ? `${failed} of ${providers.length} failed` : counted(providers.length, 'provider');
    return { text, needsYou: waiting };
  }
  get beginning(): readonly Beginning[] {
    const what = new Beginning('A provider knows your files', 'info', undefined, this.about);
    const setting = (id: string) => ({ id: 'workbench.action.openSettings', argument: id });
    if (!settings.openCtx()) return [what, new Beginning('They are switched off in the settings', 'gear', setting('openctx.enable'))];
    if (folderPaths().length === 0)
      return [what, new Beginning('Open a folder: they work in its files', 'folder-opened', { id: 'vscode.openFolder' })];
    return [what, new Beginning('None is named in the settings', 'gear', setting('openctx.providers'))];
  }

  /** The user has asked for them. */
  show(): void {
    this.#isShown = true;
    this.#draw();
  }

  getChildren(): ListedProvider[] {
    return this.openCtx.providers;
  }

  getTreeItem(listed: ListedProvider): vscode.TreeItem {
    const row = providerRow(listed, folderPaths().length > 1);
    const item = new vscode.TreeItem(row.label);
    item.id = JSON.stringify([listed.folder, listed.uri]);
    const agents = listed.provider && wordsOf(this.consent.of(listed.provider));
    item.description = [row.description, agents].filter(Boolean).join(' · ');
    item.tooltip = row.tooltip;
    item.iconPath = new vscode.ThemeIcon(row.icon, row.color === undefined ? undefined : new vscode.ThemeColor(row.color));
    item.contextValue = row.context;
    item.accessibilityInformation = { label: `${row.label}, ${item.description}` };
    if (listed.status.kind === 'waits')
      item.command = { command: commandName('reviewOpenCtxProviders'), title: 'Review', arguments: [listed] };
    return item;
  }

  /** What is known of them costs nothing. */
  setVisible(): void {}

  dispose(): void {
    clearTimeout(this.#redraw);
    this.#store.dispose();
  }

  #schedule(ms: number): void {
    clearTimeout(this.#redraw);
    this.#redraw = setTimeout(() => this.#draw(), ms);
  }

  #draw(): void {
    const { providers } = this.openCtx;
    this.#isShown ||= providers.length > 0;
    this.#rows.now();
    const until = providers.flatMap(({ status }) => (status.kind === 'failed' && status.leftAloneUntil) || []);
    if (until.length > 0) this.#schedule(Math.max(REDRAW_MS, Math.min(...until) - Date.now()));
  }

  #drawn(): unknown {
    const rows = this.openCtx.providers.map((listed) => [providerRow(listed, false), listed.provider && this.consent.of(listed.provider)]);
    return [this.#isShown, this.beginning, rows];
  }
}

/** The argument of a command that a row was for. */
export function rowOf(argument: unknown): { folder: string; uri: string } | undefined {
  if (!isRecord(argument)) return undefined;
  const { folder, uri } = argument;
  return typeof folder === 'string' && typeof uri === 'string' ? { folder, uri } : undefined;
}
