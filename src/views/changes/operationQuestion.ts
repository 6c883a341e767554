/** What the user is asked before a host does something with changes, and what must still be so after the answer. */
import * as l10n from '../../base/l10n.ts';
import type { ChangesetFile, ChangesetOperation, ChangesetState } from '../../ahp/channels/changeset.ts';
import { DISCARD, KEEP } from '../../ahp/changesetOperations.ts';
import { commitMessageIn } from '../../ahp/commitMessage.ts';
import { UserError } from '../../base/errors.ts';
import { sameJson } from '../../base/sameJson.ts';
import { plainText } from '../text/inlineText.ts';
import { oneLine } from '../text/oneLine.ts';
import { visiblePlain } from '../text/visibleText.ts';
import { type OperationScope, operationsOf } from './changesTree.ts';

/** In characters. */
const MAX_QUESTION = 1_000;

/** What an operation is for. */
export interface Subject {
  /** For questions. */
  readonly name: string;
  readonly scope: OperationScope;
  /** Discarding means that the file is deleted. */
  readonly isCreated?: boolean;
  /** What the user has seen of the file. Where it is another one by then, nothing is done. */
  readonly seen?: ChangesetFile;
}

export interface OperationQuestion {
  readonly question: string;
  readonly detail: string;
  readonly yes: string;
  /** An Enter too many must not be the answer. */
  readonly isUnlikely: boolean;
}

export function labelOf({ label, id }: ChangesetOperation): string {
  return oneLine(label) || oneLine(id);
}

/** Undefined: it needs none. Throws a {@link UserError} where the host's own question is too long to be shown. `host`: its name. */
export function operationQuestion(
  host: string,
  operation: ChangesetOperation,
  { name, isCreated }: Subject,
): OperationQuestion | undefined {
  const { id } = operation;
  const isUnlikely = id === DISCARD || id === KEEP;
  const said = detailOf(host, operation);
  if (said === undefined) return undefined;
  const isDeletion = id === DISCARD && isCreated === true;
  return {
    question: `${labelOf(operation)}: ${name}?`,
    detail: isDeletion ? `${said}\n\n${l10n.t('The file was not there before these changes, so it is deleted.')}` : said,
    yes: isDeletion ? l10n.t('Delete the File') : id === DISCARD ? l10n.t('Discard') : id === KEEP ? l10n.t('Keep') : l10n.t('Run'),
    isUnlikely,
  };
}

/** Why nothing is done although the user has agreed. A question of the host that changed while the user read it counts as another one. */
export function changedMeanwhile(
  now: ChangesetState | undefined,
  operation: ChangesetOperation,
  { name, scope, seen }: Subject,
): string | undefined {
  const current = operationsOf(now, scope).find(({ id }) => id === operation.id);
  const asks = ({ label, confirmation, status }: ChangesetOperation) => ({ label, confirmation, runs: status === 'running' });
  if (!current || !sameJson(asks(current), asks(operation)))
    return l10n.t`Nothing was done, because the host has changed “${labelOf(operation)}” meanwhile. Choose it again.`;
  if (seen && !sameJson(now?.files.find(({ id }) => id === seen.id)?.edit, seen.edit))
    return l10n.t`Nothing was done, because there are other changes than you saw: ${name}. Open the file from the Changes view again.`;
  return undefined;
}

/** That of the host. Where it has none, nothing is discarded or kept by one click all the same. */
function detailOf(host: string, operation: ChangesetOperation): string | undefined {
  const { id, confirmation } = operation;
  if (confirmation === undefined) {
    if (id === DISCARD) return l10n.t('The changes are taken back and are not kept anywhere.');
    return id === KEEP ? l10n.t('The files are taken out of the list. These changes cannot be discarded from here any more.') : undefined;
  }
  const suggested = commitMessageIn(operation._meta);
  // It is in the field, where the user may change it.
  const text = suggested ? plainText(confirmation).replace(suggested, () => '…') : plainText(confirmation);
  const asked = visiblePlain(text, true);
  if (asked.length > MAX_QUESTION)
    throw new UserError(l10n.t`Nothing was done, because what ${host} asks about “${labelOf(operation)}” is too long to be shown.`);
  return l10n.t`${host} asks: ${asked}`;
}
