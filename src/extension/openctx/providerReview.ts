/** Asks the user about providers that a workspace names, with all of what would happen in view. */
import * as l10n from '../../base/l10n.ts';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { dropOldest } from '../../base/dropOldest.ts';
import { UserError } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import type { OpenReview, Reviews } from '../attention/windowAttention.ts';
import { commandName } from '../commandTable.ts';
import { NOT_NOW, showError, showInfo } from '../notifications.ts';
import { TextDocuments } from '../textDocuments.ts';
import type { OpenCtx } from './openCtx.ts';
import type { ListedProvider } from './providers/listedProvider.ts';
import { programText } from './providers/programText.ts';
import type { Provider } from './providers/findProvider.ts';
import { shownProvider } from './providers/shownProvider.ts';

const SCHEME = 'tapline-openctx';
/** Contents that were shown; the oldest go first. */
const MAX_SHOWN = 20;

export class ProviderReview implements Reviews, Disposable {
  readonly #documents = new TextDocuments(SCHEME, l10n.t('This text is no longer kept. Run “Tapline: Review Context Providers…” again.'));
  readonly #shown = new Map<string, Provider>();
  /** Since the last notification. */
  #waiting: Provider[] = [];

  /** `putOff`: the user does not want to be reminded of it. */
  constructor(
    private readonly openCtx: () => OpenCtx,
    private readonly putOff: (review: OpenReview) => void,
  ) {}

  /** Those that wait for the user's word. */
  get open(): OpenReview[] {
    return this.openCtx().providers.flatMap(({ provider, status }) =>
      provider && status.kind === 'waits' ? this.#reviewOf(provider) : [],
    );
  }

  readonly onDidChange: Event<void> = (listener) => this.openCtx().onDidChange(listener);

  /** Several at once are one question. */
  ask(provider: Provider): void {
    this.#waiting.push(provider);
    if (this.#waiting.length === 1) queueMicrotask(() => void this.#notify(this.#waiting.splice(0)));
  }

  /** Shows one that the user picks. */
  async review(only?: { readonly folder: string; readonly uri: string }): Promise<void> {
    await this.openCtx().update();
    const all = this.openCtx().providers.filter(({ provider }) => provider?.needsConsent);
    if (all.length === 0) throw new UserError(l10n.t('No workspace folder names a context provider that needs your word.'));
    const wanted = only && all.find(({ folder, uri }) => folder === only.folder && uri === only.uri);
    if (only && !wanted) throw new UserError(l10n.t`The context provider “${oneLine(only.uri, 80)}” has gone or has changed meanwhile.`);
    const chosen = wanted ?? (all.length === 1 ? all[0] : await pick(all));
    if (chosen?.provider) await this.#show(chosen.provider);
  }

  /** The user's answer to what the active editor shows. */
  async answer(answer: 'run' | 'never'): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const shown = uri?.scheme === SCHEME ? this.#shown.get(uri.query) : undefined;
    if (!shown) throw new UserError(l10n.t('Run “Tapline: Review Context Providers…” first: you decide with the provider in view.'));
    if (answer === 'run') await this.#allow(shown);
    else await this.openCtx().refuse(shown);
  }

  dispose(): void {
    this.#documents.dispose();
  }

  async #notify(providers: readonly Provider[]): Promise<void> {
    const [first] = providers;
    if (!first) return;
    const text =
      providers.length === 1
        ? l10n.t`The workspace names the context provider “${oneLine(first.uri, 80)}”. It gets nothing of your files, and nothing of it runs, until you have seen what it is and allowed it.`
        : l10n.t`The workspace names ${l10n.countText(providers.length)} context providers. They get nothing of your files, and nothing of them runs, until you have seen what they are and allowed them.`;
    const choice = await showInfo(text, REVIEW, NOT_NOW);
    if (choice === NOT_NOW) for (const provider of providers) this.putOff(this.#reviewOf(provider));
    if (choice !== REVIEW) return;
    await vscode.commands.executeCommand(commandName('reviewOpenCtxProviders'), providers.length === 1 ? first : undefined);
  }

  #reviewOf(provider: Provider): OpenReview {
    const { uri, digest } = provider;
    const what = l10n.t('A context provider, off until you allow it');
    return { id: `openctx ${digest}`, title: oneLine(uri, 80), what, review: () => this.review(provider) };
  }

  async #show(provider: Provider): Promise<void> {
    this.#shown.delete(provider.digest);
    this.#shown.set(provider.digest, provider);
    dropOldest(this.#shown, MAX_SHOWN);
    const title = `/${l10n.t`Context provider of ${oneLine(basename(provider.folder))}`}`;
    const program = await programText(provider);
    if (program && 'text' in program) {
      const uri = this.#documents.add(`/${oneLine(basename(program.path))}`, program.text, `${provider.digest} program`);
      await vscode.window.showTextDocument(uri, { preview: false, viewColumn: vscode.ViewColumn.Beside });
    }
    const uri = this.#documents.add(
      title,
      shownProvider(provider, program && 'whyNot' in program ? program.whyNot : undefined),
      provider.digest,
    );
    await vscode.window.showTextDocument(uri, { preview: false, viewColumn: vscode.ViewColumn.One });
    void this.#decide(provider);
  }

  async #decide(provider: Provider): Promise<void> {
    const name = l10n.t`“${oneLine(provider.uri, 80)}”`;
    const choice = await {
      run: () => showInfo(l10n.t`You have allowed ${name}.`, NEVER_ALLOW),
      never: () => showInfo(l10n.t`You have decided never to allow ${name}.`, ALLOW),
      none: () => showInfo(l10n.t`Allow ${name} as it is shown?`, ALLOW, NOT_NOW, NEVER_ALLOW),
    }[this.openCtx().answerOf(provider) ?? 'none']();
    if (choice === ALLOW) await this.#allow(provider);
    else if (choice === NEVER_ALLOW) await this.openCtx().refuse(provider);
    else if (choice === NOT_NOW) this.putOff(this.#reviewOf(provider));
  }

  async #allow(shown: Provider): Promise<void> {
    if (await this.openCtx().allow(shown)) return;
    const text = l10n.t`The provider “${oneLine(shown.uri, 80)}” has changed since it was shown, so it was not allowed.`;
    void showError(text, REVIEW).then((choice) => {
      if (choice) void vscode.commands.executeCommand(commandName('reviewOpenCtxProviders'), shown);
    });
  }
}

const REVIEW = l10n.t('Review…');
const ALLOW = l10n.t('Allow');
const NEVER_ALLOW = l10n.t('Never Allow');

async function pick(all: readonly ListedProvider[]): Promise<ListedProvider | undefined> {
  const answers: Record<string, string> = { waits: l10n.t('waits for your word'), refused: l10n.t('not allowed') };
  const items = all.map((listed) => ({
    label: withoutMarkup(oneLine(listed.uri)),
    description: `${answers[listed.status.kind] ?? l10n.t('allowed')} · ${withoutMarkup(basename(listed.folder))}`,
    listed,
  }));
  return (await vscode.window.showQuickPick(items, { title: l10n.t('Review Context Providers') }))?.listed;
}
