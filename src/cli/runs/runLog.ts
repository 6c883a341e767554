/** What happened in a run, line by line, from its states. */
import type { JobRun, StepRun, TaskRun } from './runData.ts';

export interface LogLine {
  /** Milliseconds since the epoch. */
  at: number;
  /** Absent: of a task that runs alone. */
  step?: Pick<StepRun, 'step' | 'workId' | 'taskId'>;
  taskName: string;
  text: string;
}

const ends: Readonly<Record<string, string>> = {
  Succeeded: 'has succeeded',
  Failed: 'has failed',
  Stopped: 'was stopped',
  Interrupted: 'was interrupted',
};

/** Each line is given once, those of steps side by side in the order in which they happened. */
export class RunLog {
  readonly #given = new Set<string>();

  /** What is new since the last state. */
  take(run: JobRun | TaskRun): LogLine[] {
    const lines = 'steps' in run ? run.steps.flatMap(linesOf) : taskLines(run);
    const fresh = lines.filter(({ key }) => !this.#given.has(key));
    for (const { key } of fresh) this.#given.add(key);
    return fresh.map(({ key: _key, ...line }) => line).sort((one, other) => one.at - other.at);
  }
}

/** A step has a place in the list for good. */
function linesOf({ step, workId, taskId, taskName, status, startedAt, endedAt, crashError, skipped, task }: StepRun, index: number) {
  const line = (at: number, key: string, text: string) => ({ at, key: `${index} ${key}`, step: { step, workId, taskId }, taskName, text });
  const end = skipped?.was ?? status;
  const crash = crashError === undefined ? '' : `: ${crashError}`;
  return [
    line(startedAt, 'start', 'has started'),
    ...(task?.decisions ?? []).map(({ at, reason }, number) => line(at, String(number), reason)),
    ...(endedAt === undefined || skipped?.at === endedAt ? [] : [line(endedAt, 'end', `${ends[end] ?? end}${crash}`)]),
    ...(skipped ? [line(skipped.at, 'skip', `was skipped by ${skipped.by} and counts as done`)] : []),
  ];
}

function taskLines({ taskName, decisions }: TaskRun) {
  return decisions.map(({ at, reason }, number) => ({ at, key: String(number), taskName, text: reason }));
}
