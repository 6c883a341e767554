/**
 * Why a write is asked about each time, whatever was allowed. Unasked is written only what shows up among the changes of a project: what Git
 * tracks, or what is new in a folder with tracked files. What programs and agents go by is asked about also there: names that begin with a
 * dot, and those on a list (`runsLater.ts`). Without Git there are these two alone.
 */
import { lstat, opendir } from 'node:fs/promises';
import { dirname, join, parse, relative, sep } from 'node:path';
import * as l10n from '../../../../base/l10n.ts';
import { Git, GitMissingError } from '../../../../base/node/git/git.ts';
import { hasDotName, runsLater, type Places } from './runsLater.ts';
import { isMissing } from '../../../../base/node/missing.ts';

export interface WritePlaces extends Places {
  /** Folders that were new when the session wrote into them. They still count as new. */
  made: ReadonlySet<string>;
}

/** For each of Git's commands. */
const TIMEOUT_MS = 5_000;
/** That are looked into for files. With more of them below it, a folder is not new. */
const MAX_FOLDERS = 100;
const NO_ANSWER = l10n.t('Git does not say whether it tracks this file');

/**
 * A sentence that goes on, or undefined where nothing is known against the write. `asked`: the absolute path as it was asked for. `real`: where
 * it leads; undefined where that is not known.
 */
export async function reasonToAsk(asked: string, real: string | undefined, places: WritePlaces): Promise<string | undefined> {
  // The name counts as well as its target: `.envrc` may be a link.
  const paths = real === undefined ? [asked] : [asked, real];
  for (const path of paths) {
    const reason = runsLater(path, places);
    if (reason !== undefined) return reason;
  }
  if (real === undefined) return undefined;
  const { workingDirectory, made } = places;
  try {
    const [repository, ownRepository] = await Promise.all([repositoryOf(real), repositoryOf(workingDirectory)]);
    const root = ownRepository ?? workingDirectory;
    const isInside = isBelow(real, root);
    if (repository !== ownRepository && ownRepository !== undefined && isInside)
      return l10n.t('It belongs to another repository than the working directory');
    const folder = isInside ? root : (repository ?? parse(real).root);
    if (paths.some((path) => hasDotName(path, folder))) return l10n.t('A name in its path begins with a dot');
    return repository === undefined ? undefined : await reasonOfGit(real, repository, made);
  } catch {
    return NO_ANSWER;
  }
}

/** The folders above the file that are new. Never rejects. */
export async function newFolders(path: string, made: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  try {
    for (let folder = dirname(path); folder !== dirname(folder) && (await isNew(folder, made)); folder = dirname(folder))
      found.push(folder);
  } catch {
    // What cannot be looked into is not new.
  }
  return found;
}

/** `top`: the folder with `.git` that the file lies in. Rejects when git fails. */
async function reasonOfGit(path: string, top: string, made: ReadonlySet<string>): Promise<string | undefined> {
  let folder = dirname(path);
  while (folder !== top && (await isNew(folder, made))) folder = dirname(folder);
  try {
    const git = await Git.in(folder, { timeoutMs: TIMEOUT_MS });
    const name = relative(folder, path).replaceAll(sep, '/');
    const [work, entries] = await Promise.all([
      git.text('rev-parse', '--show-toplevel'),
      git.parts('ls-files', '-v', '-z', '--', `:(literal)${name}`),
    ]);
    // Git looks further up when a `.git` is not a repository, and a repository may say that its files are elsewhere.
    if (relative(work, top) !== '') return NO_ANSWER;
    // Marked as `assume-unchanged` (a small letter) or `skip-worktree` (S), it is tracked, and its changes do not show.
    if (entries.length > 0)
      return entries.every((entry) => /^[HM] /.test(entry)) ? undefined : l10n.t('Git is told not to show its changes');
    if (await git.says('check-ignore', '--quiet', '--', `./${name}`)) return l10n.t('Git ignores it');
    return (await git.bytes('ls-files', '-z', '--', '.')).length > 0 ? undefined : l10n.t('Git tracks no file in its folder');
  } catch (error) {
    if (error instanceof GitMissingError) return undefined;
    throw error;
  }
}

/** The nearest folder with `.git` in it, from here upwards. Git need not take it for a repository. */
async function repositoryOf(start: string): Promise<string | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** It is not there, or has no files. Models make a folder by a command before they write into it. Rejects where one cannot be looked into. */
async function isNew(folder: string, made: ReadonlySet<string>, budget = { folders: MAX_FOLDERS }): Promise<boolean> {
  if (made.has(folder) || !(await exists(folder))) return true;
  if (budget.folders-- <= 0) return false;
  // It ends with the first file, however many there are.
  for await (const entry of await opendir(folder))
    if (!entry.isDirectory() || !(await isNew(join(folder, entry.name), made, budget))) return false;
  return true;
}

/** Does not follow links. Rejects where a folder cannot be looked into. */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Also for the folder itself. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
