/** “Context Providers” in the view “Tools & Jobs”: each provider of the window's folders, with its state. */
import * as l10n from '../../base/l10n.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { isRecord } from '../../base/isRecord.ts';
import type { OwnRow } from '../nodeTree/nodeTree.ts';
import { Redraw } from '../nodeTree/redraw.ts';
import { folderPaths } from '../sessions/folderPaths.ts';
import { settings } from '../settings.ts';
import { beginning, type GroupSummary, type ToolsGroup } from '../tools/toolsGroup.ts';
import type { AgentConsent } from './agentConsent.ts';
import { wordsOf } from './agentQuestions.ts';
import type { OpenCtx } from './openCtx.ts';
import type { ListedProvider } from './providers/listedProvider.ts';
import { providerRow } from './providers/row.ts';

/** A burst of answers is drawn once. */
const REDRAW_MS = 200;

interface ListedRow extends OwnRow {
  readonly folder: string;
  readonly uri: string;
}

export class OpenCtxGroup implements Disposable, ToolsGroup<ListedRow> {
  readonly id = 'context';
  readonly label = l10n.t('Context Providers');
  readonly icon = 'book';
  readonly about = l10n.t('Servers and JavaScript files that know something about your files (OpenCtx).');
  readonly #store = new DisposableStore();
  readonly #redraw = this.#store.add(new Redraw(() => this.#draw(), REDRAW_MS));
  readonly onDidChange = this.#redraw.onDidDraw;
  #rows: readonly ListedRow[] = [];
  /** There was a provider, or the user has asked. */
  #isShown = false;

  constructor(
    private readonly openCtx: OpenCtx,
    private readonly consent: Pick<AgentConsent, 'of' | 'onDidChange'>,
  ) {
    this.#store.add(consent.onDidChange(() => this.#redraw.soon(0)));
    this.#store.add(openCtx.onDidChange(() => this.#redraw.soon()));
    this.#store.add(openCtx.onDidAnswer(() => this.#redraw.soon()));
  }

  get isShown(): boolean {
    return this.#isShown;
  }
  get summary(): GroupSummary {
    const { providers } = this.openCtx;
    const waiting = providers.filter(({ status }) => status.kind === 'waits').length;
    const failed = providers.filter(({ status }) => status.kind === 'failed' || status.kind === 'wrong').length;
    const count = l10n.countText(providers.length);
    const all = l10n.plural(providers.length, l10n.t`${count} provider`, l10n.t`${count} providers`);
    const text = providers.length === 0 ? '' : failed > 0 ? l10n.t`${l10n.countText(failed)} of ${count} failed` : all;
    return { text, needsYou: waiting };
  }
  get rows(): readonly ListedRow[] {
    return this.#rows;
  }
  get beginning(): readonly OwnRow[] {
    const what = beginning(l10n.t('A provider knows your files'), 'info', undefined, this.about);
    const setting = (id: string) => ({ command: 'workbench.action.openSettings', argument: id });
    if (!settings.openCtx()) return [what, beginning(l10n.t('They are switched off in the settings'), 'gear', setting('openctx.enable'))];
    if (folderPaths().length === 0)
      return [what, beginning(l10n.t('Open a folder: they work in its files'), 'folder-opened', { command: 'vscode.openFolder' })];
    return [what, beginning(l10n.t('None is named in the settings'), 'gear', setting('openctx.providers'))];
  }

  /** The user has asked for them. */
  show(): void {
    this.#isShown = true;
    this.#redraw.now();
  }

  /** What is known of them costs nothing. */
  setVisible(): void {}

  dispose(): void {
    this.#store.dispose();
  }

  #draw(): void {
    const { providers } = this.openCtx;
    this.#isShown ||= providers.length > 0;
    this.#rows = providers.map((listed) => this.#row(listed));
    const until = providers.flatMap(({ status }) => (status.kind === 'failed' && status.leftAloneUntil) || []);
    if (until.length > 0) this.#redraw.soon(Math.max(REDRAW_MS, Math.min(...until) - Date.now()));
  }

  #row(listed: ListedProvider): ListedRow {
    const { folder, uri, provider, status } = listed;
    const row = providerRow(listed, folderPaths().length > 1);
    const agents = provider && wordsOf(this.consent.of(provider));
    return {
      ...row,
      ...{ id: JSON.stringify([folder, uri]), folder, uri },
      description: [row.description, agents].filter(Boolean).join(' · '),
      ...(status.kind === 'waits' && { action: 'reviewOpenCtxProviders' as const }),
    };
  }
}

/** The argument of a command that a row was for. */
export function rowOf(argument: unknown): { folder: string; uri: string } | undefined {
  if (!isRecord(argument)) return undefined;
  const { folder, uri } = argument;
  return typeof folder === 'string' && typeof uri === 'string' ? { folder, uri } : undefined;
}
