/** Shows what providers know about the files in view: code lenses, hovers, decorations and a picker. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import { DocumentItems } from './editor/documentItems.ts';
import { hoverAt, ItemDecorations, lensesOf, rangeOf } from './editor/itemViews.ts';
import type { ShownItem } from './editor/shownItem.ts';
import type { OpenCtx } from './openCtx.ts';

const FILES: vscode.DocumentSelector = { scheme: 'file' };

export class OpenCtxEditor implements Disposable {
  readonly #store = new DisposableStore();
  /** Of documents that were in view and are open. */
  readonly #documents = new Map<vscode.TextDocument, DocumentItems>();
  readonly #decorations = this.#store.add(new ItemDecorations());
  readonly #onDidChangeItems = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChangeItems = this.#onDidChangeItems.event;

  constructor(private readonly openCtx: OpenCtx) {
    const { workspace, window, languages } = vscode;
    this.#store.add(openCtx.onDidChange(() => this.#forget()));
    this.#store.add(window.onDidChangeVisibleTextEditors(() => this.#look()));
    this.#store.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => this.#documents.get(document)?.edited(contentChanges)),
    );
    // One whose language is changed is closed and opened.
    this.#store.add(workspace.onDidOpenTextDocument(() => this.#look()));
    this.#store.add(workspace.onDidCloseTextDocument((document) => this.#close(document)));
    this.#store.add(
      languages.registerCodeLensProvider(FILES, {
        onDidChangeCodeLenses: this.onDidChangeItems,
        provideCodeLenses: (document) => lensesOf(document, this.itemsOf(document)),
      }),
    );
    this.#store.add(
      languages.registerHoverProvider(FILES, { provideHover: (document, position) => hoverAt(document, this.itemsOf(document), position) }),
    );
    this.#look();
  }

  /** As far as they are known. */
  itemsOf(document: vscode.TextDocument): readonly ShownItem[] {
    return this.#documents.get(document)?.items ?? [];
  }

  /** The click on a lens. `uri`: of its document. */
  async showItem(uri: unknown, id: unknown): Promise<void> {
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
    const item = editor && this.itemsOf(editor.document).find((one) => one.id === id);
    if (!editor || !item) return;
    if (item.url !== undefined) await openLink(item.url);
    else await showPlace(editor, item);
  }

  /** `line`: only of this one. */
  async pick(line?: unknown): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const items = editor && (await this.#itemsNow(editor.document));
    if (!editor || !items) throw new UserError(l10n.t('Open a file of a workspace folder first.'));
    const lineOf = (item: ShownItem) => (item.isAtTop ? 0 : rangeOf(editor.document, item).start.line);
    const wanted = typeof line === 'number' ? items.filter((item) => lineOf(item) === line) : items;
    if (wanted.length === 0) throw new UserError(this.#whyNothing(editor.document));
    const quickPick = vscode.window.createQuickPick<vscode.QuickPickItem & { item: ShownItem }>();
    quickPick.title = l10n.t('Context of This File');
    quickPick.matchOnDescription = quickPick.matchOnDetail = true;
    const link: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('link-external'), tooltip: l10n.t('Open the link') };
    quickPick.items = wanted.map((item) => ({
      label: item.title,
      description: item.place ? l10n.t`line ${rangeOf(editor.document, item).start.line + 1}` : l10n.t('whole file'),
      detail: withoutMarkup(oneLine(item.provider)),
      buttons: item.url === undefined ? [] : [link],
      item,
    }));
    quickPick.onDidTriggerItemButton(({ item: { item } }) => void openLink(item.url));
    quickPick.onDidAccept(() => {
      const [chosen] = quickPick.selectedItems;
      quickPick.hide();
      if (!chosen) return;
      const { place, hover, url } = chosen.item;
      void (place || hover ? showPlace(editor, chosen.item) : openLink(url));
    });
    quickPick.onDidHide(() => quickPick.dispose());
    quickPick.show();
  }

  dispose(): void {
    for (const document of [...this.#documents.keys()]) this.#close(document);
    this.#store.dispose();
  }

  async #itemsNow(document: vscode.TextDocument): Promise<readonly ShownItem[] | undefined> {
    const items = this.#of(document);
    await items?.ask();
    return items?.items;
  }

  #whyNothing(document: vscode.TextDocument): string {
    const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath ?? '';
    if (!this.openCtx.client(folder))
      return l10n.t('No context provider is asked for this folder. Look at “Tapline: Show Context Providers”.');
    const { errors } = this.openCtx;
    const failed = errors.length === 0 ? [] : [l10n.t('Some of them fail, or answer wrongly: look at “Tapline: Show Context Providers”.')];
    return l10n.sentencesText([l10n.t('No context provider says anything about this.'), ...failed]);
  }

  #of(document: vscode.TextDocument): DocumentItems | undefined {
    const known = this.#documents.get(document);
    const folder = vscode.workspace.getWorkspaceFolder(document.uri);
    if (known || document.isClosed || document.uri.scheme !== 'file' || !folder) return known;
    const items = new DocumentItems(document, () => this.openCtx.client(folder.uri.fsPath));
    items.onDidChange(() => {
      this.#onDidChangeItems.fire();
      for (const editor of vscode.window.visibleTextEditors) if (editor.document === document) this.#decorations.draw(editor, items.items);
    });
    this.#documents.set(document, items);
    return items;
  }

  /** Only files in view are asked about: VS Code opens others in the background. */
  #look(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const items = this.#of(editor.document);
      if (!items) continue;
      this.#decorations.draw(editor, items.items);
      void items.ask();
    }
  }

  #forget(): void {
    for (const items of this.#documents.values()) items.forget();
    this.#look();
  }

  #close(document: vscode.TextDocument): void {
    this.#documents.get(document)?.dispose();
    this.#documents.delete(document);
  }
}

/** VS Code asks about the address first, unless the user trusts it. */
async function openLink(url: string | undefined): Promise<void> {
  if (url !== undefined) await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

async function showPlace(editor: vscode.TextEditor, item: ShownItem): Promise<void> {
  const { start } = rangeOf(editor.document, item);
  const shown = await vscode.window.showTextDocument(editor.document, {
    ...(editor.viewColumn !== undefined && { viewColumn: editor.viewColumn }),
    selection: new vscode.Range(start, start),
  });
  if (item.hover && shown) await vscode.commands.executeCommand('editor.action.showHover');
}
