/**
 * Loads the Copilot engine at run time from the folder where it was found, because it is not part of Tapline (see `models/copilotEngine`).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The parts of the package that are used. */
export type Sdk = Pick<typeof import('@github/copilot-sdk'), 'CopilotClient'>;

export async function loadEngine(folder: string): Promise<Sdk> {
  const entry = entryOf(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  if (entry === undefined) throw new Error(`${folder} is not a Copilot SDK that Tapline understands`);
  // The path is computed, so that bundlers do not include the package.
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
