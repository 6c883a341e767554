/** The charts of an entry, beside the editor in which it is written. They follow what is typed, and where the caret is. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../../base/lifecycle.ts';
import type { Logger } from '../../../base/log.ts';
import { onPageMessage } from '../../../pages/pageMessages.ts';
import { type EntryChartMessage, parseEntryChartPageMessage } from '../../../webviews/entryChart/protocol.ts';
import { webviewAssets, webviewHtml } from '../../sessionView/webviewHtml.ts';
import { vsCodeShell, webviewPort } from '../../webviewPort.ts';
import { entryCharts, jobAt, type JobWithChart } from './entryCharts.ts';

/** After the last key. */
const QUIET_MS = 200;

export class EntryChartPanels implements Disposable {
  readonly #open = new Map<vscode.TextDocument, EntryChartPanel>();

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly logger: Logger,
  ) {}

  /** Of the file that is edited. */
  show(): void {
    const editor = vscode.window.activeTextEditor;
    if (!editor?.document.fileName.endsWith('.json')) throw new UserError('Open the file with jobs first: its chart is shown beside it.');
    const { document } = editor;
    const open = this.#open.get(document);
    if (open) return open.reveal();
    const onClosed = () => this.#open.delete(document);
    this.#open.set(document, new EntryChartPanel(this.extensionUri, editor, onClosed, this.logger));
  }

  dispose(): void {
    for (const panel of this.#open.values()) panel.dispose();
  }
}

class EntryChartPanel implements Disposable {
  readonly #store = new DisposableStore();
  readonly #panel: vscode.WebviewPanel;
  readonly #document: vscode.TextDocument;
  /** Of the last text without faults. */
  #jobs: readonly JobWithChart[] = [];
  #problem: string | undefined;
  #at: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(extensionUri: vscode.Uri, { document, selection }: vscode.TextEditor, onClosed: () => void, logger: Logger) {
    this.#document = document;
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    this.#panel = vscode.window.createWebviewPanel('tapline.entryChart', `Chart of ${basename(document.fileName)}`, place, {
      enableScripts: true,
      localResourceRoots: [webviewAssets(extensionUri)],
    });
    const { webview } = this.#panel;
    const handle = async () => this.#post();
    const shell = vsCodeShell(logger);
    this.#store.add(
      onPageMessage(webviewPort(webview), { name: 'The chart of an entry', shell, parse: parseEntryChartPageMessage, handle }),
    );
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document !== document) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#read(), QUIET_MS);
      }),
    );
    this.#store.add(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        if (textEditor.document === document && selections[0]) this.#moved(selections[0].active);
      }),
    );
    // What is closed is not followed any more.
    this.#store.add(vscode.workspace.onDidCloseTextDocument((closed) => closed === document && this.dispose()));
    this.#panel.onDidDispose(() => {
      this.#isClosed = true;
      clearTimeout(this.#timer);
      this.#store.dispose();
      onClosed();
    });
    this.#at = jobAt(document.getText(), document.offsetAt(selection.active));
    this.#read();
    webview.html = webviewHtml(webview, extensionUri, 'entryChart', 'Chart');
  }

  reveal(): void {
    this.#panel.reveal(undefined, true);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #moved(to: vscode.Position): void {
    const at = jobAt(this.#document.getText(), this.#document.offsetAt(to));
    // Between two jobs the last one stays.
    if (at === undefined || at === this.#at) return;
    this.#at = at;
    this.#post();
  }

  #read(): void {
    const read = entryCharts(this.#document.getText());
    if ('jobs' in read) this.#jobs = read.jobs;
    this.#problem = 'problem' in read ? read.problem : undefined;
    this.#post();
  }

  #post(): void {
    if (this.#isClosed) return;
    const kept = this.#jobs.length > 0 ? 'The chart is that of the last text without faults.' : 'There is no chart yet.';
    const message: EntryChartMessage = {
      ...{ type: 'charts', jobs: this.#jobs },
      ...(this.#at !== undefined && { at: this.#at }),
      ...(this.#problem !== undefined && { problem: `${kept} ${this.#problem}` }),
    };
    void this.#panel.webview.postMessage([message]);
  }
}
