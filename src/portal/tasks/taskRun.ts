/** One run of a task: availability, the prompt, criteria, retries. */
import { englishOf, messageOf } from '../../base/errors.ts';
import type { Task } from '../entry/task.ts';
import { RuntimeValues } from '../prompts/runtimeValues.ts';
import type { TaskEvent } from '../runs/runEvents.ts';
import { conditionDecision, previousTaskDecision, toolDecision, withoutKind } from './decisionTexts.ts';
import { type PortalSession, SessionStoppedError } from './portalSession.ts';
import type { Round } from './round.ts';
import { Stopped } from './stopping.ts';
import { taskModel, type TaskContext, type TaskRequest } from './taskContext.ts';
import { SendCrashedError, TaskSessions } from './taskSessions.ts';
import type { Tell } from './tell.ts';

export interface TaskOutcome {
  status: 'Succeeded' | 'Failed' | 'Stopped';
  /** No session could finish a prompt outside the criteria loop, or the run itself broke. A job stops then. */
  crashError?: string;
}

/** What the criteria said about a round. */
interface Verdict {
  holds: boolean;
  /** Tools that were not called. */
  missing: string[];
  /** Of what does not hold. */
  why: string[];
}

/** A reason quotes other decisions, which are there in full. */
const MAX_REASON = 1_000;

/**
 * Runs at once. Each event goes to `record` in order, and none comes after the end. When `record` throws, the task fails: what cannot be
 * recorded must not go on.
 */
export class TaskRun {
  readonly #context: TaskContext;
  readonly #request: TaskRequest;
  readonly #record: (event: TaskEvent) => void;
  readonly #values = new RuntimeValues();
  readonly #abort = new AbortController();
  readonly #sessions: TaskSessions;
  #status: 'Executing' | TaskOutcome['status'] = 'Executing';
  #settle: (outcome: TaskOutcome) => void = () => undefined;

  /** Resolves when the task has ended; with a stop, at once. Never rejects. */
  readonly ended: Promise<TaskOutcome>;

  /** Throws a `SessionBusyError` when another task uses the borrowed session. */
  constructor(context: TaskContext, request: TaskRequest, record: (event: TaskEvent) => void) {
    this.#context = context;
    this.#request = request;
    this.#record = record;
    this.#sessions = new TaskSessions(context, request, this.#values, this.#tell, this.#abort.signal);
    this.ended = new Promise((resolve) => (this.#settle = resolve));
    void this.#run();
  }

  get taskId(): string {
    return this.#request.taskId;
  }

  get status(): 'Executing' | TaskOutcome['status'] {
    return this.#status;
  }

  /** Stops all sessions of the task but a borrowed one, whose turn is cancelled. After this there is no event. */
  stop(): void {
    if (this.#status === 'Executing') this.#sessions.tellUsed();
    // Whoever was told may have stopped it, because it has used too much.
    this.#end({ status: 'Stopped' }, { type: 'taskStopped' });
  }

  /** Resolves when no agent of the task works any more, or after a time. Never rejects. */
  stopped(): Promise<void> {
    return this.#sessions.stopped();
  }

  /** Tells its agent something in the turn that runs. Resolves with why it could not be told. `by`: who says it, in words. */
  steer(text: string, by: string): Promise<string | undefined> {
    return this.#sessions.steer(text, by);
  }

  async #run(): Promise<void> {
    // The caller has the run before its first event.
    await Promise.resolve();
    try {
      const reason = (await this.#steps())?.slice(0, MAX_REASON);
      this.#decide(reason === undefined ? '[TASK SUCCEEDED]' : `[TASK FAILED] ${reason}`);
      this.#sessions.end(reason === undefined);
      if (reason === undefined) this.#end({ status: 'Succeeded' }, { type: 'taskSucceeded' });
      else this.#end({ status: 'Failed' }, { type: 'taskFailed', reason });
    } catch (error) {
      if (!(error instanceof Stopped)) this.#crash(error);
    }
  }

  /** Why the task failed. Undefined: it succeeded. */
  async #steps(): Promise<string | undefined> {
    const { taskName, task, userInput, workingDirectory: folder, borrowed } = this.#request;
    const model = taskModel(this.#request);
    this.#values.set('user-input', userInput);
    this.#values.set('task-model', model);
    const { approve, host } = task;
    // A borrowed session keeps its own settings, and stays where it is.
    const own = { ...(approve && { approve }), ...(host !== undefined && { host, ...(folder !== undefined && { folder }) }) };
    this.#tell({ type: 'taskStarted', taskName, model, ...(borrowed ? borrowing(borrowed) : own) });
    const unavailable = borrowed ? undefined : await this.#unavailable(task.availability);
    if (unavailable !== undefined) return unavailable;
    const round = await this.#sessions.send('task', text(task.prompt));
    if (task.criteria) return this.#unmetCriteria(task, task.criteria, round);
    return round.overLimit === undefined ? undefined : withoutKind(round.overLimit);
  }

  /** Why the task cannot run. */
  async #unavailable({ previousTasks, condition }: NonNullable<Task['availability']> = {}): Promise<string | undefined> {
    if (previousTasks) {
      const missing = previousTasks.filter((name) => !this.#request.hasSucceeded?.(name));
      const decision = previousTaskDecision(previousTasks, missing);
      this.#decide(decision);
      if (missing.length > 0) return withoutKind(decision);
    }
    if (!condition) return undefined;
    const { answer, overLimit } = await this.#sessions.send('driving', text(condition));
    if (overLimit !== undefined) return withoutKind(overLimit);
    const decision = conditionDecision('availability', text(condition), answer);
    this.#decide(decision);
    return answer?.holds ? undefined : withoutKind(decision);
  }

  /** Retries while the criteria fail and there are retries left. `round` is the first one. Resolves with why they failed in the last one. */
  async #unmetCriteria(task: Task, criteria: NonNullable<Task['criteria']>, round: Round): Promise<string | undefined> {
    const { retryTimes, additionalPrompt } = criteria.failureAction;
    let verdict = await this.#orFailedRound(() => this.#verdict(criteria, round), toolsMissing(criteria, round));
    for (let retry = 1; !verdict.holds; retry++) {
      if (retry > retryTimes) {
        this.#decide(`[DECISION] criteria.failureAction.retryTimes ${retryTimes}: no retry is left.`);
        return verdict.why.join(' ');
      }
      this.#decide(`[OPERATION] Retry ${retry} of ${retryTimes}.`);
      const { missing } = verdict;
      const parts = [text(task.prompt)];
      if (missing.length > 0) parts.push(`## Required Tool Not Called: ${missing.join(', ')}`);
      if (additionalPrompt) parts.push(text(additionalPrompt));
      verdict = await this.#orFailedRound(async () => {
        const next = await this.#sessions.send('task', parts.join('\n'));
        return this.#orFailedRound(() => this.#verdict(criteria, next), toolsMissing(criteria, next));
      }, missing);
    }
    return undefined;
  }

  /** Both criteria are looked at, so that a retry knows of both. */
  async #verdict({ toolExecuted, condition }: NonNullable<Task['criteria']>, round: Round): Promise<Verdict> {
    const missing = toolsMissing({ toolExecuted }, round);
    if (round.overLimit !== undefined) return { holds: false, missing, why: [withoutKind(round.overLimit)] };
    const why: string[] = [];
    const decide = (decision: string, holds: boolean) => {
      this.#decide(decision);
      if (!holds) why.push(withoutKind(decision));
    };
    if (toolExecuted)
      decide(
        toolDecision(toolExecuted, missing, (tool) => round.refuserOf(tool)),
        missing.length === 0,
      );
    if (!condition) return { holds: missing.length === 0, missing, why };
    const { answer, overLimit } = await this.#sessions.send('driving', text(condition));
    if (overLimit !== undefined) return { holds: false, missing, why: [...why, withoutKind(overLimit)] };
    decide(conditionDecision('criteria', text(condition), answer), answer?.holds === true);
    return { holds: missing.length === 0 && answer?.holds === true, missing, why };
  }

  /** A prompt that no session could finish fails the round, and not the task. */
  async #orFailedRound(part: () => Promise<Verdict>, missing: string[]): Promise<Verdict> {
    try {
      return await part();
    } catch (error) {
      if (!(error instanceof SendCrashedError)) throw error;
      const why = `The prompt was tried too often, so this round has failed: ${error.message}`;
      this.#decide(`[DECISION] ${why}`);
      return { holds: false, missing, why: [why] };
    }
  }

  #decide(reason: string): void {
    this.#tell({ type: 'taskDecision', reason });
  }

  readonly #tell: Tell = (event) => {
    // A stop may come from the receiver of the event, too.
    if (this.#status !== 'Executing') throw new Stopped();
    this.#record({ at: this.#context.clock.now(), taskId: this.taskId, ...event } as TaskEvent);
    if (this.#status !== 'Executing') throw new Stopped();
  };

  #crash(error: unknown): void {
    const crashError = messageOf(error);
    const isSession = error instanceof SendCrashedError || error instanceof SessionStoppedError;
    try {
      if (!isSession) this.#decide(`[MISC] ${crashError}`);
      this.#decide(`[TASK FAILED] ${crashError}`);
      this.#sessions.end(false);
    } catch (second) {
      if (second instanceof Stopped) return;
      this.#context.logger.error(`task ${this.taskId}: ${englishOf(second)}`);
    }
    this.#end({ status: 'Failed', crashError }, { type: 'taskFailed', crashError });
  }

  /** The first end counts. Settles first, so that whatever the receiver of the event does, the task has ended. */
  #end(
    outcome: TaskOutcome,
    event: { type: 'taskSucceeded' | 'taskStopped' } | { type: 'taskFailed'; crashError?: string; reason?: string },
  ): void {
    if (this.#status !== 'Executing') return;
    this.#status = outcome.status;
    this.#abort.abort();
    try {
      this.#record({ at: this.#context.clock.now(), taskId: this.taskId, ...event });
    } catch (error) {
      this.#context.logger.error(`task ${this.taskId}: its end was not recorded: ${englishOf(error)}`);
    }
    this.#settle(outcome);
  }
}

/** What the limits of runs look at. */
function borrowing({ id, model, folder }: PortalSession) {
  return { borrowedSessionId: id, sessionModel: model, ...(folder !== undefined && { folder }) };
}

function toolsMissing({ toolExecuted }: { toolExecuted?: readonly string[] }, round: Round): string[] {
  return (toolExecuted ?? []).filter((tool) => !round.wasCalled(tool));
}

/** A validated prompt has one text. */
function text(prompt: readonly string[]): string {
  return prompt.join('\n');
}
