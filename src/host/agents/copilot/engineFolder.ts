/**
 * Where the Copilot engine is. It is not part of Tapline: it is a package of 130 MB that is in the user's installation or not, so that it
 * is looked for and loaded at run time and every use of it starts with the question whether it is there.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { taplineHome } from '../../../base/daemon.ts';

const PACKAGE = '@github/copilot-sdk';

/** The parts of the package that are used. */
export type Sdk = Pick<typeof import('@github/copilot-sdk'), 'CopilotClient'>;

/**
 * `node_modules` folders that may hold the engine, best first: what was installed for Tapline, then that of the repository when
 * `script` (the file that this process runs) is below one.
 */
export function engineFolders(script: string | undefined): string[] {
  const repository = script === undefined ? [] : [join(dirname(dirname(resolve(script))), 'node_modules')];
  return [join(taplineHome(), 'engine', 'node_modules'), ...repository];
}

/** The folder of the package in the first of the folders that has it. */
export function findEngine(folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, PACKAGE)).find((folder) => existsSync(join(folder, 'package.json')));
}

export async function loadEngine(folder: string): Promise<Sdk> {
  const entry = entryOf(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  if (entry === undefined) throw new Error(`${folder} is not a Copilot SDK that Tapline understands`);
  // The path is only known now, so that no bundler takes the package in.
  const url = pathToFileURL(join(folder, entry)).href;
  const sdk = (await import(url)) as Partial<Sdk>;
  if (typeof sdk.CopilotClient !== 'function') throw new Error(`${folder} has no CopilotClient`);
  return { CopilotClient: sdk.CopilotClient };
}

function entryOf(manifest: unknown): string | undefined {
  const { exports } = manifest as { exports?: { '.'?: { import?: string | { default?: string } } } };
  const entry = exports?.['.']?.import;
  return typeof entry === 'string' ? entry : entry?.default;
}
