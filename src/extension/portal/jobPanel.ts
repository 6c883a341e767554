/**
 * A job with its chart in an editor, or what can be started. The extension asks the portal and gives the page what it answers: the page has no
 * token.
 */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import type { ResultAnswer, ResultQuestion } from '../../views/portal/result/resultQuestions.ts';
import { changesOffered, type OfferedChange } from '../../views/portal/changes/changesOffered.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import {
  type AnswerMessage,
  type BeginMessage,
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
import { ResultFiles } from './resultFiles.ts';

const START = l10n.t('Start a Job');
/** Of which no more is known. */
const JOB = l10n.t('Job');

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
  readonly #files: ResultFiles;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly jobs: PortalJobs,
    private readonly options: JobPanelsOptions,
  ) {
    this.#files = new ResultFiles(jobs);
  }

  /** The run that is shown. */
  get shown(): string | undefined {
    return this.#open?.jobId;
  }

  /** Undefined: what can be started. There is one editor, and it shows what was asked for last. */
  show(jobId: string | undefined): void {
    const onClosed = () => (this.#open = undefined);
    const options = { ...this.options, files: this.#files, show: (id: string) => this.show(id), onClosed };
    this.#open ??= new JobPanel(this.extensionUri, this.jobs, options);
    this.#open.show(jobId);
  }

  close(): void {
    this.#open?.dispose();
  }

  /** What its button does, in the page. */
  begin(deed: BeginMessage['deed']): void {
    this.#open?.begin(deed);
  }

  /** All that the run that is shown has changed, in one editor. */
  async showChanges(): Promise<void> {
    const jobId = this.shown;
    if (jobId === undefined) return;
    const run = this.jobs.state.portal?.runs.find((one) => one.jobId === jobId);
    await this.#files.showAll(jobId, run?.jobName ?? JOB);
  }

  dispose(): void {
    this.#open?.dispose();
    this.#files.dispose();
  }
}

interface JobPanelOptions extends JobPanelsOptions {
  files: ResultFiles;
  /** A run that the user has started. */
  show(jobId: string): void;
  onClosed(): void;
}

class JobPanel implements Disposable {
  readonly #store = new DisposableStore();
  readonly #panel: vscode.WebviewPanel;
  #jobId: string | undefined;
  #isClosed = false;
  /** The run of which it is known that it has changed files. */
  #changed: string | undefined;
  /** What the page has said last that can be begun on it. */
  #offers: Pick<Extract<JobPageMessage, { type: 'offers' }>, 'jobId' | 'deeds'> | undefined;
  /** What the portal is asked for, by the numbers of the messages. */
  readonly #asked = new Map<number, AbortController>();
  /** What waits until the page is seen again. */
  readonly #unseen = new Set<() => void>();

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
    // eslint-disable-next-line texts/translated -- for the log
    this.#store.add(onPageMessage(webviewPort(webview), { name: 'The page of a job', shell, parse: parseJobPageMessage, handle }));
    this.#store.add(jobs.onDidChange(() => this.#post()));
    this.#store.add(this.#panel.onDidChangeViewState(() => this.#look()));
    this.#panel.onDidDispose(() => {
      this.#isClosed = true;
      for (const control of this.#asked.values()) control.abort();
      jobs.look(this, undefined);
      this.#store.dispose();
      options.onClosed();
    });
    webview.html = webviewHtml(webview, extensionUri, 'jobPanel', JOB);
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

  begin(deed: BeginMessage['deed']): void {
    this.#panel.reveal();
    this.#send({ type: 'begin', deed });
  }

  dispose(): void {
    this.#panel.dispose();
  }

  /** A hidden page asks nothing. */
  #look(): void {
    if (this.#panel.visible) for (const go of this.#unseen) go();
    const wish = this.#jobId === undefined ? { offer: true, jobs: [] } : { jobs: [this.#jobId] };
    this.jobs.look(this, this.#panel.visible ? wish : undefined);
  }

  #post(): void {
    if (this.#isClosed) return;
    const { portal, jobs, at, problem } = this.jobs.state;
    const job = this.#jobId === undefined ? undefined : jobs.get(this.#jobId);
    const run = portal?.runs.find(({ jobId }) => jobId === this.#jobId);
    this.#panel.title = this.#jobId === undefined ? START : oneLine(run?.jobName) || JOB;
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath ?? '';
    const offered = run ? changesOffered(run) : [];
    for (const kind of ['pause', 'continue', 'stop'] as const) this.options.keys.set(offeredKeys[kind], offered.includes(kind));
    this.#setResultKeys();
    const message: JobMessage = {
      ...{ type: 'job', at, folder, isRunning: portal !== undefined },
      ...(this.#jobId === undefined ? portal?.offer && { offer: portal.offer } : { jobId: this.#jobId, ...(job && { job }) }),
      ...(portal && {
        waiting: portal.sessions
          .filter(({ waiting }) => waiting > 0)
          .map(({ sessionId, host }) => ({ sessionId, ...(host !== undefined && { host }) })),
      }),
      ...(problem !== undefined && { problem: l10n.t`${problem} What is shown below may be out of date.` }),
    };
    this.#send(message);
  }

  #setResultKeys(): void {
    const { keys } = this.options;
    keys.set('tapline.jobHasChanges', this.#jobId !== undefined && this.#changed === this.#jobId);
    const deeds = this.#offers?.jobId === this.#jobId ? this.#offers?.deeds : undefined;
    keys.set('tapline.jobCanCommit', deeds?.includes('commit') ?? false);
    keys.set('tapline.jobCanRequest', deeds?.includes('pullRequest') ?? false);
  }

  #send(message: JobPanelMessage): void {
    if (!this.#isClosed) void this.#panel.webview.postMessage([message]);
  }

  async #handle(message: JobPageMessage): Promise<void> {
    if (message.type === 'openPortal') return this.options.openPortal();
    if (message.type === 'ready') return this.#post();
    if (message.type === 'openLink') return void (await vscode.env.openExternal(vscode.Uri.parse(message.address, true)));
    if (message.type === 'offers') {
      this.#offers = message;
      return this.#setResultKeys();
    }
    if (message.type === 'cancel') return this.#asked.get(message.of)?.abort();
    const { id } = message;
    const control = new AbortController();
    this.#asked.set(id, control);
    try {
      this.#send({ type: 'answer', id, ...(await this.#do(message, control.signal)) });
    } catch (error) {
      // What is not wanted any more is answered to nobody.
      this.#send({ type: 'answer', id, problem: messageOf(error) });
    } finally {
      this.#asked.delete(id);
    }
  }

  async #do(request: JobPageRequest, signal: AbortSignal): Promise<Pick<AnswerMessage, 'input' | 'result'>> {
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
      case 'result':
        return { result: await this.#result(request, signal) };
      case 'showChange':
        await this.options.files.showChange(request.jobId, request.change);
        return {};
      case 'openFile':
        await this.options.files.open(request.jobId, request.file);
        return {};
    }
  }

  async #result(request: Extract<JobPageRequest, { type: 'result' }>, signal: AbortSignal): Promise<ResultAnswer<ResultQuestion>> {
    const { jobId } = request;
    if (request.question !== 'result') return this.jobs.askResult(jobId, request.question, request.body, signal);
    await this.#seen(signal);
    const result = await this.jobs.askResult(jobId, 'result', {}, signal);
    const hasChanged = result.steps.some(({ changes }) => changes.length > 0);
    if (jobId === this.#jobId && hasChanged !== (this.#changed === jobId)) {
      this.#changed = hasChanged ? jobId : undefined;
      this.#setResultKeys();
    }
    return result;
  }

  /** The page asks again and again, also while it is hidden. Rejects once its answer is not wanted any more. */
  async #seen(signal: AbortSignal): Promise<void> {
    if (this.#panel.visible) return;
    await new Promise<void>((resolve) => {
      const go = () => {
        this.#unseen.delete(go);
        resolve();
      };
      this.#unseen.add(go);
      signal.addEventListener('abort', go);
    });
    signal.throwIfAborted();
  }
}
