/** What a host offers to do with changes, such as to commit or to discard them: chosen and confirmed by the user, and told how it ended. */
import * as vscode from 'vscode';
import { COMMIT_MESSAGE, metaOfInvocation } from '../../ahp/commitMessage.ts';
import type { ChangesetOperation, ChangesetState } from '../../ahp/channels/changeset.ts';
import type { CommandParams, CommandResult } from '../../ahp/channels/commands.ts';
import { UserError } from '../../base/errors.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { type ChangesNode, DISCARD, type OperationScope, operationsOf, targetOf } from '../../views/changes/changesTree.ts';
import { plainText } from '../../views/text/inlineText.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { visiblePlain } from '../../views/text/visibleText.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { confirm, showInfo } from '../notifications.ts';
import { openFile } from '../sessionView/openers.ts';

/** An operation may make a pull request, or wait for hooks. */
const OPERATION_TIMEOUT_MS = 5 * 60_000;
/** In characters. */
const MAX_QUESTION = 1_000;
const MAX_COMMIT_MESSAGE = 2_000;

/** What an operation is for. */
export interface OperationPlace {
  readonly changeset: URI;
  /** For questions. */
  readonly name: string;
  readonly scope: OperationScope;
  /** Absent: the whole changeset. */
  readonly target?: CommandParams<'invokeChangesetOperation'>['target'];
}

export function placeOf({ kind, changeset, fullName, edit }: ChangesNode): OperationPlace {
  const target = edit && targetOf(edit);
  return { changeset, name: fullName, scope: kind === 'file' ? 'resource' : 'changeset', ...(target && { target }) };
}

export async function pickOperation(
  state: ChangesetState | undefined,
  { name, scope }: OperationPlace,
): Promise<ChangesetOperation | undefined> {
  const operations = operationsOf(state, scope);
  if (operations.length === 0) throw new UserError(`The host offers nothing to do with “${name}”.`);
  const items = operations.map((operation) => ({
    label: withoutMarkup(oneLine(operation.label) || oneLine(operation.id)),
    description:
      { running: 'runs', error: `failed: ${withoutMarkup(oneLine(operation.error?.message))}` }[operation.status as string] ?? '',
    detail: withoutMarkup(oneLine(operation.description)),
    operation,
  }));
  const options = { title: withoutMarkup(name), placeHolder: 'What do you want the host to do?' };
  return (await vscode.window.showQuickPick(items, options))?.operation;
}

/** `stateNow`: a question of the host that changed while the user read it counts as another one. False: the user has left the question. */
export async function runOperation(
  host: RegisteredHost,
  viewId: string,
  { changeset, name, scope, target }: OperationPlace,
  operation: ChangesetOperation,
  stateNow: () => ChangesetState | undefined,
): Promise<boolean> {
  const label = oneLine(operation.label) || oneLine(operation.id);
  if (operation.status === 'running') throw new UserError(`“${label}” runs already.`);
  const question = questionOf(host, operation, label);
  const suggested = operation._meta?.[COMMIT_MESSAGE];
  let commitMessage: string | undefined;
  if (typeof suggested === 'string') {
    commitMessage = await askForCommitMessage(label, question, suggested);
    if (commitMessage === undefined) return false;
  } else if (question !== undefined && !(await confirm(`${label}: ${name}?`, question, 'Run'))) return false;
  const now = operationsOf(stateNow(), scope).find(({ id }) => id === operation.id);
  const asks = ({ label: of, confirmation, status }: ChangesetOperation) => ({ of, confirmation, runs: status === 'running' });
  if (!now || !sameJson(asks(now), asks(operation)))
    throw new UserError(`Nothing was done, because the host has changed “${label}” meanwhile. Choose it again.`);
  const params = {
    ...{ channel: changeset, operationId: operation.id },
    ...(target && { target }),
    ...metaOfInvocation(operation._meta, commitMessage),
  };
  const result = await vscode.window.withProgress({ location: { viewId }, title: withoutMarkup(label) }, () =>
    host.client.command('invokeChangesetOperation', params, OPERATION_TIMEOUT_MS),
  );
  await tell(host, label, result);
  return true;
}

/** That of the host. Where it has none, nothing is discarded by one click all the same. */
function questionOf(host: RegisteredHost, { id, confirmation }: ChangesetOperation, label: string): string | undefined {
  if (confirmation === undefined) return id === DISCARD ? 'The changes are taken back and are not kept anywhere.' : undefined;
  const asked = visiblePlain(plainText(confirmation), true);
  if (asked.length > MAX_QUESTION)
    throw new UserError(`Nothing was done, because what ${host.label} asks about “${label}” is too long to be shown.`);
  return `${host.label} asks: ${asked}`;
}

/** Undefined: the user has left the question. */
async function askForCommitMessage(label: string, question: string | undefined, suggested: string): Promise<string | undefined> {
  const message = await vscode.window.showInputBox({
    title: withoutMarkup(label),
    prompt: question === undefined ? 'The message of the commit' : withoutMarkup(oneLine(question, MAX_QUESTION)),
    value: oneLine(suggested, MAX_COMMIT_MESSAGE),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? 'A commit needs a message.' : undefined),
  });
  return message?.trim();
}

async function tell(host: RegisteredHost, label: string, { message, followUp }: CommandResult<'invokeChangesetOperation'>): Promise<void> {
  const text = message === undefined ? '' : oneLine(plainText(message), 1000);
  const said = text === '' ? `${label}: done.` : `${host.label}: ${text}`;
  if (!followUp) {
    void showInfo(said);
    return;
  }
  const { uri } = followUp.content;
  const open = 'Open';
  // The address is the host's. Where it leads out of VS Code, VS Code asks before it opens it.
  if ((await showInfo(`${said} ${oneLine(uri)}`, open)) !== open) return;
  if (!followUp.external) await openFile(host, uri);
  else if (/^https?:/i.test(uri)) await vscode.env.openExternal(vscode.Uri.parse(uri, true));
  else
    throw new UserError(`${host.label} wants to open “${oneLine(uri)}”. Tapline opens only http: and https: addresses outside of VS Code.`);
}
