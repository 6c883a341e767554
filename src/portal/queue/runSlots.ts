/** What a run uses for as long as it runs, and of which there may be a limit. */
import { resolve } from 'node:path';
import type { RunLimits } from '../entry/entry.ts';
import { own } from '../entry/own.ts';
import { refsIn } from '../entry/work.ts';
import type { JobDefinition } from '../runs/jobDefinition.ts';
import type { JobState } from '../runs/jobState.ts';
import type { TaskState } from '../runs/taskState.ts';
import { drivingModel, drivingTries, taskModel } from '../tasks/taskContext.ts';

export type RunPlace = Pick<JobState, 'definition' | 'workingDirectory'>;

export interface RunSlot {
  /** The same for all runs that use the same. */
  key: string;
  /** How many runs may use it at the same time. */
  limit: number;
  /** Words that follow “run X”. */
  words: string;
}

/** A task that runs alone in a session of the user's. */
export type LoneTask = Pick<TaskState, 'model' | 'sessionModel' | 'folder'>;

/** Those that have a limit. The models of all its tasks count from its beginning to its end, whichever of them it uses now. */
export function limitedSlots(limits: RunLimits, { definition, workingDirectory }: RunPlace): RunSlot[] {
  return slotsOf(limits, modelsOf(definition), foldersOf(definition, workingDirectory));
}

/** It has begun at once, as its user has asked it to, and runs that come after it wait for it. */
export function slotsOfTask(limits: RunLimits, { model, sessionModel = model, folder }: LoneTask): RunSlot[] {
  return slotsOf(limits, [sessionModel], folder === undefined ? [] : [[undefined, resolve(folder)]]);
}

type Place = [host: string | undefined, folder: string];

function slotsOf({ perModel = {}, perFolder }: RunLimits, models: readonly string[], places: readonly Place[]): RunSlot[] {
  const ofModels = models.flatMap((id) => {
    const limit = own(perModel, id);
    return limit === undefined ? [] : [{ key: `model ${id}`, limit, words: `with the model ${id}` }];
  });
  if (perFolder === undefined) return ofModels;
  const ofFolders = places.map(([host, folder]) => ({
    key: `folder ${JSON.stringify([host, folder])}`,
    limit: perFolder,
    words: host === undefined ? 'in this folder' : `in its folder at the agent host ${host}`,
  }));
  return [...ofModels, ...ofFolders];
}

function modelsOf({ work, tasks, models, drivingSessionRetries }: JobDefinition): string[] {
  const driving = drivingTries({ ...(drivingSessionRetries && { drivingSessionRetries }) }) ?? [drivingModel(models)];
  const ids = refsIn(work).flatMap(({ taskId, modelOverride }) => {
    const task = own(tasks, taskId);
    if (!task) return [];
    const id = taskModel({ task, models, ...(modelOverride && { modelOverride }) });
    return task.criteria?.runConditionInSameSession === false ? [id, ...driving] : [id];
  });
  return [...new Set(ids)];
}

function foldersOf({ tasks, hosts = {}, worktree }: JobDefinition, workingDirectory: string): Place[] {
  // It works in a folder of its own.
  if (worktree !== undefined) return [];
  const places = new Map<string, Place>();
  for (const { host } of Object.values(tasks)) {
    // Paths of another computer may be of another kind.
    const folder = host === undefined ? resolve(workingDirectory) : (own(hosts, host)?.folder ?? workingDirectory);
    places.set(JSON.stringify([host, folder]), [host, folder]);
  }
  return [...places.values()];
}
