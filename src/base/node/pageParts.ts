/** What a page imports at its start, as the build lists it beside the page. A document that names them has all of them loaded at once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names of files in `folder`. */
export function pageParts(folder: string, page: string): string[] {
  return JSON.parse(readFileSync(join(folder, `${page}.parts.json`), 'utf8')) as string[];
}
