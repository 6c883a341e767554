/** The runs of a portal as a list shows them, so that one can be told from another. */
import { oneLine } from '../text/oneLine.ts';
import type { JobSummary, RunStatus } from './jobData.ts';
import { deniedText, elapsedOf, jobStatusText } from './jobSteps.ts';

const MAX_NAME = 80;
const MAX_TEXT = 200;

export interface RunRow {
  jobId: string;
  name: string;
  status: RunStatus | 'Waiting';
  /** “Running”, “Waits for you (2)”, …: never told by a colour alone. */
  statusText: string;
  /** Milliseconds since the epoch. */
  begun: number;
  elapsed: string;
  /** Its last two parts, which say more than the first ones. */
  folder: string;
  input?: string;
  /** The step that failed, and why: “review: job_boolean_true was not called”. */
  failure?: string;
  /** “2 calls denied”. */
  denied?: string;
}

export interface RunFilter {
  /** Looked for in what the row shows, without regard to case. Each word must be there. */
  text?: string;
  /** Empty or absent: all. */
  status?: readonly RunRow['status'][];
}

/** Newest first. */
export function runRows(runs: readonly JobSummary[], filter: RunFilter, now: number): RunRow[] {
  const { text = '', status = [] } = filter;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return runs
    .map((run) => ({ run, row: rowOf(run, now) }))
    .filter(({ row }) => status.length === 0 || status.includes(row.status))
    .filter(({ run, row }) => {
      const shown = [row.name, run.workingDirectory, row.input, row.failure, row.statusText, row.denied, row.jobId]
        .join('\n')
        .toLowerCase();
      return words.every((word) => shown.includes(word));
    })
    .map(({ row }) => row)
    .sort((a, b) => b.begun - a.begun);
}

function rowOf(run: JobSummary, now: number): RunRow {
  const { jobId, jobName, status, startedAt, workingDirectory, input, waiting = 0, denied, failedStep, reason } = run;
  const waits = status === 'Executing' && waiting > 0;
  const why = failedStep?.reason ?? reason;
  const failure = failedStep
    ? `${oneLine(failedStep.taskName, MAX_NAME)}${why === undefined ? '' : `: ${oneLine(why, MAX_TEXT)}`}`
    : reason && oneLine(reason, MAX_TEXT);
  return {
    jobId,
    name: oneLine(jobName, MAX_NAME),
    status: waits ? 'Waiting' : status,
    statusText: waits ? `Waits for you (${waiting})` : jobStatusText(run),
    begun: startedAt,
    elapsed: elapsedOf(run, now),
    folder: shortFolder(workingDirectory),
    ...(input !== undefined && { input: oneLine(input, MAX_TEXT) }),
    ...(failure !== undefined && { failure }),
    ...(denied !== undefined && denied > 0 && { denied: deniedText(denied) }),
  };
}

function shortFolder(path: string): string {
  const parts = oneLine(path, MAX_TEXT).split(/[/\\]/).filter(Boolean);
  return parts.slice(-2).join('/') || path;
}
