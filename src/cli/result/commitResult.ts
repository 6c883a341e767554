/** `tapline commit`: says what it would commit, and does it once the user agrees. */
import { committed } from '../../views/portal/result/resultSentences.ts';
import { CliError, type ExitCode, exitCodes } from '../cliError.ts';
import type { Output } from '../output.ts';
import type { PortalClient } from '../portalClient.ts';
import { onOneLine } from '../visible.ts';
import { askResult, type Consent, consents, jobWithResult } from './resultCalls.ts';
import { commitLines } from './resultText.ts';

export interface CommitOptions {
  /** Absent: as the portal suggests, like the message. */
  branch?: string | undefined;
  message?: string | undefined;
  /** The id of a work tree of the run. Absent: the only one. */
  worktree?: string | undefined;
}

export async function commitResult(
  client: PortalClient,
  output: Output,
  given: string,
  options: CommitOptions,
  consent: Consent,
): Promise<ExitCode> {
  const { jobId } = await jobWithResult(client, given);
  const where = await worktreeOf(client, jobId, options.worktree);
  const plan = await askResult(client, jobId, 'commitPlan', where);
  if (plan.worktree !== undefined && options.branch !== undefined && options.branch !== plan.branch)
    throw new CliError(
      exitCodes.usage,
      `This work tree is committed on its own branch, ${onOneLine(plan.branch)}: leave --branch out. Nothing was committed.`,
    );
  const { branch = plan.branch, message = plan.message } = options;
  if (output.isJson && !consent.yes) {
    output.json({ jobId, ...plan, branch, message });
    return exitCodes.done;
  }
  if (!output.isJson) output.out(commitLines(plan, { branch, message }).join('\n'));
  if (!(await consents(consent, 'Commit this?'))) {
    output.note('Nothing was committed.');
    return exitCodes.failed;
  }
  const done = await askResult(client, jobId, 'commit', { ...where, branch, message, revision: plan.revision });
  if (output.isJson) output.json({ jobId, ...done });
  else output.out(onOneLine(committed(done)));
  return exitCodes.done;
}

async function worktreeOf(client: PortalClient, jobId: string, worktree: string | undefined): Promise<{ worktree?: string }> {
  if (worktree !== undefined) return { worktree };
  const [only, ...more] = (await askResult(client, jobId, 'result', {})).worktrees ?? [];
  if (only && more.length > 0) {
    const ids = [only, ...more].map(({ id }) => onOneLine(id)).join(', ');
    throw new CliError(exitCodes.usage, `The run has changed files in several work trees. Name one with --worktree: ${ids}.`);
  }
  return only ? { worktree: only.id } : {};
}
