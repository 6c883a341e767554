/** How the commands about results ask the portal, and the user before something is done. */
import {
  type ResultAnswer,
  type ResultBody,
  type ResultQuestion,
  resultRequest,
  resultShape,
} from '../../views/portal/result/resultQuestions.ts';
import { choice } from '../choice.ts';
import { CliError, exitCodes } from '../cliError.ts';
import type { PortalClient } from '../portalClient.ts';
import { findJob, type JobRun } from '../runs/runData.ts';

export interface Consent {
  /** The user has said so in the arguments. */
  yes: boolean;
  isTerminal: boolean;
  signal: AbortSignal;
}

export function askResult<Q extends ResultQuestion>(
  client: PortalClient,
  jobId: string,
  question: Q,
  given: ResultBody<Q>,
): Promise<ResultAnswer<Q>> {
  const { path, ...request } = resultRequest(jobId, question, given);
  return client.send(path, resultShape(question), request);
}

export function jobWithResult(client: PortalClient, given: string): Promise<JobRun> {
  return findJob(client, given, 'The result of a task that ran alone is in its session. A job has one here.');
}

/** What will be done was shown. Whether the user wants it. Rejects with a `CliError` where nobody can be asked. */
export async function consents({ yes, isTerminal, signal }: Consent, question: string): Promise<boolean> {
  if (yes) return true;
  if (!isTerminal) throw new CliError(exitCodes.usage, 'Nothing was done, because this is no terminal. --yes does it.');
  return (await choice(`${question} yes/No `, signal)) === true;
}
