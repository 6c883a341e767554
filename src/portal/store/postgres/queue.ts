/** The runs that wait for a portal: jobs of Graphile Worker, each of which lasts as long as its run runs here. */
import { Logger as WorkerLogger, run, type Runner, runMigrations } from 'graphile-worker';
import type { Logger } from '../../../base/log.ts';
import { isRecord } from '../../../base/isRecord.ts';
import { type Database, QUEUE_SCHEMA } from './database.ts';

/** As many runs are taken from the queue at the same time. */
export const MAX_RUNS = 16;
/** A new job is told of at once; this is for what was not told. */
const POLL_MS = 5_000;

export async function migrateQueue({ pool }: Database, logger: Logger): Promise<void> {
  await runMigrations({ pgPool: pool, schema: QUEUE_SCHEMA, logger: workerLogger(logger) });
}

export interface QueueOptions {
  logger: Logger;
  /** What no portal may lack that runs what waits now, and this one does. */
  lacks(): Promise<string[]>;
  /** Resolves when the run does not run here any more. When it rejects, the queue tries again, here or elsewhere, later and later. */
  onRun(runId: string): Promise<void>;
}

export function runQueue({ pool }: Database, { logger, lacks, onRun }: QueueOptions): Promise<Runner> {
  return run({
    ...{ pgPool: pool, schema: QUEUE_SCHEMA, concurrency: MAX_RUNS, pollInterval: POLL_MS, noHandleSignals: true },
    // A job is done with a delay of 0 ms, because its error is not handled otherwise, and ends the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    ...{ parsedCronItems: [], forbiddenFlags: lacks, logger: workerLogger(logger) },
    taskList: {
      run: async (payload) => {
        if (isRecord(payload) && typeof payload['runId'] === 'string') await onRun(payload['runId']);
      },
    },
  });
}

/** What is wrong with the queue is seen by its end, and said once. */
function workerLogger(logger: Logger): WorkerLogger {
  return new WorkerLogger(() => (_level, message) => logger.debug(`queue: ${message}`));
}
