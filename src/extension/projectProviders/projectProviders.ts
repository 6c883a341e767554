/**
 * Which providers and emitters of a folder run for which sessions: those of the folder that a session works in, once the user has allowed exactly this
 * content, and only in a trusted workspace. No VS Code here.
 */
import { englishOf, messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { Logger } from '../../base/log.ts';
import type { OwnedSession } from '../../tap/owner/ownerClient.ts';
import type { Answers } from './consentAnswers.ts';
import type { Project } from './project.ts';

export interface ProjectSession {
  readonly owned: OwnedSession;
  /** The gateway has it now. */
  readonly isRegistered: boolean;
  /** Real path of the workspace folder that it works in; undefined: of none of this window. */
  readonly folder: string | undefined;
}

export interface ProjectProvidersOptions {
  isTrusted(): boolean;
  /** Those of this window. */
  sessions(): readonly ProjectSession[];
  answers: Answers;
  /** Called once for each list without an answer, when a session needs it. */
  ask(project: Project): void;
  /** The gateway has refused to start the providers, or an emitter. */
  onRefused(project: Project, reason: string): void;
  logger: Logger;
}

/** Of one session. */
interface Run {
  wanted: Project | undefined;
  /** What the gateway was told to run. */
  started: Project | undefined;
  /** What the gateway has of the window before this one was compared with what is wanted. */
  isLooked: boolean;
  /** What the gateway has refused to run. It is not asked twice. */
  refused?: Project;
  /** Starts and stops, one after the other. */
  work: Promise<void>;
}

export class ProjectProviders {
  readonly #projects = new Map<string, Project>();
  /** Folders whose file was read. */
  readonly #read = new Set<string>();
  readonly #runs = new Map<OwnedSession, Run>();
  readonly #asked = new Set<string>();
  readonly #onDidUpdate = new Emitter<void>();
  /** `unanswered` may have changed. */
  readonly onDidUpdate = this.#onDidUpdate.event;

  constructor(private readonly options: ProjectProvidersOptions) {}

  /** What was read of a folder last; undefined: it names none, or cannot be read. */
  set(folder: string, project: Project | undefined): void {
    this.#read.add(folder);
    if (project) this.#projects.set(folder, project);
    else this.#projects.delete(folder);
    this.update();
  }

  /** The lists of all folders, as they were read last. */
  get projects(): Project[] {
    return [...this.#projects.values()];
  }

  /** The lists that the user was asked about and has not answered. */
  get unanswered(): Project[] {
    return this.projects.filter(
      (project) => this.#asked.has(project.digest) && !this.options.answers.of(project) && this.#isCurrent(project),
    );
  }

  /** The user has seen this list and allows it. False, and nothing starts, when the folder has another list by now. */
  async allow(project: Project): Promise<boolean> {
    if (!this.#isCurrent(project)) return false;
    await this.options.answers.set(project, 'run');
    this.update();
    return true;
  }

  /** The user does not allow this list. Stops what runs of it. */
  async refuse(project: Project): Promise<void> {
    await this.options.answers.set(project, 'never');
    this.update();
  }

  /** Restarts the providers and emitters of an allowed list, also those that have failed or were stopped. */
  restart(project: Project): void {
    for (const [owned, run] of this.#runs) {
      if (run.wanted?.digest !== project.digest) continue;
      run.wanted = { ...run.wanted }; // no longer equal to what runs
      this.#enqueue(owned, run);
    }
  }

  /** Call it after every change of the sessions, the trust and the answers. */
  update(): void {
    const sessions = new Map(this.options.sessions().map((session) => [session.owned, session]));
    // The gateway stops the providers of a session that has ended.
    for (const owned of this.#runs.keys()) if (!sessions.has(owned)) this.#runs.delete(owned);
    for (const session of sessions.values()) this.#follow(session);
    this.#onDidUpdate.fire();
  }

  #follow({ owned, isRegistered, folder }: ProjectSession): void {
    const { answers, ask, isTrusted } = this.options;
    const isInFolder = folder !== undefined && isTrusted();
    const project = isInFolder ? this.#projects.get(folder) : undefined;
    const answer = project && answers.of(project);
    if (project && !answer && isRegistered && !this.#asked.has(project.digest)) {
      this.#asked.add(project.digest);
      ask(project);
    }
    const wanted = answer === 'run' ? project : undefined;
    const run = this.#runs.get(owned) ?? { wanted: undefined, started: undefined, isLooked: false, work: Promise.resolve() };
    // Nothing starts while the gateway is away. Afterwards it starts by itself what it had.
    if (wanted && !isRegistered) return;
    const isKnown = isRegistered && (!isInFolder || this.#read.has(folder));
    const isAsBefore = run.wanted?.digest === wanted?.digest;
    if (isAsBefore && (run.isLooked || !isKnown)) return;
    run.isLooked ||= isKnown;
    if (!isAsBefore) run.wanted = wanted;
    this.#runs.set(owned, run);
    this.#enqueue(owned, run);
  }

  #enqueue(owned: OwnedSession, run: Run): void {
    run.work = run.work.then(() => this.#work(owned, run));
  }

  async #work(owned: OwnedSession, run: Run): Promise<void> {
    const { started, wanted } = run;
    const isRestart = started !== undefined && started !== wanted && started.digest === wanted?.digest;
    // The user has added an emitter, for example.
    const goesOn = !isRestart && started !== undefined && JSON.stringify(started.providers) === JSON.stringify(wanted?.providers);
    try {
      if (started && started !== wanted) {
        run.started = undefined;
        if (started.providers.length > 0 && !goesOn) await owned.stopProviders();
      }
    } catch (error) {
      this.options.logger.warn(`Stopping project providers: ${englishOf(error)}`);
    }
    if (!run.started) await this.#stopEmitters(owned, run, isRestart);
    const isStillWanted = () => run.wanted === wanted && this.#runs.get(owned) === run;
    if (!wanted || run.started || run.refused === wanted || !isStillWanted()) return;
    try {
      run.started = wanted;
      if (wanted.providers.length > 0 && !goesOn) await owned.startProviders(wanted.folder, wanted.providers);
      await this.#startEmitters(owned, wanted, isStillWanted);
    } catch (error) {
      run.started = undefined;
      if (error instanceof RpcError) {
        run.refused = wanted;
        return this.options.onRefused(wanted, messageOf(error));
      }
      // The gateway went away: with the next one the session is registered again.
      if (run.wanted === wanted) run.wanted = undefined;
    }
  }

  /** Of an earlier list, also of the window before this one, what is not in this one. */
  async #stopEmitters(owned: OwnedSession, run: Run, all: boolean): Promise<void> {
    const stay = new Set(all ? [] : run.wanted?.emitters.map(({ name }) => name));
    try {
      await owned.emitters.withdrawOthers(stay);
    } catch (error) {
      // The next gateway has them again.
      if (!(error instanceof RpcError)) run.isLooked = false;
      this.options.logger.warn(`Stopping the emitters of a folder: ${englishOf(error)}`);
    }
  }

  /** Each for itself: another one may have the name of one of them. */
  async #startEmitters(owned: OwnedSession, wanted: Project, isStillWanted: () => boolean): Promise<void> {
    for (const emitter of wanted.emitters) {
      if (!isStillWanted()) return; // what comes next stops those that were started
      try {
        await owned.emitters.start(emitter);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        this.options.onRefused(wanted, `${emitter.name}: ${messageOf(error)}`);
      }
    }
  }

  #isCurrent({ folder, digest }: Project): boolean {
    return this.options.isTrusted() && this.#projects.get(folder)?.digest === digest;
  }
}
