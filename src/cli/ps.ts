/** `tapline ps`: what runs at the portal, and what waits for a person. */
import * as z from 'zod/mini';
import { session } from '../views/portal/answers/sessionSchemas.ts';
import { jobSummary, stalledStep } from '../views/portal/answers/runAnswers.ts';
import { stalledText } from '../views/portal/jobSteps.ts';
import { listAttention, oneLineOf } from './listAttention.ts';
import { type ExitCode, exitCodes } from './cliError.ts';
import type { Output } from './output.ts';
import type { PortalClient } from './portalClient.ts';
import { onOneLine } from './visible.ts';

// With JSON all of it is given on, also what another version has more.
const stalled = z.optional(z.looseObject(stalledStep.shape));
const shownOfRun = { jobId: true, jobName: true, queuedFor: true } as const;
const run = z.looseObject({ ...z.pick(jobSummary, shownOfRun).shape, status: z.string(), stalled });
const runs = z.object({ runs: z.array(run) });
const shownOfSession = { sessionId: true, host: true, title: true, isWorking: true, waiting: true } as const;
const sessions = z.object({ sessions: z.array(z.looseObject(z.pick(session, shownOfSession).shape)) });

/** `all`: also jobs that have ended. */
export async function ps(client: PortalClient, output: Output, all: boolean): Promise<ExitCode> {
  const [jobs, running, waiting] = await Promise.all([
    client.call('copilot/job/runs', runs),
    client.call('copilot/session', sessions),
    listAttention(client),
  ]);
  const shown = jobs.runs.filter(({ status }) => all || ['Executing', 'Paused', 'Interrupted'].includes(status));
  if (output.isJson) {
    output.json({ jobs: shown, sessions: running.sessions, attention: waiting.items });
    return exitCodes.done;
  }
  const rows = (heading: string, lines: readonly string[]) => {
    output.out(lines.length === 0 ? `${heading}: none` : `${heading}:`);
    for (const line of lines) output.out(`  ${line}`);
  };
  rows(
    'Jobs',
    shown.map(({ jobId, jobName, status, queuedFor, stalled }) => {
      const about = stalled
        ? [`${stalled.taskName}: ${stalledText(stalled.since, Date.now())}`]
        : queuedFor === undefined
          ? []
          : [queuedFor];
      return [jobId, queuedFor === undefined ? status : 'Queued', jobName, ...about].map(onOneLine).join('  ');
    }),
  );
  rows(
    'Sessions',
    running.sessions.map(({ sessionId, host, title, isWorking }) =>
      [sessionId, isWorking ? 'working' : 'idle', ...(host === undefined ? [] : [`at ${host}`]), title].map(onOneLine).join('  '),
    ),
  );
  rows('Waiting for you', waiting.items.map(oneLineOf));
  return exitCodes.done;
}
