/** Where the desktop editions of VS Code keep their data, and so the entries of their agent hosts. */
/* eslint-disable texts/translated -- names of folders and products */
import * as l10n from '../../../base/l10n.ts';
import { posix, win32 } from 'node:path';

export interface UserDataFolder {
  /** What the user calls that VS Code. */
  product: string;
  path: string;
}

const products = [
  ['VS Code', 'Code'],
  ['VS Code Insiders', 'Code - Insiders'],
] as const;

export interface Computer {
  platform: string;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/** `globalStorage`: the folder of the extension in this VS Code, whose own data may be elsewhere. */
export function userDataFolders({ platform, env, home }: Computer, globalStorage?: string): UserDataFolder[] {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  const given = platform === 'win32' ? env['APPDATA'] : platform === 'linux' ? env['XDG_CONFIG_HOME'] : undefined;
  const usual = { win32: ['AppData', 'Roaming'], darwin: ['Library', 'Application Support'] }[platform] ?? ['.config'];
  const base = given && isAbsolute(given) ? given : join(home, ...usual);
  const folders = products.map(([product, name]) => ({ product, path: join(base, name) }));
  const own = /^(.+)[\\/]User[\\/](?:profiles[\\/][^\\/]+[\\/])?globalStorage[\\/][^\\/]+[\\/]?$/.exec(globalStorage ?? '')?.[1];
  return own === undefined || folders.some(({ path }) => path === own)
    ? folders
    : [...folders, { product: l10n.t('This VS Code'), path: own }];
}
