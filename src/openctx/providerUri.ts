/** What the URI of a provider names, as users of OpenCtx write it in their settings. */
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { UserError } from '../base/errors.ts';

export type ProviderTarget = { kind: 'http'; url: URL } | { kind: 'module'; url: URL };

const packageName = /^(?:@[\w.-]+\/)?[\w-][\w.-]*$/;

/**
 * `http(s)://…` is an endpoint. A file (absolute, `file:`, or relative to the workspace folder with `./`) and the name of a package that is
 * installed in the workspace folder are modules. Throws a {@link UserError} for anything else.
 */
export function resolveProviderUri(uri: string, workspaceFolder?: string): ProviderTarget {
  if (/^https?:\/\//i.test(uri)) {
    if (!URL.canParse(uri)) throw new UserError(`“${uri}” is no URL.`);
    const url = new URL(uri);
    // It would stand in errors, in the view, and in what agents get.
    if (url.username !== '' || url.password !== '')
      throw new UserError(`The URI of a provider must have no name and no password. Use a secret in the settings of “${url.host}”.`);
    return { kind: 'http', url };
  }
  if (/^file:/i.test(uri)) {
    const url = URL.canParse(uri) ? new URL(uri) : undefined;
    if (!url || url.host !== '') throw new UserError(`“${uri}” names no file of this computer.`);
    return moduleAt(uri, fileURLToPath(url));
  }
  if (isAbsolute(uri)) return moduleAt(uri, uri);
  if (/^\.{1,2}[\\/]/.test(uri)) return moduleAt(uri, join(inFolder(uri, workspaceFolder), uri));
  if (packageName.test(uri)) return { kind: 'module', url: pathToFileURL(packageMain(uri, inFolder(uri, workspaceFolder))) };
  throw new UserError(`“${uri}” is no provider: give a URL (https://…), a file (./provider.js) or a package of the workspace.`);
}

function moduleAt(uri: string, path: string): ProviderTarget {
  if (!/\.[cm]?js$/.test(path)) throw new UserError(`“${uri}” is no JavaScript file (.js, .mjs or .cjs).`);
  return { kind: 'module', url: pathToFileURL(path) };
}

function inFolder(uri: string, workspaceFolder: string | undefined): string {
  if (workspaceFolder === undefined) throw new UserError(`“${uri}” is relative to a workspace folder, and there is none.`);
  return workspaceFolder;
}

function packageMain(name: string, workspaceFolder: string): string {
  try {
    return createRequire(join(workspaceFolder, 'package.json')).resolve(name);
  } catch {
    throw new UserError(`The package “${name}” is not installed in ${workspaceFolder}.`);
  }
}
