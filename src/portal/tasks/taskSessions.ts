/** The sessions of one task, and how a prompt gets through to one in spite of crashes. */
import { englishOf, messageOf } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Approval } from '../entry/approve.ts';
import type { RuntimeValues } from '../prompts/runtimeValues.ts';
import type { PersonAnswer } from '../runs/personAnswer.ts';
import { RoundWatch } from '../limits/roundWatch.ts';
import { noUsage, sum } from '../limits/usage.ts';
import { answerDecision, stalledDecision, unaskedDecision } from './decisionTexts.ts';
import type { PortalSession, UnaskedCall } from './portalSession.ts';
import { SessionStoppedError } from './portalSession.ts';
import { reportedDocument, Round } from './round.ts';
import { Stopped, untilStopped } from './stopping.ts';
import { drivingModel, drivingTries, taskModel, type TaskContext, type TaskRequest } from './taskContext.ts';
import type { Tell } from './tell.ts';

export const SESSION_CRASH_PREFIX = 'The session crashed, please redo and here is the last request:\n';
/** How often a prompt is sent in all. */
export const MANAGED_TRIES = 5;
export const BORROWED_TRIES = 1;

/** A task session works on the prompt, a driving session checks conditions. */
export type Role = 'task' | 'driving';

/** What follows waits so long for a session to be stopped. */
export const STOP_MS = 10_000;

export const NOTHING_RUNS = 'No turn of the step runs at the moment.';

/** The prompt was tried as often as it may be. */
export class SendCrashedError extends Error {
  override readonly name = 'SendCrashedError';
}

interface Open {
  session: PortalSession;
  /** Gives it back. */
  use: Disposable;
}

export class TaskSessions {
  readonly #context: TaskContext;
  readonly #request: TaskRequest;
  readonly #values: RuntimeValues;
  readonly #tell: Tell;
  readonly #signal: AbortSignal;
  /** Whether one session does all. Otherwise each prompt gets one of its own. */
  readonly #isSingle: boolean;
  /** Of the tries of a prompt that checks a condition, where the entry names them. */
  readonly #drivingModels: readonly string[] | undefined;
  /** From 1. */
  #tried = 1;
  #open: Open | undefined;
  /** Sessions that are asked for and not there yet. */
  readonly #starting = new Set<Promise<unknown>>();
  /** Stops that have not come to their end. */
  readonly #stopping = new Set<Promise<void>>();
  /** In the rounds that have ended. */
  #used = noUsage;
  /** Of the round that runs. */
  #round: RoundWatch | undefined;
  /** Why a call of a session was not recorded. */
  #unrecorded: unknown;

  /** When the signal is aborted, all sessions of the task are stopped. Throws a `SessionBusyError` when the borrowed session is used. */
  constructor(context: TaskContext, request: TaskRequest, values: RuntimeValues, tell: Tell, signal: AbortSignal) {
    this.#context = context;
    this.#request = request;
    this.#values = values;
    this.#tell = tell;
    this.#signal = signal;
    this.#isSingle = Boolean(request.borrowed) || request.task.criteria?.runConditionInSameSession !== false;
    this.#drivingModels = this.#isSingle ? undefined : drivingTries(request);
    const { borrowed } = request;
    if (borrowed) this.#open = { session: borrowed, use: this.#use(borrowed) };
    signal.addEventListener('abort', () => this.#release(), { once: true });
  }

  /**
   * Sends a prompt, with the runtime variables that are set then. A round that has reached a limit was stopped, and says so. Rejects with a {@link SendCrashedError}, or a `SessionStoppedError` when
   * somebody else stopped the session or its turn.
   */
  async send(role: Role, prompt: string): Promise<Round> {
    const ofRole = role === 'driving' ? this.#drivingModels?.length : undefined;
    const tries = this.#request.borrowed ? BORROWED_TRIES : (ofRole ?? MANAGED_TRIES);
    for (let tried = 1; ; tried++) {
      this.#tried = tried;
      const round = new Round(this.#values);
      const text = this.#values.substitute(prompt);
      const failure = await this.#try(role, tried === 1 ? text : SESSION_CRASH_PREFIX + text, round);
      if (!failure || round.overLimit !== undefined) return round;
      const reason = messageOf(failure.error);
      this.#tell({ type: 'taskDecision', reason: `[SESSION CRASHED] Try ${tried} of ${tries}: ${reason}` });
      if (!this.#request.borrowed) this.#close(false);
      // Nobody who stops an agent wants it to begin again.
      if (failure.error instanceof SessionStoppedError) throw failure.error;
      if (tried === tries) throw new SendCrashedError(reason, { cause: failure.error });
    }
  }

  /** Tells the session that works now. Resolves with why it could not be told. */
  async steer(text: string, by: string): Promise<string | undefined> {
    return this.#open ? this.#open.session.steer(text, by) : NOTHING_RUNS;
  }

  /** What was used since it was told last. */
  tellUsed(): void {
    this.#round?.tellNow();
  }

  /** The task has ended. */
  end(succeeded: boolean): void {
    if (this.#request.borrowed) this.#release();
    else this.#close(succeeded);
  }

  /** Resolves when no agent of the task works any more, or after {@link STOP_MS}. Never rejects. */
  async stopped(): Promise<void> {
    if (this.#stopping.size + this.#starting.size === 0) return;
    const { clock, logger } = this.#context;
    let timer: Disposable | undefined;
    const late = new Promise<'late'>((resolve) => (timer = clock.setTimer(() => resolve('late'), STOP_MS)));
    const end = await Promise.race([this.#atRest(), late]);
    timer?.dispose();
    if (end === 'late')
      logger.warn(`the agent of task ${this.#request.taskId} may still work: it was not stopped within ${STOP_MS / 1000} s`);
  }

  /** A session that arrives when nobody wants it any more is stopped then. */
  async #atRest(): Promise<void> {
    while (this.#starting.size + this.#stopping.size > 0) await Promise.all([...this.#starting, ...this.#stopping]);
  }

  /** Undefined when it went well. */
  async #try(role: Role, prompt: string, round: Round): Promise<{ error: unknown } | undefined> {
    const isNew = !this.#open;
    if (this.#context.settled) await untilStopped(this.#context.settled(), this.#signal);
    if (isNew) {
      // It would work beside the one before.
      await untilStopped(this.stopped(), this.#signal);
      const failure = await this.#failureOf(() => this.#startTracked(role));
      if (failure) return failure;
    }
    const session = this.#open?.session;
    // A stop has come since the session arrived.
    if (!session) throw new Stopped();
    if (isNew)
      this.#tell({ type: 'taskSessionStarted', sessionId: session.id, model: this.#model(role), isDriving: this.#isDriving(role) });
    this.#tell({ type: 'taskPrompt', sessionId: session.id, prompt });
    if (this.#context.settled) await untilStopped(this.#context.settled(), this.#signal);
    const listening = new DisposableStore();
    listening.add(
      session.onDidStartTool((tool) => {
        round.toolStarted(tool);
        const path = reportedDocument(tool);
        if (path !== undefined) this.#note(session, { type: 'taskDocument', sessionId: session.id, path });
      }),
    );
    listening.add(session.onDidAnswer((answer) => round.noteAnswer(answer)));
    const over = new AbortController();
    const watch = (this.#round = listening.add(this.#watch(session, round, over)));
    const signal = AbortSignal.any([this.#signal, over.signal]);
    const failure = await this.#failureOf(() => session.send(prompt, signal), signal).finally(() => listening.dispose());
    this.#used = sum([this.#used, watch.used]);
    if (this.#unrecorded !== undefined) throw this.#unrecorded;
    const { overLimit } = round;
    if (overLimit !== undefined) this.#tell({ type: 'taskDecision', reason: overLimit });
    if ((!failure || overLimit !== undefined) && !this.#isSingle) this.#close(overLimit === undefined);
    return failure;
  }

  /** `over`: aborted when a limit is reached. */
  #watch(session: PortalSession, round: Round, over: AbortController): RoundWatch {
    const before = this.#used;
    return new RoundWatch({
      ...{ limits: this.#request.task.limits, clock: this.#context.clock, session },
      onUsed: (used) => this.#note(session, { type: 'taskUsage', used: sum([before, used]) }),
      onLimit: (decision) => {
        round.overLimit = decision;
        over.abort(new Error(decision));
      },
      onStalled: (since, minutes) => {
        this.#note(session, { type: 'taskDecision', reason: stalledDecision(minutes) });
        this.#note(session, { type: 'taskStalled', since });
      },
      onResumed: () => this.#note(session, { type: 'taskResumed' }),
    });
  }

  #startTracked(role: Role): Promise<void> {
    const start = this.#start(role);
    const settled = start.catch(() => undefined).finally(() => this.#starting.delete(settled));
    this.#starting.add(settled);
    return start;
  }

  async #start(role: Role): Promise<void> {
    const { workingDirectory, task } = this.#request;
    const { approve = [], host } = task;
    const request = { model: this.#model(role), workingDirectory, approve, ...(host !== undefined && { host }) };
    const session = await this.#context.sessions.start(request, this.#signal);
    // Nobody waits for it any more.
    if (this.#signal.aborted) return this.#stop(session);
    // Nothing may come between its arrival and this, or a stop would miss it.
    this.#open = { session, use: this.#use(session) };
    session.onDidRunUnasked((call) => this.#ranUnasked(session, approve, call));
  }

  /** What somebody answers or changes is recorded between the prompts too. */
  #use(session: PortalSession): Disposable {
    const use = new DisposableStore();
    use.add(this.#context.leases.take(session.id, this.#request.taskId));
    use.add(session.onDidAnswer((answer) => this.#answered(session, answer)));
    return use;
  }

  #ranUnasked(session: PortalSession, approved: readonly Approval[], call: UnaskedCall): void {
    this.#note(session, { type: 'taskDecision', reason: unaskedDecision(approved, call) });
  }

  #answered(session: PortalSession, answer: PersonAnswer): void {
    this.#note(session, { type: 'taskDecision', reason: answerDecision(answer), answer });
  }

  /** What cannot be recorded must not go on. */
  #note(session: PortalSession, event: Parameters<Tell>[0]): void {
    if (this.#signal.aborted) return;
    try {
      this.#tell(event);
    } catch (error) {
      if (error instanceof Stopped) return;
      this.#unrecorded ??= error;
      this.#stop(session);
    }
  }

  /** Whatever the host throws is a crash, and so is what ends `signal` alone. Rejects when the task was stopped, at once. */
  async #failureOf(work: () => Promise<void>, signal = this.#signal): Promise<{ error: unknown } | undefined> {
    try {
      await untilStopped(work(), signal);
      return undefined;
    } catch (error) {
      if (error instanceof Stopped && this.#signal.aborted) throw error;
      return { error };
    }
  }

  #isDriving(role: Role): boolean {
    return this.#isSingle || role === 'driving';
  }

  #model(role: Role): string {
    if (role !== 'driving' || this.#isSingle) return taskModel(this.#request);
    return this.#drivingModels?.[this.#tried - 1] ?? drivingModel(this.#request.models);
  }

  /** Stops the session of the task, and tells so. */
  #close(succeeded: boolean): void {
    const sessionId = this.#open?.session.id;
    this.#release();
    if (sessionId !== undefined) this.#tell({ type: 'taskSessionStopped', sessionId, succeeded });
  }

  /** Gives the session back, and stops it unless it is borrowed. */
  #release(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    open.use.dispose();
    if (this.#request.borrowed) this.#track(this.#untilCancelled(open.session));
    else this.#stop(open.session);
  }

  #stop(session: PortalSession): void {
    this.#track(this.#untilStopped(session));
  }

  /** `stopping`: never rejects. */
  #track(stopping: Promise<void>): void {
    const tracked = stopping.finally(() => this.#stopping.delete(tracked));
    this.#stopping.add(tracked);
  }

  /** The user may go on with a borrowed session: only what was cancelled is waited for. */
  async #untilCancelled(session: PortalSession): Promise<void> {
    try {
      // What listens to the end of the task after this cancels the turn.
      await Promise.resolve();
      await session.atRest?.();
    } catch (error) {
      this.#context.logger.warn(`a turn of session ${session.id} could not be cancelled: ${englishOf(error)}`);
    }
  }

  /** Begins at once. */
  async #untilStopped(session: PortalSession): Promise<void> {
    try {
      await session.stop();
    } catch (error) {
      this.#context.logger.warn(`session ${session.id} could not be stopped: ${englishOf(error)}`);
    }
  }
}
