import type { Entry, Job } from '../entry/entry.ts';
import type { Hosts } from '../entry/hosts.ts';
import { own } from '../entry/own.ts';
import type { Task } from '../entry/task.ts';
import { taskNames } from '../entry/work.ts';

/** All that a run needs of its entry. It is kept with the run, which goes on by it when the entry has changed. */
export interface JobDefinition extends Omit<Job, 'schedule'> {
  jobName: string;
  /** The tasks of the job by name. */
  tasks: Record<string, Task>;
  models: Record<string, string>;
  /** Where its tasks work at other hosts. */
  hosts?: Hosts;
}

/** Undefined when the entry has no such job. */
export function jobDefinition(entry: Entry, jobName: string): JobDefinition | undefined {
  const job = own(entry.jobs, jobName);
  if (!job) return undefined;
  const names = new Set(taskNames(job.work));
  const tasks = Object.fromEntries(Object.entries(entry.tasks).filter(([name]) => names.has(name)));
  const { schedule: _when, ...what } = job;
  return { ...what, jobName, tasks, models: entry.models, ...(entry.hosts && { hosts: entry.hosts }) };
}
