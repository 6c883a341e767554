import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { DrivingSessionRetries } from '../entry/entry.ts';
import { own } from '../entry/own.ts';
import type { Model, Task } from '../entry/task.ts';
import type { PortalSession, SessionFactory } from './portalSession.ts';
import type { SessionLeases } from './sessionLeases.ts';

/** What all tasks share. */
export interface TaskContext {
  readonly sessions: SessionFactory;
  readonly leases: SessionLeases;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Resolves when all events so far are kept. Where they can be kept no more, the run is stopped. Absent: they are kept at once. */
  readonly settled?: () => Promise<void>;
}

export interface TaskRequest {
  taskId: string;
  taskName: string;
  task: Task;
  models: Readonly<Record<string, string>>;
  drivingSessionRetries?: DrivingSessionRetries;
  /** Of the work that runs the task. */
  modelOverride?: Model;
  userInput: string;
  workingDirectory?: string;
  /** The task runs in this session, which stays alive. Prerequisites are not checked then. */
  borrowed?: PortalSession;
  /** Whether that task has succeeded in the same job. Absent: the task runs without a job, and nothing has. */
  hasSucceeded?: (taskName: string) => boolean;
}

/** The work's override, else the task's model, else that which checks conditions. */
export function taskModel({ modelOverride, task, models }: Pick<TaskRequest, 'modelOverride' | 'task' | 'models'>): string {
  const model = modelOverride ?? task.model;
  const id = !model ? undefined : 'id' in model ? model.id : own(models, model.category);
  return id ?? drivingModel(models);
}

/** The models of the tries of a prompt that checks a condition. Undefined: the entry does not say. */
export function drivingTries({ drivingSessionRetries = [] }: Pick<TaskRequest, 'drivingSessionRetries'>): string[] | undefined {
  const models = drivingSessionRetries.flatMap(({ modelId, retries }) => Array<string>(retries).fill(modelId));
  return models.length > 0 ? models : undefined;
}

export function drivingModel(models: Readonly<Record<string, string>>): string {
  const id = own(models, 'driving');
  if (id === undefined) throw new Error('the entry is not validated: models.driving is missing');
  return id;
}
