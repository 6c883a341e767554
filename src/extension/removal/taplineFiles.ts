/** The files that Tapline has put on this computer, for the command that removes them. Only what is known by name: the folders may have more in them. */
import * as l10n from '../../base/l10n.ts';
import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../base/node/missing.ts';

export interface TaplineFolders {
  /** Of Tapline itself, usually `~/.tapline`. */
  home: string;
  /** Of the Copilot engine and the gateway, usually `~/.copilot`. */
  copilotHome: string;
}

export interface FileGroup {
  readonly label: string;
  /** What its loss means. */
  readonly detail: string;
  /** Absolute. */
  readonly paths: readonly string[];
  /** Absolute. They stay when something has come into them. */
  readonly emptyFolders: readonly string[];
  readonly bytes: number;
  /** The user has written it. */
  readonly isUsers?: boolean;
}

interface Kind extends Pick<FileGroup, 'label' | 'detail' | 'isUsers'> {
  /** In `home`. */
  readonly names: RegExp;
}

const kinds: readonly Kind[] = [
  {
    label: l10n.t('Sessions, tasks and jobs'),
    detail: l10n.t('They cannot be brought back. Worktrees of sessions stay where they are.'),
    names: /^(?:sessions|portal)$/,
  },
  { label: l10n.t('The Copilot engine'), detail: l10n.t('It can be installed again.'), names: /^(?:engine|copilot)$/ },
  {
    label: l10n.t('What the processes of Tapline keep'),
    detail: l10n.t('Logs, lock files, keys of the gateway and of windows, your answers about hosts of VS Code.'),
    names: /^(?:windows|vscode-hosts|host\.(?:log|lock\.json)|gateway\.(?:log|lock\.json|owner-secret|id-key|tokens\.json)|mcp-.*\.log)$/,
  },
  {
    label: l10n.t('What the gateway has recorded'),
    detail: l10n.t(
      'Who allowed what, what ran and what came of goals, with what of open sessions outlives the gateway. It cannot be brought back.',
    ),
    names: /^(?:gateway\.sessions|records\.db(?:[.-].+)?)$/,
  },
  { label: l10n.t('Images that you have pasted'), detail: l10n.t('They are not shown in their messages then.'), names: /^images$/ },
  { label: l10n.t('Your list of MCP servers'), detail: l10n.t('You have written it, for tap-mcp.'), names: /^mcp\.json$/, isUsers: true },
];

/** Those of which there is something. Rejects where a folder cannot be read. */
export async function findTaplineFiles({ home, copilotHome }: TaplineFolders): Promise<FileGroup[]> {
  const names = await namesIn(home);
  const found = kinds.map(({ names: wanted, ...kind }) => ({
    ...kind,
    paths: names.filter((name) => wanted.test(name)).map((name) => join(home, name)),
    emptyFolders: [] as string[],
  }));
  const own = join(copilotHome, 'extensions', 'tap');
  found.push({
    label: l10n.t('What the gateway keeps beside the Copilot engine'),
    detail: l10n.t('The token of providers, and empty folders of providers. Folders with files stay.'),
    paths: (await isFolder(own)) ? [own] : [],
    emptyFolders: await emptyFoldersIn(join(copilotHome, 'providers')),
  });
  const groups = found.filter(({ paths, emptyFolders }) => paths.length + emptyFolders.length > 0);
  return Promise.all(groups.map(async (group) => ({ ...group, bytes: await sizeOf(group.paths) })));
}

/** What was found, and then the folders that have nothing else in them. */
export async function removeTaplineFiles(groups: readonly FileGroup[], { home, copilotHome }: TaplineFolders): Promise<void> {
  for (const path of groups.flatMap(({ paths }) => paths)) await rm(path, { recursive: true, force: true });
  const parents = [join(copilotHome, 'providers'), join(copilotHome, 'extensions'), home];
  for (const folder of [...groups.flatMap(({ emptyFolders }) => emptyFolders), ...parents]) await removeEmpty(folder);
}

async function emptyFoldersIn(folder: string): Promise<string[]> {
  const folders = (await namesIn(folder)).map((name) => join(folder, name));
  const isEmpty = await Promise.all(folders.map(async (path) => (await isFolder(path)) && (await namesIn(path)).length === 0));
  return folders.filter((_, at) => isEmpty[at]);
}

async function namesIn(folder: string): Promise<string[]> {
  return (await unlessMissing(readdir(folder))) ?? [];
}

async function isFolder(path: string): Promise<boolean> {
  return (await unlessMissing(lstat(path)))?.isDirectory() ?? false;
}

/** In bytes. */
async function sizeOf(paths: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const path of paths) {
    const isOne = !(await isFolder(path));
    const files = isOne ? [path] : ((await unlessMissing(readdir(path, { recursive: true }))) ?? []).map((name) => join(path, name));
    for (const file of files) {
      const found = await unlessMissing(lstat(file));
      if (found?.isFile()) bytes += found.size;
    }
  }
  return bytes;
}

async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
