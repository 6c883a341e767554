/** The charts of an entry, beside the editor in which it is written. They follow what is typed, and where the caret is. */
import * as l10n from '../../../base/l10n.ts';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../../base/lifecycle.ts';
import type { Logger } from '../../../base/log.ts';
import { onPageMessage } from '../../../pages/pageMessages.ts';
import type { Entry } from '../../../portal/entry/entry.ts';
import type { Trial, TrialScript } from '../../../views/portal/trial/trial.ts';
import {
  type EntryChartMessage,
  type EntryChartPageMessage,
  parseEntryChartPageMessage,
  type ShownTrial,
} from '../../../webviews/entryChart/protocol.ts';
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
    this.#panelOf(vscode.window.activeTextEditor).reveal();
  }

  /** Without `uri` and `job`: that of the file that is edited in which the caret is, else its first. */
  async try(uri?: unknown, job?: unknown): Promise<void> {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    const editor = typeof uri === 'string' ? visibleTextEditors.find(({ document }) => document.uri.toString() === uri) : activeTextEditor;
    const panel = this.#panelOf(editor);
    panel.reveal();
    await panel.try(typeof job === 'string' ? job : undefined);
  }

  #panelOf(editor: vscode.TextEditor | undefined): EntryChartPanel {
    if (!editor || !['json', 'jsonc'].includes(editor.document.languageId))
      throw new UserError(l10n.t('Open the file with jobs first: its chart is shown beside it.'));
    const { document } = editor;
    const open = this.#open.get(document);
    if (open) return open;
    const panel = new EntryChartPanel(this.extensionUri, editor, () => this.#open.delete(document), this.logger);
    this.#open.set(document, panel);
    return panel;
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
  #entry: Entry | undefined;
  /** The job that is tried, and how. */
  #tried: { job: string; script: TrialScript } | undefined;
  #trial: ShownTrial | undefined;
  #problem: string | undefined;
  #at: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(extensionUri: vscode.Uri, { document, selection }: vscode.TextEditor, onClosed: () => void, logger: Logger) {
    this.#document = document;
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    this.#panel = vscode.window.createWebviewPanel('tapline.entryChart', l10n.t`Chart of ${basename(document.fileName)}`, place, {
      enableScripts: true,
      localResourceRoots: [webviewAssets(extensionUri)],
    });
    const { webview } = this.#panel;
    const handle = (message: EntryChartPageMessage) => this.#handle(message);
    const shell = vsCodeShell(logger);
    this.#store.add(
      // eslint-disable-next-line texts/translated -- for the log
      onPageMessage(webviewPort(webview), { name: 'The chart of an entry', shell, parse: parseEntryChartPageMessage, handle }),
    );
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document !== document) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#read(), QUIET_MS);
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
    void this.#read();
    webview.html = webviewHtml(webview, extensionUri, 'entryChart', l10n.t('Chart'));
  }

  reveal(): void {
    this.#panel.reveal(undefined, true);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  /** Undefined: the job in which the caret is, else the first one. */
  async try(name: string | undefined): Promise<void> {
    const job = name ?? this.#at ?? this.#jobs[0]?.name;
    if (!this.#jobs.some((one) => one.name === job) || job === undefined)
      throw new UserError(l10n.t('There is no such job in the last text without faults.'));
    await this.#try({ job, script: { outcomes: {} } });
  }

  async #handle(message: EntryChartPageMessage): Promise<void> {
    if (message.type === 'ready') return this.#post();
    if (message.type === 'endTrial') return this.#try(undefined);
    const { type: _type, job, ...script } = message;
    await this.#try({ job, script });
  }

  /** Undefined: none is tried any more. */
  async #try(wanted: { job: string; script: TrialScript } | undefined): Promise<void> {
    this.#tried = wanted;
    const result = wanted && this.#entry && (await this.#resultOf(this.#entry, wanted));
    // Another one is wanted meanwhile.
    if (this.#tried !== wanted) return;
    this.#trial = wanted && result && { ...wanted, result };
    // The job is not there any more.
    if (!this.#trial) this.#tried = undefined;
    this.#post();
  }

  async #resultOf(entry: Entry, { job, script }: { job: string; script: TrialScript }): Promise<Trial | undefined> {
    const { tryJob } = await import('../../../portal/trial/tryJob.ts');
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
    return tryJob(entry, job, { ...script, ...(folder !== undefined && { folder }) });
  }

  #moved(to: vscode.Position): void {
    const at = jobAt(this.#document.getText(), this.#document.offsetAt(to));
    // Between two jobs the last one stays.
    if (at === undefined || at === this.#at) return;
    this.#at = at;
    this.#post();
  }

  async #read(): Promise<void> {
    const read = entryCharts(this.#document.getText());
    this.#problem = 'problem' in read ? read.problem : undefined;
    if ('jobs' in read) ({ entry: this.#entry, jobs: this.#jobs } = read);
    // What is tried is tried again, with the entry as it is.
    if ('jobs' in read && this.#tried) await this.#try(this.#tried);
    else this.#post();
  }

  #post(): void {
    if (this.#isClosed) return;
    const kept = this.#jobs.length > 0 ? l10n.t('The chart is that of the last text without faults.') : l10n.t('There is no chart yet.');
    const message: EntryChartMessage = {
      ...{ type: 'charts', jobs: this.#jobs },
      ...(this.#at !== undefined && { at: this.#at }),
      ...(this.#trial && { trial: this.#trial }),
      ...(this.#problem !== undefined && { problem: `${kept} ${this.#problem}` }),
    };
    void this.#panel.webview.postMessage([message]);
  }
}
