/** The runs that wait for a portal: jobs of Graphile Worker, each of which lasts as long as its run runs here. */
import { Logger as WorkerLogger, run, type Runner, runMigrations } from 'graphile-worker';
import type { Logger } from '../../../base/log.ts';
import { isRecord } from '../../../base/isRecord.ts';
import { type Database, QUEUE_SCHEMA } from './database.ts';

/** As many runs are taken from the queue at the same time. */
export const MAX_RUNS = 16;
/** A new job is told of at once; this is for what was not told. */
const POLL_MS = 2_000;

export async function migrateQueue({ pool }: Database, logger: Logger): Promise<void> {
  await runMigrations({ pgPool: pool, schema: QUEUE_SCHEMA, logger: workerLogger(logger) });
}

/** `onRun` resolves when the run does not run here any more. When it rejects, the queue tries again, here or elsewhere, later and later. */
export function runQueue({ pool }: Database, logger: Logger, onRun: (runId: string) => Promise<void>): Promise<Runner> {
  return run({
    ...{ pgPool: pool, schema: QUEUE_SCHEMA, concurrency: MAX_RUNS, pollInterval: POLL_MS, noHandleSignals: true },
    parsedCronItems: [],
    logger: workerLogger(logger),
    taskList: {
      run: async (payload) => {
        if (isRecord(payload) && typeof payload['runId'] === 'string') await onRun(payload['runId']);
      },
    },
  });
}

function workerLogger(logger: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === 'error' || level === 'warning') logger.warn(`queue: ${message}`);
    else logger.debug(`queue: ${message}`);
  });
}
