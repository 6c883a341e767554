/** An emitter of a session: what it runs, and what becomes of what it says. */
import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { dropOldest } from '../../base/dropOldest.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { type EmitterSpec, type EventFilter, isSameEmitter, type Ownership } from '../../tap/wire/emitters/emitterSpec.ts';
import type { EmitterStatus, LineCounts } from '../../tap/wire/emitters/emitterStatus.ts';
import { Limit } from '../../tap/wire/limits.ts';
import type { KeptEmitter } from '../journals/sessionJournal.ts';
import type { CompileBudget } from '../limits/compileBudget.ts';
import { cleanText } from '../limits/cleanText.ts';
import type { Rate } from '../limits/rate.ts';
import { workingDirectory } from '../process/workingDirectory.ts';
import { tellDropped, tellSurfaced } from '../sessions/pushes.ts';
import type { Session } from '../sessions/session.ts';
import { tapStreams } from '../streams/tapStreams.ts';
import { contentName } from '../traces/tracing.ts';
import { CommandEmitter, type CommandHost, type Runner } from './commandEmitter.ts';
import { Injector } from './injector.ts';
import { LineFilter } from './filter/lineFilter.ts';
import type { LineTime } from './lineTime.ts';
import type { Actor } from './ownership.ts';
import { PromptEmitter } from './promptEmitter.ts';
import { RecentLines } from './filter/recentLines.ts';
import { RunTrace } from './runTrace.ts';

const LAST_LINE_LENGTH = 500;

export interface EmitterOptions {
  readonly session: Session;
  readonly clock: Clock;
  readonly time: LineTime;
  readonly budget: CompileBudget;
  /** Of the lines that the session's emitters show. */
  readonly shown: Rate;
  readonly startedBy: Actor;
  /** Where it was started otherwise than it is by now. */
  readonly startedAs: EmitterSpec | undefined;
  changed(): void;
}

export class Emitter {
  readonly name: string;
  readonly stream: string;
  /** Real path of the session's folder. */
  readonly folder: string | undefined;
  #ownership: Ownership;
  #lifespan: EmitterStatus['lifespan'];
  #filter: LineFilter;
  readonly #injector: Injector;
  #attached: Disposable | undefined;
  readonly #runner: Runner;
  readonly #counts: LineCounts = { drop: 0, keep: 0, surface: 0, inject: 0 };
  #lastLine: string | undefined;
  readonly #recent = new RecentLines();
  /** The runs so far. Those of its plan are counted anew each time that somebody starts it again. */
  #runs = 0;
  /** Those that have failed since the last good one. */
  readonly #failed = new Set<number>();
  /** The last one of which a line is for the agent. */
  #interruptedIn: number | undefined;
  /** It was on at a gateway that was killed, and waits for its owner to start it. */
  #isAwaited = false;
  /** Its session has ended, and it was on then. */
  #wasOn: boolean | undefined;

  /** Throws with the name of the field when it cannot be. */
  constructor(
    private readonly spec: EmitterSpec,
    private readonly options: EmitterOptions,
  ) {
    const { startedBy, budget } = options;
    this.name = spec.name;
    this.stream = spec.stream ?? spec.name;
    this.folder = realFolderOf(options.session);
    this.#ownership = spec.ownership ?? (startedBy === 'user' ? 'userOwned' : 'modelOwned');
    this.#lifespan = spec.lifespan ?? 'temporary';
    this.#filter = new LineFilter(spec.eventFilter ?? [], budget);
    const about = { provider: tapStreams.name, stream: this.stream };
    this.#injector = new Injector(`emitter ${spec.name}`, about, ([parent, ...links], startedAt) =>
      options.session.startSpan('inject', { parent, links, startedAt, attributes: { 'tapline.emitter': spec.name } }),
    );
    this.#injector.isEnabled = spec.injector ?? true;
    this.#runner = this.#newRunner();
  }

  get ownership(): Ownership {
    return this.#ownership;
  }

  get lifespan(): EmitterStatus['lifespan'] {
    return this.#lifespan;
  }

  /** It was started as the other one would be, or is like it by now. */
  isAs(other: EmitterSpec): boolean {
    const { startedBy, startedAs = this.spec } = this.options;
    return startedBy === 'user' && [startedAs, this.#specNow].some((own) => isSameEmitter(own, other));
  }

  setLifespan(lifespan: EmitterStatus['lifespan']): void {
    if (this.#lifespan === lifespan) return;
    this.#lifespan = lifespan;
    this.options.changed();
  }

  /** Nothing of it runs, or will run by itself. */
  get isOver(): boolean {
    const { state, pid } = this.#runner;
    return state !== 'running' && state !== 'waiting' && pid === undefined;
  }

  get status(): EmitterStatus {
    const { command, prompt, cwd, description, runInterval, maxRuns, includeStderr } = this.spec;
    const { state, plan, pid, lastEnd, isPaused } = this.#runner;
    const { isEnabled, waiting, dropped, account } = this.#injector;
    const { nextRunInMs } = plan;
    const lastLine = this.#lastLine === undefined ? undefined : cleanText(this.#lastLine, LAST_LINE_LENGTH);
    const given = { command, prompt, cwd, description, runInterval, maxRuns, includeStderr, pid, lastEnd, nextRunInMs, lastLine };
    return {
      name: this.name,
      stream: this.stream,
      ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<typeof given> as object),
      runSchedule: plan.schedule,
      eventFilter: this.#filter.rules,
      ownership: this.#ownership,
      lifespan: this.#lifespan,
      startedBy: this.options.startedBy,
      state,
      runs: plan.runs,
      lines: { ...this.#counts },
      injector: { enabled: isEnabled, waiting, dropped, isPaused: isPaused || this.options.session.inbox.isPaused(account) },
    };
  }

  /** What is needed to start it again as it is now. It is on until somebody stops it or its last run is over, whatever still runs of it. */
  get kept(): KeptEmitter {
    const { folder } = this;
    const { startedBy, startedAs = this.spec } = this.options;
    const spec = this.#specNow;
    const isAsStarted = startedBy === 'model' || isSameEmitter(startedAs, spec);
    const about = { startedBy, ...(folder !== undefined && { folder }), ...(!isAsStarted && { startedAs }) };
    return { spec, ...about, isOn: this.#wasOn ?? this.#isOn };
  }

  get #specNow(): EmitterSpec {
    const eventFilter = this.hasPrompt() ? undefined : this.#filter.rules;
    return {
      ...this.spec,
      ...(eventFilter && { eventFilter }),
      ownership: this.#ownership,
      lifespan: this.#lifespan,
      injector: this.#injector.isEnabled,
    };
  }

  get #isOn(): boolean {
    const { state } = this.#runner;
    return state === 'running' || state === 'waiting' || this.#isAwaited;
  }

  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Until its owner starts it, which knows whether it still may run. */
  awaitOwner(): void {
    this.#isAwaited = true;
  }

  /** Says why not. */
  runNow(): string | undefined {
    this.#isAwaited = false;
    this.#attached ??= this.options.session.inbox.attach(this.#injector);
    const why = this.#runner.runNow();
    if (why === undefined) this.#injector.start();
    return why;
  }

  /** It does not start again either. */
  async stop(): Promise<void> {
    const { waiting } = this.#injector;
    const mightStart = this.#isAwaited || this.#wasOn;
    this.#isAwaited = false;
    if (this.#wasOn) this.#wasOn = false;
    this.#injector.stop();
    if (waiting || mightStart) this.options.changed();
    await this.#runner.stop();
  }

  /** With its session, which the next gateway may have again. */
  async end(): Promise<void> {
    this.#wasOn ??= this.#isOn;
    this.#injector.stop();
    await this.#runner.stop();
  }

  /** It is no more. Its lines stay in the stream. */
  async dispose(): Promise<void> {
    await this.#runner.stop();
    this.#attached?.dispose();
    this.#attached = undefined;
  }

  /** For every line from now on. Throws a ProviderError that names what is wrong, and then nothing has changed. */
  setFilter(rules: EventFilter): void {
    this.#filter = new LineFilter(rules, this.options.budget);
    this.options.changed();
  }

  /** Its newest lines, oldest first, whatever became of them. */
  get recentLines(): readonly string[] {
    return this.#recent.all;
  }

  /** To the model, with the user's yes. */
  handOver(): void {
    this.#ownership = 'modelOwned';
    this.options.changed();
  }

  setInjector(isEnabled: boolean): void {
    this.#injector.isEnabled = isEnabled;
    this.options.session.inbox.poke();
    this.options.changed();
  }

  hasPrompt(): boolean {
    return this.spec.prompt !== undefined;
  }

  /** Something about the emitter itself, beside its lines. */
  note(text: string, level: 'keep' | 'surface'): void {
    this.#store(text, level, { note: true });
  }

  #newRunner(): Runner {
    const { spec } = this;
    const { session, clock, time, startedBy, changed } = this.options;
    const over = (why: string, level: 'keep' | 'surface') => this.note(`${this.name} is over: ${why}`, level);
    const { command, prompt, cwd } = spec;
    if (prompt !== undefined) {
      const about = { provider: tapStreams.name, stream: this.stream };
      const sent = (run: number) => {
        this.#store(cleanText(prompt, Limit.emitterText), 'inject', { run, prompt: true });
        session.note('run', { emitter: this.name, run, prompt });
        const content = session.tracing.hasContent && { [contentName('prompt')]: prompt };
        const attributes = { 'tapline.emitter': this.name, 'tapline.run': run, ...content };
        return session.startSpan('emitter_run', { attributes });
      };
      const account = startedBy === 'model' ? this.#injector.account : undefined;
      return new PromptEmitter({ ...spec, prompt }, about, { clock, inbox: session.inbox, account, changed, over, sent });
    }
    const root = folderOf(session);
    const folder = () => workingDirectory(root, cwd);
    folder();
    const line: CommandHost['line'] = (text, from, trace) => this.#line(text, from, trace);
    const trace: CommandHost['trace'] = (run, isContinuous) => {
      this.#runs++;
      return new RunTrace({ session, emitter: this.name, run, command: command ?? '', isContinuous });
    };
    const ran: CommandHost['ran'] = ({ run, startedAt, end: { problem, ...end } }) => {
      session.note('run', { emitter: this.name, run, command, startedAt, durationMs: clock.now() - startedAt, ...end, problem });
      this.#ran(run, 'code' in end && end.code === 0);
    };
    return new CommandEmitter({ ...spec, command: command ?? '' }, { clock, time, folder, line, trace, changed, over, ran });
  }

  /** What a run has found that failed is no news once a later one is good: the agent may have mended it meanwhile. */
  #ran(run: number, isGood: boolean): void {
    if (!isGood) {
      this.#failed.add(this.#runs);
      // No lines of more runs wait.
      return dropOldest(this.#failed, Limit.injectLines);
    }
    if (this.#runs === this.#interruptedIn) return;
    const count = this.#injector.forget((earlier) => this.#failed.has(earlier));
    this.#failed.clear();
    if (count === 0) return;
    this.note(
      `${count} ${count === 1 ? 'line' : 'lines'} of earlier runs that failed did not go to the agent, because run ${run} is good`,
      'keep',
    );
    this.options.changed();
  }

  #line(text: string, from: string, trace: RunTrace): void {
    const outcome = this.#filter.outcomeOf(text);
    this.#counts[outcome]++;
    this.#lastLine = text;
    this.#recent.add(text);
    if (outcome === 'drop') return;
    const span = outcome === 'keep' ? undefined : trace.shown(outcome);
    const run = this.#runner.plan.runs;
    if (outcome === 'inject') {
      this.#interruptedIn = this.#runs;
      this.#injector.add(text, span, this.#runs);
    }
    this.#store(text, outcome, { run, ...(from === 'stderr' && { from }) });
    if (outcome === 'inject') this.options.session.inbox.poke();
  }

  #store(event: string, level: 'keep' | 'surface' | 'inject', about: Record<string, unknown>): void {
    const { session, clock, shown } = this.options;
    const item = { ts: new Date(clock.now()).toISOString(), event, level, metadata: { emitter: this.name, ...about } };
    session.streams.append(tapStreams, this.stream, item, level === 'keep');
    if (level === 'keep' || session.ending) return;
    const from = { provider: tapStreams.name, stream: this.stream, account: this.#injector.account, emitter: this.name };
    if (shown.take(clock.now())) tellSurfaced(session, from, { ...item, level });
    else tellDropped(session, tapStreams, clock.now());
  }
}

function realFolderOf({ cwd }: Session): string | undefined {
  if (cwd === undefined || !isAbsolute(cwd)) return cwd;
  try {
    return realpathSync(cwd);
  } catch {
    return cwd; // of another computer, or gone
  }
}

/** The real path. Throws when the session has none on this computer. */
function folderOf({ cwd }: Session): string {
  if (cwd === undefined || !isAbsolute(cwd)) throw new Error('command: the session has no folder on this computer');
  return realpathSync(cwd);
}
