import type { EmitterSpec, EventFilter, Ownership } from './emitterSpec.ts';

/** What became of the lines of an emitter. */
export type LineCounts = Record<EventFilter[number]['outcome'], number>;

export interface EmitterStatus {
  name: string;
  stream: string;
  command?: string;
  prompt?: string;
  cwd?: string;
  description?: string;
  runSchedule: 'continuous' | 'timed' | 'oneTime' | 'idle';
  runInterval?: EmitterSpec['runInterval'];
  maxRuns?: number;
  includeStderr?: boolean;
  eventFilter: EventFilter;
  ownership: Ownership;
  /** `persistent`: it stands in the `tap.config.json` of the folder. */
  lifespan: 'temporary' | 'persistent';
  startedBy: 'user' | 'model';
  /** `waiting`: for its next run. `ended`: all runs are over. `failed`: it cannot run. */
  state: 'running' | 'waiting' | 'stopped' | 'ended' | 'failed';
  /** While a command runs. */
  pid?: number;
  /** Runs that have begun. */
  runs: number;
  /** Milliseconds until the next run. */
  nextRunInMs?: number;
  lines: LineCounts;
  lastLine?: string;
  /** How its last run has ended, or why it cannot run. */
  lastEnd?: string;
  /** Lines that wait for the agent, and those for which there was no room or that were dropped at the stop. `isPaused`: until the user speaks. */
  injector: { enabled: boolean; waiting: number; dropped: number; isPaused: boolean };
}
