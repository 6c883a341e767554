/** The operation `discard`, for the changesets whose files have both contents. */
import type { ChangesetFile, ChangesetOperation } from '../../ahp/channels/changeset.ts';
import type { ChangesetOperationResult } from '../../ahp/channels/commands.ts';
import { DISCARD } from '../../ahp/changesetOperations.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { FileEdit, URI } from '../../ahp/common/shapes.ts';
import { messageOf } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import * as l10n from '../../base/l10n.ts';
import { changesUri } from '../state/chatUris.ts';
import type { StateStore } from '../state/stateStore.ts';
import type { ChangesetOperationTarget, ChangesetTarget, OperationRequest } from './changesetSource.ts';
import { CommittedModes } from './edits/committedModes.ts';
import { type Discarded, discardFile, type DiscardRequest } from './edits/discardFile.ts';

export const discardOperation: ChangesetOperation = {
  id: DISCARD,
  label: l10n.t('Discard Changes'),
  description: l10n.t('Puts the files back as they were before these changes. What others have changed since stays.'),
  scopes: ['changeset', 'resource', 'range'],
  confirmation: l10n.t('This puts the files back as they were before these changes. It cannot be undone.'),
  icon: 'discard',
  status: 'idle',
};

/** Files that a message names. */
const MAX_NAMED = 10;

/** Throws InvalidParams for what is none of the operations, or not for that target. */
export function requireOperation(operations: readonly ChangesetOperation[], { operationId, target }: OperationRequest): void {
  const operation = operations.find(({ id }) => id === operationId);
  // eslint-disable-next-line texts/translated -- for programs
  if (!operation) throw new RpcError(ErrorCode.InvalidParams, `operationId: these changes have no operation ${operationId.slice(0, 100)}`);
  const scope = target?.kind ?? 'changeset';
  if (!operation.scopes.includes(scope))
    // eslint-disable-next-line texts/translated -- for programs
    throw new RpcError(ErrorCode.InvalidParams, `target: ${operationId} cannot be done for a ${scope.slice(0, 100)}`);
}

/** The files that an operation is about. Throws NotFound when the changeset does not have the file. */
export function filesOf(files: readonly ChangesetFile[], target: ChangesetOperationTarget | undefined): readonly ChangesetFile[] {
  if (!target) return files;
  const resource = 'resource' in target ? target.resource : '';
  const found = files.filter(({ id, edit }) => [id, edit.before?.uri, edit.after?.uri].includes(resource));
  // eslint-disable-next-line texts/translated -- for programs
  if (found.length === 0) throw new RpcError(ErrorCode.NotFound, `the changes have no file ${resource.slice(0, 200)}`);
  return found;
}

/** Throws TurnInProgress while any chat of the session has a turn. */
export function requireRest(store: StateStore, session: URI): void {
  if ((store.session(session)?.chats ?? []).some(({ resource }) => store.chat(resource)?.activeTurn))
    throw new RpcError(
      ErrorCode.TurnInProgress,
      l10n.t('The agent is working. Stop it, or wait until it is done, and discard the changes then.'),
    );
}

export interface DiscardedAll {
  /** What the session has to record: from what was on disk to what is there now. */
  written: FileEdit[];
  /** What is left of the change of each file that was put back. */
  done: Map<URI, FileEdit | undefined>;
  result: ChangesetOperationResult;
}

/** Throws Conflict when no file could be put back, and what {@link filesOf} throws. No turn is in progress. */
export async function discardAll(
  all: readonly ChangesetFile[],
  { session, workingDirectory: folder }: ChangesetTarget,
  target: ChangesetOperationTarget | undefined,
  { store, contents }: Pick<DiscardRequest, 'contents'> & { store: StateStore },
): Promise<DiscardedAll> {
  const files = filesOf(all, target);
  const lines = target && 'range' in target ? { side: target.side ?? 'after', range: target.range } : undefined;
  const written: FileEdit[] = [];
  const done: DiscardedAll['done'] = new Map();
  const problems: string[] = [];
  const scripts: string[] = [];
  const modes = new CommittedModes(
    folder,
    files.flatMap(({ id }) => pathOf(id) ?? []),
  );
  for (const { id, edit } of files) {
    try {
      // A turn may have begun meanwhile.
      requireRest(store, session);
      const discarded: Discarded = await discardFile(edit, { folder, contents, lines, modes });
      const recorded = discarded.written ?? (isListed(store, session, id) ? reverseOf(edit) : undefined);
      if (recorded) written.push(recorded);
      if (discarded.isScript) scripts.push(nameOf(id, folder));
      done.set(id, discarded.left);
    } catch (error) {
      problems.push(l10n.t`${nameOf(id, folder)}: ${messageOf(error)}`);
    }
  }
  const left = leftText(problems);
  if (problems.length > 0 && done.size === 0)
    throw new RpcError(ErrorCode.Conflict, l10n.sentencesText([l10n.t('Nothing was put back.'), left]));
  const messages = [...(problems.length > 0 ? [left] : []), ...(scripts.length > 0 ? [scriptsText(scripts)] : [])];
  return { written, done, result: messages.length > 0 ? { message: l10n.sentencesText(messages) } : {} };
}

/** `problems`: each names its file. */
function leftText(problems: readonly string[]): string {
  const all = named(problems, '; ');
  const count = l10n.countText(problems.length);
  return l10n.plural(problems.length, l10n.t`One file is left as it is. ${all}.`, l10n.t`${count} files are left as they are. ${all}.`);
}

function scriptsText(scripts: readonly string[]): string {
  const all = named(scripts, ', ');
  return l10n.plural(
    scripts.length,
    l10n.t`Cannot be executed any more, in case it could before: ${all}.`,
    l10n.t`Cannot be executed any more, in case they could before: ${all}.`,
  );
}

/** The first ones, and how many more there are. */
export function named(all: readonly string[], separator: string): string {
  return [...all.slice(0, MAX_NAMED), ...(all.length > MAX_NAMED ? [l10n.t`and ${l10n.countText(all.length - MAX_NAMED)} more`] : [])].join(
    separator,
  );
}

/** Whether the changes of the session have the file. */
function isListed(store: StateStore, session: URI, file: URI): boolean {
  return store.changeset(changesUri(session))?.files.some(({ id }) => id === file) ?? false;
}

function reverseOf({ before, after }: FileEdit): FileEdit {
  return { ...(after && { before: after }), ...(before && { after: before }) };
}

/** As in the session's folder. */
function nameOf(uri: URI, folder: string): string {
  const path = pathOf(uri) ?? uri;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path.slice(0, 200);
}

function pathOf(uri: URI): string | undefined {
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    return undefined; // It is no place of this computer.
  }
}
