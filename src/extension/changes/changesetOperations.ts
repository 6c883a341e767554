/** What a host offers to do with changes, such as to commit or to discard them: chosen and confirmed by the user, and told how it ended. */
import * as vscode from 'vscode';
import type { ChangesetOperation, ChangesetState } from '../../ahp/channels/changeset.ts';
import type { CommandResult } from '../../ahp/channels/commands.ts';
import { UserError } from '../../base/errors.ts';
import { sameJson } from '../../base/sameJson.ts';
import { type ChangesNode, operationsOf, targetOf } from '../../views/changes/changesTree.ts';
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

function offered(state: ChangesetState | undefined, { kind }: ChangesNode): ChangesetOperation[] {
  return operationsOf(state, kind === 'file' ? 'resource' : 'changeset');
}

export async function pickOperation(state: ChangesetState | undefined, node: ChangesNode): Promise<ChangesetOperation | undefined> {
  const operations = offered(state, node);
  if (operations.length === 0) throw new UserError(`The host offers nothing to do with “${node.label}”.`);
  const items = operations.map((operation) => ({
    label: withoutMarkup(oneLine(operation.label) || oneLine(operation.id)),
    description:
      { running: 'runs', error: `failed: ${withoutMarkup(oneLine(operation.error?.message))}` }[operation.status as string] ?? '',
    detail: withoutMarkup(oneLine(operation.description)),
    operation,
  }));
  const options = { title: withoutMarkup(node.fullName), placeHolder: 'What do you want the host to do?' };
  return (await vscode.window.showQuickPick(items, options))?.operation;
}

/** `stateNow`: a question of the host that changed while the user read it counts as another one. */
export async function runOperation(
  host: RegisteredHost,
  viewId: string,
  node: ChangesNode,
  operation: ChangesetOperation,
  stateNow: () => ChangesetState | undefined,
): Promise<void> {
  const label = oneLine(operation.label) || oneLine(operation.id);
  if (operation.status === 'running') throw new UserError(`“${label}” runs already.`);
  if (operation.confirmation !== undefined) {
    const asked = visiblePlain(plainText(operation.confirmation), true);
    if (asked.length > MAX_QUESTION)
      throw new UserError(`Nothing was done, because what ${host.label} asks about “${label}” is too long to be shown.`);
    if (!(await confirm(`${label}: ${node.fullName}?`, `${host.label} asks: ${asked}`, 'Run'))) return;
  }
  const now = offered(stateNow(), node).find(({ id }) => id === operation.id);
  const asks = ({ label: of, confirmation, status }: ChangesetOperation) => ({ of, confirmation, runs: status === 'running' });
  if (!now || !sameJson(asks(now), asks(operation)))
    throw new UserError(`Nothing was done, because the host has changed “${label}” meanwhile. Choose it again.`);
  const target = node.edit && targetOf(node.edit);
  const params = { channel: node.changeset, operationId: operation.id, ...(target && { target }) };
  const result = await vscode.window.withProgress({ location: { viewId }, title: withoutMarkup(label) }, () =>
    host.client.command('invokeChangesetOperation', params, OPERATION_TIMEOUT_MS),
  );
  await tell(host, label, result);
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
