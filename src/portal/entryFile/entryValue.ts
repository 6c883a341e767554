/** What a file with an entry has, before it is checked. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';

export function isModule(file: string): boolean {
  return extname(file) !== '.json';
}

/** A module is run, as whoever named it wants. */
export async function entryValue(file: string): Promise<unknown> {
  return isModule(file) ? imported(file) : JSON.parse(await readFile(file, 'utf8'));
}

let loads = 0;

/** The default export, or the one that is called `entry`. */
async function imported(file: string): Promise<unknown> {
  const url = pathToFileURL(file);
  // Node keeps what it has imported once.
  url.searchParams.set('load', String(loads++));
  let module: Record<string, unknown>;
  try {
    module = (await import(url.href)) as Record<string, unknown>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error;
    throw new Error(`this version of Node (${process.version}) cannot read ${extname(file)} files: write JSON, or use Node 22.18 or newer`);
  }
  // A module of CommonJS has its exports in `default` too.
  const inner = module['default'] as Record<string, unknown> | undefined;
  const found = module['entry'] ?? inner?.['entry'] ?? inner?.['default'] ?? inner;
  if (found === undefined) throw new Error('the module exports neither `entry` nor a default');
  return found;
}
