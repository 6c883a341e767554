/**
 * A job with its chart in an editor, or what can be started. The extension asks the portal and gives the page what it answers: the page has no
 * token.
 */
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { changesOffered, type OfferedChange } from '../../views/portal/changes/changesOffered.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import {
  type AnswerMessage,
  type JobMessage,
  type JobPageMessage,
  type JobPageRequest,
  type JobPanelMessage,
  parseJobPageMessage,
} from '../../webviews/jobPanel/protocol.ts';
import { onPageMessage } from '../../pages/pageMessages.ts';
import { vsCodeShell, webviewPort } from '../webviewPort.ts';
import { webviewAssets, webviewHtml } from '../sessionView/webviewHtml.ts';
import type { ContextKeys } from '../window/contextKeys.ts';
import type { PortalJobs } from './portalJobs.ts';

const START = 'Start a Job';

/** Whether it can be done to the run that is shown. */
const offeredKeys = {
  pause: 'tapline.jobCanPause',
  continue: 'tapline.jobCanContinue',
  stop: 'tapline.jobCanStop',
} satisfies Record<OfferedChange, string>;

export interface JobPanelsOptions {
  readonly keys: Pick<ContextKeys, 'set'>;
  readonly logger: Logger;
  /** What the page's button does. */
  openPortal(): void;
  showSession(session: Pick<Extract<JobPageMessage, { type: 'showSession' }>, 'sessionId' | 'host' | 'atCard'>): Promise<void>;
}

export class JobPanels implements Disposable {
  #open: JobPanel | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly jobs: PortalJobs,
    private readonly options: JobPanelsOptions,
  ) {}

  /** The run that is shown. */
  get shown(): string | undefined {
    return this.#open?.jobId;
  }

  /** Undefined: what can be started. There is one editor, and it shows what was asked for last. */
  show(jobId: string | undefined): void {
    const onClosed = () => (this.#open = undefined);
    this.#open ??= new JobPanel(this.extensionUri, this.jobs, { ...this.options, show: (id) => this.show(id), onClosed });
    this.#open.show(jobId);
  }

  dispose(): void {
    this.#open?.dispose();
  }
}

interface JobPanelOptions extends JobPanelsOptions {
  /** A run that the user has started. */
  show(jobId: string): void;
  onClosed(): void;
}

class JobPanel implements Disposable {
  readonly #store = new DisposableStore();
  readonly #panel: vscode.WebviewPanel;
  #jobId: string | undefined;
  #isClosed = false;

  constructor(
    extensionUri: vscode.Uri,
    private readonly jobs: PortalJobs,
    private readonly options: JobPanelOptions,
  ) {
    this.#panel = vscode.window.createWebviewPanel('tapline.job', START, vscode.ViewColumn.Active, {
      enableScripts: true,
      // What is typed into the form must not be lost when another tab is shown.
      retainContextWhenHidden: true,
      localResourceRoots: [webviewAssets(extensionUri)],
    });
    const { webview } = this.#panel;
    const handle = (message: JobPageMessage) => this.#handle(message);
    const shell = vsCodeShell(options.logger);
    this.#store.add(onPageMessage(webviewPort(webview), { name: 'The page of a job', shell, parse: parseJobPageMessage, handle }));
    this.#store.add(jobs.onDidChange(() => this.#post()));
    this.#store.add(this.#panel.onDidChangeViewState(() => this.#look()));
    this.#panel.onDidDispose(() => {
      this.#isClosed = true;
      jobs.look(this, undefined);
      this.#store.dispose();
      options.onClosed();
    });
    webview.html = webviewHtml(webview, extensionUri, 'jobPanel', 'Job');
  }

  show(jobId: string | undefined): void {
    this.#jobId = jobId;
    this.#panel.reveal();
    this.#post();
    this.#look();
  }

  get jobId(): string | undefined {
    return this.#jobId;
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
    const offered = run ? changesOffered(run) : [];
    for (const kind of ['pause', 'continue', 'stop'] as const) this.options.keys.set(offeredKeys[kind], offered.includes(kind));
    const message: JobMessage = {
      ...{ type: 'job', at, folder, isRunning: portal !== undefined },
      ...(this.#jobId === undefined ? portal?.offer && { offer: portal.offer } : { jobId: this.#jobId, ...(job && { job }) }),
      ...(portal && {
        waiting: portal.sessions
          .filter(({ waiting }) => waiting > 0)
          .map(({ sessionId, host }) => ({ sessionId, ...(host !== undefined && { host }) })),
      }),
      ...(problem !== undefined && { problem: `${problem} What is shown below may be out of date.` }),
    };
    this.#send(message);
  }

  #send(message: JobPanelMessage): void {
    if (!this.#isClosed) void this.#panel.webview.postMessage([message]);
  }

  async #handle(message: JobPageMessage): Promise<void> {
    if (message.type === 'openPortal') return this.options.openPortal();
    if (message.type === 'ready') return this.#post();
    const { id } = message;
    try {
      this.#send({ type: 'answer', id, ...(await this.#do(message)) });
    } catch (error) {
      this.#send({ type: 'answer', id, problem: messageOf(error) });
    }
  }

  async #do(request: JobPageRequest): Promise<Pick<AnswerMessage, 'input'>> {
    switch (request.type) {
      case 'start':
        this.options.show(await this.jobs.start(request));
        return {};
      case 'change':
        await this.jobs.change(request.jobId, request.change);
        return {};
      case 'stepInput':
        return { input: await this.jobs.stepInput(request.jobId, request.workId) };
      case 'showSession':
        await this.options.showSession(request);
        return {};
    }
  }
}
