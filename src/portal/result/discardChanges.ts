/** Takes changes of a session back, as its agent host offers it. */
import type { ChangesetFile, ChangesetOperation } from '../../ahp/channels/changeset.ts';
import { DISCARD, OPERATION_TIMEOUT_MS } from '../../ahp/changesetOperations.ts';
import { metaOfInvocation } from '../../ahp/commitMessage.ts';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { UserError } from '../../base/errors.ts';
import { operationsOf, targetOf } from '../../views/changes/changesTree.ts';
import { operationQuestion } from '../../views/changes/operationQuestion.ts';
import { plainText } from '../../views/text/inlineText.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { phrase } from '../../base/text/phrase.ts';
import type { SessionChanges } from './sessionChanges.ts';

/** Characters. */
const MAX_SAID = 1_000;

/** What is to be asked before. Undefined: the host does not offer it. `file` absent: of all changes. */
export function discardQuestion(changes: SessionChanges, file?: ChangesetFile): string | undefined {
  const operation = discardOf(changes, file);
  if (!operation) return undefined;
  const isCreated = file?.edit.after !== undefined && !file.edit.before;
  try {
    return operationQuestion('The agent host', operation, { name: '', scope: scopeOf(file), isCreated })?.detail;
  } catch (error) {
    // What the host asks cannot be shown, so nobody can agree to it.
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** Resolves with what the host says. Rejects with why nothing was discarded. */
export async function discardChanges(client: AgentHostClient, changes: SessionChanges, file?: ChangesetFile): Promise<string | undefined> {
  const { channel } = changes;
  const operation = discardOf(changes, file);
  const target = file && targetOf(file.edit);
  if (!operation || channel === undefined || (file && !target)) throw new UserError(phrase`The agent host does not offer to discard this.`);
  const request = { channel, operationId: DISCARD, ...(target && { target }), ...metaOfInvocation(operation._meta, undefined) };
  const { message } = await client.command('invokeChangesetOperation', request, OPERATION_TIMEOUT_MS);
  return message === undefined ? undefined : oneLine(plainText(message), MAX_SAID);
}

function discardOf({ state }: SessionChanges, file: ChangesetFile | undefined): ChangesetOperation | undefined {
  return operationsOf(state, scopeOf(file)).find(({ id }) => id === DISCARD);
}

function scopeOf(file: ChangesetFile | undefined): 'changeset' | 'resource' {
  return file ? 'resource' : 'changeset';
}
