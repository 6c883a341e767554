/** Makes what a trial shows of the events of its run. */
import type { TrialCall, TrialPrompt, TrialStep } from '../../views/portal/trial/trial.ts';
import { own } from '../entry/own.ts';
import type { Task } from '../entry/task.ts';
import type { JobDefinition } from '../runs/jobDefinition.ts';
import type { RunEvent, TaskEvent } from '../runs/runEvents.ts';
import { taskModel } from '../tasks/taskContext.ts';
import { refsIn } from '../entry/work.ts';
import type { ScriptedModel, ScriptedRun, ScriptedTurn } from './scriptedModel.ts';
import { approvedOf, asksForJobTools, limitsOf, waitsOf } from './trialWords.ts';

/** Of a prompt, of all prompts, and of a decision, in characters. */
const MAX_PROMPT = 20_000;
const MAX_PROMPTS = 2_000_000;
const MAX_DECISION = 1_000;

interface Running {
  step: TrialStep;
  task: Task;
  script: ScriptedRun;
}

export class TrialRecord {
  readonly steps: TrialStep[] = [];
  readonly #definition: JobDefinition;
  readonly #model: ScriptedModel;
  readonly #folder: string;
  /** By the id of the task. */
  readonly #running = new Map<string, Running>();
  /** By the id of the session. */
  readonly #sessions = new Map<string, Running & { model: string; isNew: boolean }>();
  #left = MAX_PROMPTS;
  /** How often something was sent. */
  prompts = 0;
  end: Extract<RunEvent, { type: 'jobFailed' }> | undefined;

  constructor(definition: JobDefinition, model: ScriptedModel, folder: string) {
    this.#definition = definition;
    this.#model = model;
    this.#folder = folder;
  }

  /** `folderOf`: of a session. */
  take(event: RunEvent, folderOf: (sessionId: string) => string): void {
    switch (event.type) {
      case 'workStarted':
        return this.#begin(event);
      case 'workStopped':
        return this.#ended(event.taskId, event.succeeded ? 'Succeeded' : 'Failed', event.crashError);
      case 'jobFailed':
        this.end = event;
        return;
    }
    if (!('taskId' in event)) return;
    const running = this.#running.get(event.taskId);
    if (running) this.#ofTask(event as TaskEvent, running, folderOf);
  }

  /** What the script does about the prompt that the session has just got. */
  turn(sessionId: string): ScriptedTurn & { limits: Task['limits'] } {
    const session = this.#sessions.get(sessionId);
    const prompt = session?.step.prompts.at(-1);
    if (!session || !prompt) throw new Error('the session has no prompt');
    const { kind, retry, calls, isOverLimit } = session.script.next();
    const waits = asksForJobTools(session.task);
    Object.assign(prompt, { kind, retry, calls: calls.map((call): TrialCall => ({ ...call, waits })), isOverLimit });
    const called = session.step.prompts.flatMap((one) => one.calls.map(({ tool }) => tool));
    session.step.waits = waitsOf(session.task, called);
    return { calls, isOverLimit, limits: session.task.limits };
  }

  /** The trial has ended, and so have its steps. */
  close(): void {
    for (const taskId of [...this.#running.keys()]) this.#ended(taskId, 'Stopped');
  }

  #begin({ taskId, taskName, step, workId }: Extract<RunEvent, { type: 'workStarted' }>): void {
    const { tasks, models, work } = this.#definition;
    const task = own(tasks, taskName);
    const ref = refsIn(work).find(({ workIdInJob }) => workIdInJob === workId);
    if (!task || !ref) throw new Error(`the definition of the job has no task ${JSON.stringify(taskName)}`);
    const { modelOverride } = ref;
    const approved = approvedOf(task);
    const begun: TrialStep = {
      ...{ number: this.steps.length + 1, step, workId, round: Number(step.split('#')[1]) + 1, taskName, status: 'Executing' },
      beside: this.steps.filter(({ status }) => status === 'Executing').map(({ number }) => number),
      model: taskModel({ task, models, ...(modelOverride && { modelOverride }) }),
      ...(task.host !== undefined && { host: task.host }),
      folder: this.#folder,
      ...(approved !== undefined && { withoutAsking: approved }),
      ...{ limits: limitsOf(task), waits: [], prompts: [], decisions: [] },
    };
    this.steps.push(begun);
    this.#running.set(taskId, { step: begun, task, script: this.#model.run(taskName, task) });
  }

  #ofTask(event: TaskEvent, running: Running, folderOf: (sessionId: string) => string): void {
    const { step } = running;
    switch (event.type) {
      case 'taskSessionStarted':
        step.folder = folderOf(event.sessionId);
        this.#sessions.set(event.sessionId, { ...running, model: event.model, isNew: true });
        return;
      case 'taskPrompt':
        return this.#prompt(event.sessionId, event.prompt);
      case 'taskDecision':
        (step.prompts.at(-1) ?? step).decisions.push(event.reason.slice(0, MAX_DECISION));
        return;
      case 'taskFailed':
        if (event.reason !== undefined) step.reason = event.reason;
        return;
      case 'taskStopped':
        return this.#ended(event.taskId, 'Stopped');
    }
  }

  #prompt(sessionId: string, text: string): void {
    const session = this.#sessions.get(sessionId);
    if (!session) return;
    this.prompts++;
    const shown = text.slice(0, Math.min(MAX_PROMPT, this.#left));
    this.#left -= shown.length;
    const prompt: TrialPrompt = {
      ...{ kind: 'work', retry: 0, model: session.model, isNewSession: session.isNew },
      ...{ text: shown, isCut: shown.length < text.length, calls: [], isOverLimit: false, decisions: [] },
    };
    session.isNew = false;
    session.step.prompts.push(prompt);
  }

  #ended(taskId: string, status: TrialStep['status'], reason?: string): void {
    const step = this.#running.get(taskId)?.step;
    if (!step) return;
    step.status = status;
    if (reason !== undefined) step.reason = reason;
    this.#running.delete(taskId);
  }
}
