/**
 * A job with its chart in an editor, or what can be started. The extension asks the portal and gives the page what it answers: the page has no
 * token.
 */
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { type JobMessage, type JobPageMessage, parseJobPageMessage } from '../../webviews/jobPanel/protocol.ts';
import { onPageMessage } from '../../pages/pageMessages.ts';
import { vsCodeShell, webviewPort } from '../webviewPort.ts';
import { webviewAssets, webviewHtml } from '../sessionView/webviewHtml.ts';
import type { PortalJobs } from './portalJobs.ts';

const START = 'Start a Job';

export class JobPanels implements Disposable {
  #open: JobPanel | undefined;

  /** `openPortal`: what the page's button does. */
  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly jobs: PortalJobs,
    private readonly openPortal: () => void,
    private readonly logger: Logger,
  ) {}

  /** Undefined: what can be started. There is one editor, and it shows what was asked for last. */
  show(jobId: string | undefined): void {
    const onClosed = () => (this.#open = undefined);
    this.#open ??= new JobPanel(
      this.extensionUri,
      this.jobs,
      { openPortal: this.openPortal, show: (id) => this.show(id), onClosed },
      this.logger,
    );
    this.#open.show(jobId);
  }

  dispose(): void {
    this.#open?.dispose();
  }
}

interface JobPanelEvents {
  openPortal(): void;
  /** A run that the user has started. */
  show(jobId: string): void;
  onClosed(): void;
}

class JobPanel implements Disposable {
  readonly #store = new DisposableStore();
  readonly #panel: vscode.WebviewPanel;
  #jobId: string | undefined;
  /** Why the last thing that the user did was not done. It stays until the next one. */
  #refusal: string | undefined;
  #isClosed = false;

  constructor(
    extensionUri: vscode.Uri,
    private readonly jobs: PortalJobs,
    private readonly events: JobPanelEvents,
    logger: Logger,
  ) {
    this.#panel = vscode.window.createWebviewPanel('tapline.job', START, vscode.ViewColumn.Active, {
      enableScripts: true,
      // What is typed into the form must not be lost when another tab is shown.
      retainContextWhenHidden: true,
      localResourceRoots: [webviewAssets(extensionUri)],
    });
    const { webview } = this.#panel;
    const handle = (message: JobPageMessage) => this.#handle(message);
    const shell = vsCodeShell(logger);
    this.#store.add(onPageMessage(webviewPort(webview), { name: 'The page of a job', shell, parse: parseJobPageMessage, handle }));
    this.#store.add(jobs.onDidChange(() => this.#post()));
    this.#store.add(this.#panel.onDidChangeViewState(() => this.#look()));
    this.#panel.onDidDispose(() => {
      this.#isClosed = true;
      jobs.look(this, undefined);
      this.#store.dispose();
      events.onClosed();
    });
    webview.html = webviewHtml(webview, extensionUri, 'jobPanel', 'Job');
  }

  show(jobId: string | undefined): void {
    this.#jobId = jobId;
    this.#refusal = undefined;
    this.#panel.reveal();
    this.#post();
    this.#look();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  /** A hidden page asks nothing. */
  #look(): void {
    const wish = this.#jobId === undefined ? { offer: true, jobs: [] } : { jobs: [this.#jobId] };
    this.jobs.look(this, this.#panel.visible ? wish : undefined);
  }

  #post(): void {
    if (this.#isClosed) return;
    const { portal, jobs, at, problem } = this.jobs.state;
    const job = this.#jobId === undefined ? undefined : jobs.get(this.#jobId);
    const run = portal?.runs.find(({ jobId }) => jobId === this.#jobId);
    this.#panel.title = this.#jobId === undefined ? START : oneLine(run?.jobName) || 'Job';
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath ?? '';
    const says = this.#refusal ?? (problem === undefined ? undefined : `${problem} What is shown below may be out of date.`);
    const message: JobMessage = {
      ...{ type: 'job', at, folder, isRunning: portal !== undefined },
      ...(this.#jobId === undefined ? portal?.offer && { offer: portal.offer } : { jobId: this.#jobId, ...(job && { job }) }),
      ...(portal && { waiting: portal.sessions.filter(({ waiting }) => waiting > 0).map(({ sessionId }) => sessionId) }),
      ...(says !== undefined && { problem: says }),
    };
    void this.#panel.webview.postMessage([message]);
  }

  async #handle(message: JobPageMessage): Promise<void> {
    if (message.type === 'openPortal') return this.events.openPortal();
    if (message.type === 'ready') return this.#post();
    this.#refusal = undefined;
    try {
      if (message.type === 'start') this.events.show(await this.jobs.start(message));
      else if (message.type === 'stop') await this.jobs.stop(message.jobId);
      else await this.jobs.goOn(message.jobId, message.loopCap);
    } catch (error) {
      this.#refusal = messageOf(error);
      this.#post();
    }
  }
}
