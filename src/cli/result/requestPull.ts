/** `tapline pull-request`: says what it would push where and open, and does it once the user agrees. */
import { CliError, type ExitCode, exitCodes } from '../cliError.ts';
import type { Output } from '../output.ts';
import type { PortalClient } from '../portalClient.ts';
import { pushed, withoutGh } from '../../views/portal/result/resultSentences.ts';
import { onOneLine } from '../visible.ts';
import { askResult, type Consent, consents, jobWithResult } from './resultCalls.ts';
import { pushLines } from './resultText.ts';

/** What is absent is as the portal suggests. */
export interface PullOptions {
  branch?: string | undefined;
  remote?: string | undefined;
  into?: string | undefined;
  title?: string | undefined;
  body?: string | undefined;
  /** No pull request is opened. */
  pushOnly: boolean;
}

export async function requestPull(
  client: PortalClient,
  output: Output,
  given: string,
  options: PullOptions,
  consent: Consent,
): Promise<ExitCode> {
  const { jobId } = await jobWithResult(client, given);
  const { branch: wanted, remote: wantedRemote, into, title, body, pushOnly } = options;
  const choice = { ...(wanted !== undefined && { branch: wanted }), ...(wantedRemote !== undefined && { remote: wantedRemote }) };
  const plan = await askResult(client, jobId, 'pullRequestPlan', choice);
  const { branch, remote, revision } = plan;
  const open =
    pushOnly || plan.gh !== 'ready' ? undefined : { base: into ?? plan.base, title: title ?? plan.title, body: body ?? plan.body };
  // Nobody who is not asked learns in time that there would be none.
  if (consent.yes && !pushOnly && plan.gh !== 'ready')
    throw new CliError(
      exitCodes.refused,
      `Nothing was pushed, because nothing can be opened: ${withoutGh[plan.gh]} --push-only pushes alone.`,
    );
  if (output.isJson && !consent.yes) {
    output.json({ jobId, ...plan, ...(open && { open }) });
    return exitCodes.done;
  }
  if (!output.isJson) output.out(pushLines(plan, open).join('\n'));
  if (!(await consents(consent, open ? 'Push and open this?' : 'Push this?'))) {
    output.note('Nothing was pushed.');
    return exitCodes.failed;
  }
  const done = await askResult(client, jobId, 'pullRequest', { branch, remote, revision, ...(open && { open }) });
  if (output.isJson) output.json({ jobId, ...done });
  else {
    const { said, pullRequest, page } = done;
    for (const line of said) output.note(onOneLine(line));
    output.out(onOneLine(pushed(done)));
    const address = pullRequest ?? page;
    if (address !== undefined) output.out(onOneLine(pullRequest === undefined ? `Open a pull request at ${address}` : address));
  }
  if (done.problem !== undefined)
    throw new CliError(exitCodes.failed, `It is pushed, but gh opened no pull request: ${onOneLine(done.problem)}`);
  return exitCodes.done;
}
