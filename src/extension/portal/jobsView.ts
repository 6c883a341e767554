/** The view “Jobs”. The extension asks the portal and gives the page what it answers: the page has no token. */
import * as vscode from 'vscode';
import { messageOf, UserError } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { jobOffer, jobRuns, jobStatus } from '../../views/portal/jobData.ts';
import { sessionList } from '../../views/portal/sessionData.ts';
import { type JobsMessage, type JobsViewMessage, parseJobsViewMessage } from '../../webviews/jobsView/protocol.ts';
import { webviewAssets, webviewHtml } from '../sessionView/webviewHtml.ts';
import { callPortal, readPortal } from './portalClient.ts';
import type { PortalAddress, PortalDaemon } from './portalDaemon.ts';

const JOBS_VIEW = 'tapline.jobs';
const REFRESH_MS = 1000;

export class JobsView implements Disposable {
  readonly #store = new DisposableStore();
  #page: JobsPage | undefined;

  /** `openPortal`: what the page's button does. */
  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly portal: PortalDaemon,
    private readonly openPortal: () => void,
  ) {
    const provider: vscode.WebviewViewProvider = { resolveWebviewView: (view) => this.#resolve(view) };
    // What is typed into the form must not be lost when the view is folded.
    this.#store.add(vscode.window.registerWebviewViewProvider(JOBS_VIEW, provider, { webviewOptions: { retainContextWhenHidden: true } }));
  }

  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${JOBS_VIEW}.focus`);
  }

  /** Asks the portal at once. */
  refresh(): void {
    this.#page?.refresh();
  }

  dispose(): void {
    this.#page?.dispose();
    this.#store.dispose();
  }

  #resolve(view: vscode.WebviewView): void {
    view.webview.options = { enableScripts: true, localResourceRoots: [webviewAssets(this.extensionUri)] };
    const page = new JobsPage(view, this.portal, this.openPortal);
    this.#page = page;
    view.onDidDispose(() => {
      page.dispose();
      if (this.#page === page) this.#page = undefined;
    });
    view.webview.html = webviewHtml(view.webview, this.extensionUri, 'jobsView', 'Jobs');
  }
}

class JobsPage implements Disposable {
  readonly #store = new DisposableStore();
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;
  /** Counts what was asked: an answer that another question has overtaken is not shown. */
  #asked = 0;
  #shownJob: string | undefined;
  /** Why the last thing that the user did was not done. It stays until the next one. */
  #refusal: string | undefined;
  #last: Omit<JobsMessage, 'type' | 'folder'> = { at: 0 };

  constructor(
    private readonly view: vscode.WebviewView,
    private readonly portal: PortalDaemon,
    private readonly openPortal: () => void,
  ) {
    this.#store.add(view.webview.onDidReceiveMessage((value: unknown) => this.#receive(value)));
    this.#store.add(view.onDidChangeVisibility(() => this.refresh()));
  }

  refresh(): void {
    clearTimeout(this.#timer);
    // A hidden page asks nothing.
    if (!this.#isDisposed && this.view.visible) void this.#ask();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  async #ask(): Promise<void> {
    const asked = ++this.#asked;
    let next: Omit<JobsMessage, 'type' | 'folder'>;
    try {
      next = await this.#state();
    } catch (error) {
      next = { ...this.#last, problem: `${messageOf(error)} What is shown below may be out of date.` };
    }
    if (this.#isDisposed || asked !== this.#asked) return;
    this.#last = next;
    this.#post();
    this.#timer = setTimeout(() => this.refresh(), REFRESH_MS);
  }

  async #state(): Promise<Omit<JobsMessage, 'type' | 'folder'>> {
    const address = await this.portal.find();
    if (!address) return { at: Date.now() };
    const [offer, { runs }, { sessions }] = await Promise.all([
      readPortal(address, 'copilot/job', jobOffer),
      readPortal(address, 'copilot/job/runs', jobRuns),
      readPortal(address, 'copilot/session', sessionList),
    ]);
    // Old runs are forgotten.
    if (!runs.some(({ jobId }) => jobId === this.#shownJob)) this.#shownJob = undefined;
    const job = this.#shownJob === undefined ? undefined : await readPortal(address, `copilot/job/${this.#shownJob}/status`, jobStatus);
    const waiting = sessions.filter((one) => one.waiting > 0).map(({ sessionId }) => sessionId);
    return { portal: { offer, runs, waiting }, ...(job && { job }), at: Date.now() };
  }

  #post(): void {
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath ?? '';
    const { problem = this.#refusal, ...rest } = this.#last;
    const message: JobsMessage = { type: 'jobs', ...rest, folder, ...(problem !== undefined && { problem }) };
    void this.view.webview.postMessage([message]);
  }

  #receive(value: unknown): void {
    const message = parseJobsViewMessage(value);
    if (!message) return;
    if (message.type === 'openPortal') return this.openPortal();
    if (message.type === 'show') this.#shownJob = message.jobId;
    if (message.type !== 'ready') this.#refusal = undefined;
    if (message.type === 'ready' || message.type === 'show') return this.refresh();
    void this.#act(message);
  }

  async #act(message: Extract<JobsViewMessage, { type: 'start' | 'stop' | 'continue' }>): Promise<void> {
    try {
      const address = await this.portal.find();
      if (!address) throw new UserError('The portal does not run any more.');
      if (message.type === 'start') this.#shownJob = await startJob(address, message);
      else await callPortal(address, `copilot/job/${message.jobId}/${message.type}`, bodyOf(message));
    } catch (error) {
      this.#refusal = messageOf(error);
    }
    this.refresh();
  }
}

function bodyOf(message: Extract<JobsViewMessage, { type: 'stop' | 'continue' }>): string | undefined {
  return message.type === 'continue' && message.loopCap !== undefined ? JSON.stringify({ loopCap: message.loopCap }) : undefined;
}

/** The id of the run. */
async function startJob(address: PortalAddress, { jobName, folder, userInput, revision }: Extract<JobsViewMessage, { type: 'start' }>) {
  const { jobId } = await callPortal(address, `copilot/job/start/${encodeURIComponent(jobName)}`, `${folder}\n${userInput}`, {
    'If-Match': `"${revision}"`,
  });
  // It becomes a part of a path.
  if (typeof jobId !== 'string' || !/^[\w-]+$/.test(jobId)) throw new UserError('The portal did not answer as a portal does.');
  return jobId;
}
