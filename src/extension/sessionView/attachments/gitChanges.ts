/** The uncommitted changes of a repository, as VS Code's Git extension has them. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../../base/errors.ts';
import { CHARACTERS_A_TOKEN, type ContextItem } from '../../../views/session/composer/contextItems.ts';
import { changesItem } from '../../../views/session/composer/editorItems.ts';
import { displayPath } from '../../../views/text/displayPath.ts';

/** What is used of the Git extension's API, version 1. */
interface Repository {
  readonly rootUri: vscode.Uri;
  diff(cached?: boolean): Promise<string>;
}
interface GitExtension {
  getAPI(version: 1): { readonly repositories: readonly Repository[] };
}

/** `source`: what the Source Control view passes. Undefined when the user chooses no repository. `tokens`: how many there may be. */
export async function gitChanges(source: unknown, tokens: number): Promise<ContextItem | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension) throw new UserError(l10n.t('VS Code’s Git extension is switched off, so there are no changes to add. Enable it first.'));
  const { repositories } = (await extension.activate()).getAPI(1);
  const repository = await chosen(repositories, (source as { rootUri?: vscode.Uri } | undefined)?.rootUri);
  if (!repository) return undefined;
  const diff = [await repository.diff(true), await repository.diff(false)].filter((text) => text !== '').join('\n');
  if (diff === '') throw new UserError(l10n.t('There are no changes of tracked files in this repository.'));
  return changesItem(displayPath(repository.rootUri.toString()), diff, tokens * CHARACTERS_A_TOKEN);
}

async function chosen(repositories: readonly Repository[], root: vscode.Uri | undefined): Promise<Repository | undefined> {
  const named = root && repositories.find(({ rootUri }) => rootUri.toString() === root.toString());
  if (named) return named;
  if (repositories.length === 0)
    throw new UserError(l10n.t('No Git repository is open. Open a folder of one, or attach the changed files.'));
  if (repositories.length === 1) return repositories[0];
  const items = repositories.map((repository) => ({ label: displayPath(repository.rootUri.toString()), repository }));
  return (await vscode.window.showQuickPick(items, { placeHolder: l10n.t('Of which repository do you want to add the changes?') }))
    ?.repository;
}
