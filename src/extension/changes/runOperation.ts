/** What a host offers to do with changes, such as to commit or to discard them: chosen and confirmed by the user, and told how it ended. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { OPERATION_TIMEOUT_MS } from '../../ahp/changesetOperations.ts';
import { commitMessageIn, MAX_COMMIT_MESSAGE, metaOfInvocation } from '../../ahp/commitMessage.ts';
import type { ChangesetOperation, ChangesetState } from '../../ahp/channels/changeset.ts';
import type { CommandParams, CommandResult } from '../../ahp/channels/commands.ts';
import { UserError } from '../../base/errors.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { type ChangesNode, operationsOf, targetOf } from '../../views/changes/changesTree.ts';
import {
  changedMeanwhile,
  labelOf,
  type OperationQuestion,
  operationQuestion,
  type Subject,
} from '../../views/changes/operationQuestion.ts';
import { plainText } from '../../views/text/inlineText.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { confirm, confirmUnlikely, showInfo } from '../notifications.ts';
import { openFile } from '../sessionView/openers.ts';

/** In characters. */
const MAX_SUGGESTED = 2_000;
const MAX_PROMPT = 1_000;
/** Changesets whose message is kept. */
const MAX_KEPT = 20;

/** Messages with which nothing was committed yet, for the next attempt. By host and changeset. */
const keptMessages = new Map<string, string>();

/** What an operation is for. */
export interface OperationPlace extends Subject {
  readonly changeset: URI;
  /** Absent: the whole changeset. */
  readonly target?: CommandParams<'invokeChangesetOperation'>['target'];
}

export function placeOf({ kind, changeset, fullName, edit }: ChangesNode): OperationPlace {
  const target = edit && targetOf(edit);
  const isCreated = edit?.after !== undefined && !edit.before;
  return { changeset, name: fullName, scope: kind === 'file' ? 'resource' : 'changeset', isCreated, ...(target && { target }) };
}

export async function pickOperation(
  state: ChangesetState | undefined,
  { name, scope }: OperationPlace,
): Promise<ChangesetOperation | undefined> {
  const operations = operationsOf(state, scope);
  if (operations.length === 0) throw new UserError(l10n.t`The host offers nothing to do with “${name}”.`);
  const items = operations.map((operation) => ({
    label: withoutMarkup(oneLine(operation.label) || oneLine(operation.id)),
    description:
      { running: l10n.t('runs'), error: l10n.t`failed: ${withoutMarkup(oneLine(operation.error?.message))}` }[operation.status as string] ??
      '',
    detail: withoutMarkup(oneLine(operation.description)),
    operation,
  }));
  const options = { title: withoutMarkup(name), placeHolder: l10n.t('What do you want the host to do?') };
  return (await vscode.window.showQuickPick(items, options))?.operation;
}

/** `stateNow`: what the host has after the answer. False: the user has left the question. */
export async function runOperation(
  host: RegisteredHost,
  viewId: string,
  place: OperationPlace,
  operation: ChangesetOperation,
  stateNow: () => ChangesetState | undefined,
): Promise<boolean> {
  const { changeset, target } = place;
  const label = labelOf(operation);
  if (operation.status === 'running') throw new UserError(l10n.t`“${label}” runs already.`);
  const asked = operationQuestion(host.label, operation, place);
  const suggested = commitMessageIn(operation._meta);
  const key = JSON.stringify([host.id, changeset]);
  let commitMessage: string | undefined;
  if (suggested !== undefined) {
    commitMessage = await askForCommitMessage(label, asked?.detail, keptMessages.get(key) ?? oneLine(suggested, MAX_SUGGESTED));
    if (commitMessage === undefined) return false;
    keepMessage(key, commitMessage);
  } else if (asked && !(await isConfirmed(asked))) return false;
  const problem = changedMeanwhile(stateNow(), operation, place);
  if (problem !== undefined) throw new UserError(problem);
  const params = {
    ...{ channel: changeset, operationId: operation.id },
    ...(target && { target }),
    ...metaOfInvocation(operation._meta, commitMessage),
  };
  const result = await vscode.window.withProgress({ location: { viewId }, title: withoutMarkup(label) }, () =>
    host.client.command('invokeChangesetOperation', params, OPERATION_TIMEOUT_MS),
  );
  if (commitMessage !== undefined) keptMessages.delete(key);
  await tell(host, label, result);
  return true;
}

function isConfirmed({ question, detail, yes, isUnlikely }: OperationQuestion): Promise<boolean> {
  return isUnlikely ? confirmUnlikely(question, detail, yes, l10n.t('Leave as It Is')) : confirm(question, detail, yes);
}

function keepMessage(key: string, message: string): void {
  keptMessages.delete(key);
  keptMessages.set(key, message);
  for (const oldest of [...keptMessages.keys()].slice(0, -MAX_KEPT)) keptMessages.delete(oldest);
}

/** Undefined: the user has left the question. */
async function askForCommitMessage(label: string, question: string | undefined, value: string): Promise<string | undefined> {
  const message = await vscode.window.showInputBox({
    title: withoutMarkup(label),
    prompt: question === undefined ? l10n.t('The message of the commit') : withoutMarkup(oneLine(question, MAX_PROMPT)),
    value,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const { length } = text.trim();
      if (length === 0) return l10n.t('A commit needs a message.');
      return length > MAX_COMMIT_MESSAGE ? l10n.t`A message has at most ${MAX_COMMIT_MESSAGE} characters.` : undefined;
    },
  });
  return message?.trim();
}

async function tell(host: RegisteredHost, label: string, { message, followUp }: CommandResult<'invokeChangesetOperation'>): Promise<void> {
  const text = message === undefined ? '' : oneLine(plainText(message), 1000);
  const said = text === '' ? l10n.t`${label}: done.` : `${host.label}: ${text}`;
  if (!followUp) {
    void showInfo(said);
    return;
  }
  const { uri } = followUp.content;
  const open = l10n.t('Open');
  // The address is the host's. Where it leads out of VS Code, VS Code asks before it opens it.
  if ((await showInfo(`${said} ${oneLine(uri)}`, open)) !== open) return;
  if (!followUp.external) await openFile(host, uri);
  else if (/^https?:/i.test(uri)) await vscode.env.openExternal(vscode.Uri.parse(uri, true));
  else
    throw new UserError(
      l10n.t`${host.label} wants to open “${oneLine(uri)}”. Tapline opens only http: and https: addresses outside of VS Code.`,
    );
}
