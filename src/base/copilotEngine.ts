/** Where the Copilot engine is. It is a package of 130 MB that Tapline does not bring: it is found, or installed when the user asks for it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { taplineHome } from './daemon.ts';

export const ENGINE_PACKAGE = '@github/copilot-sdk';
/** The version that Tapline is built and tested with. */
export const ENGINE_VERSION = '1.0.14';

/** Where it is installed for Tapline. */
export function engineHome(): string {
  return join(taplineHome(), 'engine');
}

/** `node_modules` folders that may hold it, best first: what was installed for Tapline, then that of the repository below `root`. */
export function engineFolders(root: string): string[] {
  return [join(engineHome(), 'node_modules'), join(root, 'node_modules')];
}

/** The folder of the package in the first of the folders that has it. */
export function findEngine(folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, ENGINE_PACKAGE)).find((folder) => existsSync(join(folder, 'package.json')));
}
