import type { DrivingSessionRetries, Entry, Job } from '../entry/entry.ts';
import type { Hosts } from '../entry/hosts.ts';
import { own } from '../entry/own.ts';
import type { Task } from '../entry/task.ts';
import { refsIn } from '../entry/work.ts';

/** All that a run needs of its entry. It is kept with the run, which goes on by it when the entry has changed. */
export interface JobDefinition extends Omit<Job, 'schedule'> {
  jobName: string;
  /** The tasks of the job by name. */
  tasks: Record<string, Task>;
  models: Record<string, string>;
  drivingSessionRetries?: DrivingSessionRetries;
  /** Where its tasks work at other hosts. */
  hosts?: Hosts;
}

/** Undefined when the entry has no such job. */
export function jobDefinition(entry: Entry, jobName: string): JobDefinition | undefined {
  const job = own(entry.jobs, jobName);
  if (!job) return undefined;
  const names = new Set(refsIn(job.work).map(({ taskId }) => taskId));
  const tasks = Object.fromEntries(Object.entries(entry.tasks).filter(([name]) => names.has(name)));
  const { schedule: _when, ...what } = job;
  const { models, drivingSessionRetries, hosts } = entry;
  return { ...what, jobName, tasks, models, ...(drivingSessionRetries && { drivingSessionRetries }), ...(hosts && { hosts }) };
}
