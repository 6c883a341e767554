/** `tapline result`: it only reads. */
import type { ChangedFile } from '../../views/portal/answers/resultAnswers.ts';
import { CliError, type ExitCode, exitCodes } from '../cliError.ts';
import type { Output } from '../output.ts';
import type { PortalClient } from '../portalClient.ts';
import { onOneLine } from '../visible.ts';
import { askResult, jobWithResult } from './resultCalls.ts';
import { diffLines, resultLines } from './resultText.ts';

/** `diff`: with what has changed in each file. As JSON these are lines of their own. */
export async function showResult(client: PortalClient, output: Output, given: string, diff: boolean): Promise<ExitCode> {
  const { jobId } = await jobWithResult(client, given);
  const result = await askResult(client, jobId, 'result', {});
  if (output.isJson) output.json({ jobId, ...result });
  const shown = new Map<string, readonly string[]>();
  const changes = diff ? result.steps.flatMap((step) => step.changes) : [];
  for (const { sessionId, files } of changes)
    for (const file of files) {
      const ref = { sessionId, file: file.id };
      try {
        const texts = await askResult(client, jobId, 'diff', ref);
        if (output.isJson) output.json({ ...ref, path: file.path, ...texts });
        else shown.set(keyOf(sessionId, file), diffLines(texts));
      } catch (error) {
        // One that cannot be read, such as a picture, does not keep back the others.
        if (!(error instanceof CliError) || error.code !== exitCodes.refused) throw error;
        if (output.isJson) output.json({ ...ref, path: file.path, error: error.message });
        else shown.set(keyOf(sessionId, file), [`    ${onOneLine(error.message)}`]);
      }
    }
  if (!output.isJson) output.out(resultLines(result, (sessionId, file) => shown.get(keyOf(sessionId, file)) ?? []).join('\n'));
  return exitCodes.done;
}

function keyOf(sessionId: string, { id }: ChangedFile): string {
  return JSON.stringify([sessionId, id]);
}
