/** Lets a program in that has the token of an earlier gateway, after the user has agreed. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { OwnerClient } from '../../tap/owner/ownerClient.ts';
import { letInQuestion, notLetIn, whoHas } from '../../views/providers/earlierTokenNodes.ts';
import type { EarlierToken } from '../../views/providers/facts.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import { confirm, showInfo } from '../notifications.ts';
import { namedText } from '../../views/text/decisionLines.ts';

interface Choice {
  readonly token: EarlierToken;
  readonly name: string | undefined;
}

/** `row`: from the view, which may be older than what the gateway knows. Without one the user picks. */
export async function letProviderIn(owner: OwnerClient | undefined, row: EarlierToken | undefined): Promise<void> {
  if (owner?.state.kind !== 'connected') throw new UserError(l10n.t('The tap gateway is not connected, so nobody can be let in.'));
  const { earlierTokens = [] } = await owner.request('diagnostics', {});
  if (earlierTokens.length === 0)
    throw new UserError(row ? notLetIn(undefined, false) : l10n.t('No program waits with the token of an earlier gateway.'));
  const meant = row ? earlierTokens.filter(({ id }) => id === row.id) : earlierTokens;
  const choices = meant.flatMap((token): Choice[] =>
    (token.names.length === 0 ? [undefined] : token.names).map((name) => ({ token, name })),
  );
  const [first, ...more] = choices;
  if (!first) throw new UserError(notLetIn(undefined, false));
  const chosen = more.length === 0 ? first : await pick(choices);
  if (!chosen) return;
  const { token, name } = chosen;
  const { title, detail } = letInQuestion(name);
  if (!(await confirm(title, detail, l10n.t('Let It In')))) return;
  const { letIn, isFull } = await owner.request('earlierToken/letIn', { id: token.id, ...(name !== undefined && { name }) });
  if (!letIn) throw new UserError(notLetIn(name, isFull));
  void showInfo(
    name === undefined
      ? l10n.t('The program gets in when it tries again. If it has ended, start it again.')
      : l10n.t`${namedText(oneLine(name))} gets in when it tries again. If it has ended, start it again.`,
  );
}

async function pick(choices: readonly Choice[]): Promise<Choice | undefined> {
  const items = choices.map((choice) => ({
    label: withoutMarkup(whoHas({ ...choice.token, names: choice.name === undefined ? [] : [choice.name] })),
    choice,
  }));
  const title = l10n.t('Let a Program In');
  return (await vscode.window.showQuickPick(items, { title, placeHolder: l10n.t('Which program with the token of an earlier gateway?') }))
    ?.choice;
}
