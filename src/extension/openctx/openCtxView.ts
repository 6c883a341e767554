/** The Context Providers view: each provider of the window's folders, with its state. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { isRecord } from '../../base/isRecord.ts';
import { commandName } from '../commandTable.ts';
import { folderPaths } from '../sessions/folderPaths.ts';
import type { AgentConsent } from './agentConsent.ts';
import { wordsOf } from './agentQuestions.ts';
import type { OpenCtx } from './openCtx.ts';
import type { ListedProvider } from './providers/listed.ts';
import { providerRow } from './providers/row.ts';

const VIEW = 'tapline.openctx';
/** A burst of answers is drawn once. */
const REDRAW_MS = 200;

export class OpenCtxView implements Disposable, vscode.TreeDataProvider<ListedProvider> {
  readonly #store = new DisposableStore();
  readonly #onDidChangeTreeData = this.#store.add(new vscode.EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#onDidChangeTreeData.event;
  #drawn = '';
  #redraw: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly openCtx: OpenCtx,
    private readonly consent: Pick<AgentConsent, 'of' | 'onDidChange'>,
  ) {
    this.#store.add(vscode.window.createTreeView(VIEW, { treeDataProvider: this }));
    this.#store.add(consent.onDidChange(() => this.#schedule(0)));
    this.#store.add(openCtx.onDidChange(() => this.#schedule(REDRAW_MS)));
    this.#store.add(openCtx.onDidAnswer(() => this.#schedule(REDRAW_MS)));
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
    const drawn = JSON.stringify(
      providers.map((listed) => [providerRow(listed, false), listed.provider && this.consent.of(listed.provider)]),
    );
    if (drawn !== this.#drawn) this.#onDidChangeTreeData.fire(undefined);
    this.#drawn = drawn;
    const until = providers.flatMap(({ status }) => (status.kind === 'failed' && status.leftAloneUntil) || []);
    if (until.length > 0) this.#schedule(Math.max(REDRAW_MS, Math.min(...until) - Date.now()));
  }
}

/** The argument of a command that a row was for. */
export function rowOf(argument: unknown): { folder: string; uri: string } | undefined {
  if (!isRecord(argument)) return undefined;
  const { folder, uri } = argument;
  return typeof folder === 'string' && typeof uri === 'string' ? { folder, uri } : undefined;
}
