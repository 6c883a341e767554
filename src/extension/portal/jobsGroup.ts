/** “Jobs” in the view “Tools & Jobs”: the view model of `views/portal/jobsTree` as rows, and the commands of the rows. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import type { OfferedChange } from '../../views/portal/changes/changesOffered.ts';
import { type JobsInput, type JobsNode, jobsSummary, jobsTree } from '../../views/portal/jobsTree.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import { keep } from '../bridge/storage/storage.ts';
import type { OwnRow } from '../nodeTree/nodeTree.ts';
import { Redraw } from '../nodeTree/redraw.ts';
import { beginning, type GroupSummary, type ToolsGroup } from '../tools/toolsGroup.ts';
import type { PortalJobs } from './portalJobs.ts';

/** When the user has last looked at the jobs, in ms since the epoch. */
const SEEN_KEY = 'tapline.jobsSeen';

export class JobsGroup implements Disposable, ToolsGroup<JobsNode> {
  readonly id = 'jobs';
  readonly label = l10n.t('Jobs');
  readonly icon = 'checklist';
  readonly about = l10n.t('What agents do in steps, run by the portal on this computer. A file says which jobs there are.');
  readonly #store = new DisposableStore();
  readonly #redraw = this.#store.add(new Redraw(() => this.#draw()));
  readonly onDidChange = this.#redraw.onDidDraw;
  /** Ids of the runs that are open. */
  readonly #open = new Set<string>();
  #rows: readonly JobsNode[] = [];
  #isVisible = false;
  /** A portal was there, or the user has asked. */
  #isShown = false;

  constructor(
    private readonly jobs: PortalJobs,
    private readonly storage: vscode.Memento,
    private readonly logger: Logger,
  ) {
    // What was before the first time is not news.
    if (storage.get(SEEN_KEY) === undefined) keep(storage, SEEN_KEY, Date.now(), logger);
    this.#store.add(jobs.onDidChange(() => this.#redraw.now()));
  }

  get isShown(): boolean {
    return this.#isShown;
  }
  get summary(): GroupSummary {
    const { portal } = this.jobs.state;
    return portal ? jobsSummary(portal, this.storage.get<number>(SEEN_KEY, 0)) : { text: l10n.t('the portal does not run'), needsYou: 0 };
  }
  get rows(): readonly JobsNode[] {
    return this.#rows;
  }
  get beginning(): readonly OwnRow[] {
    if (this.jobs.state.portal) return [beginning(l10n.t('Start a job…'), 'play', 'startJob')];
    const what = beginning(l10n.t('Jobs run in the portal'), 'info', undefined, this.about);
    return [
      what,
      beginning(l10n.t('Open the Portal'), 'play', 'openPortal'),
      beginning(l10n.t('New file with jobs…'), 'new-file', 'newPortalEntry'),
    ];
  }

  /** The user has asked for them. */
  show(): void {
    this.#isShown = true;
    this.#redraw.now();
  }

  opens({ jobId }: JobsNode): void {
    if (jobId === undefined || this.#open.has(jobId)) return;
    this.#open.add(jobId);
    this.#look();
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#look();
  }

  closed({ jobId }: JobsNode): void {
    if (jobId === undefined) return;
    this.#open.delete(jobId);
    this.#look();
  }

  /** The run that a command is for: that of the row, otherwise the one that the user picks. `what`: what must be possible with it, or that it has ended. */
  async target(argument: unknown, what?: OfferedChange | 'ended'): Promise<string | undefined> {
    const id = (argument as Partial<JobsNode> | null | undefined)?.id;
    if (id === undefined) await this.jobs.ask();
    const runs = this.#rows.filter(({ jobId }) => jobId !== undefined);
    // Any extension may run a command with any argument.
    if (id !== undefined) return [...runs, ...runs.flatMap(({ children = [] }) => children)].find((node) => node.id === id)?.jobId;
    const able = runs.filter(({ context }) => what === undefined || context.split(' ').includes(what));
    if (able.length === 0) throw new UserError(nothingFor[what ?? 'open']);
    const items = able.map(({ label, description = '', jobId }) => ({
      ...{ label: withoutMarkup(label), description: withoutMarkup(description), jobId },
    }));
    return (await vscode.window.showQuickPick(items, { placeHolder: l10n.t('Which job?'), matchOnDescription: true }))?.jobId;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #look(): void {
    this.jobs.look(this, this.#isVisible ? { jobs: this.#open } : undefined);
  }

  #draw(): void {
    const { portal, jobs, problem, at } = this.jobs.state;
    this.#isShown ||= portal !== undefined;
    const input: JobsInput = { ...(portal ?? { runs: [], sessions: [] }), jobs, now: at, ...(problem !== undefined && { problem }) };
    this.#rows = jobsTree(input);
    // What is on screen has been seen.
    if (this.#isVisible && portal && jobsSummary({ ...portal, sessions: [] }, this.storage.get<number>(SEEN_KEY, 0)).needsYou > 0)
      keep(this.storage, SEEN_KEY, at, this.logger);
  }
}

const nothingFor = {
  open: l10n.t('No job has run yet. “Tapline: Start a Job…” starts one.'),
  pause: l10n.t('No job is running that is not to be paused already.'),
  stop: l10n.t('No job is running.'),
  ended: l10n.t('No job has ended.'),
  continue: l10n.t('No job has paused, stopped or failed that could go on. A job whose loop went round too often is opened first.'),
} satisfies Record<'open' | 'ended' | OfferedChange, string>;
