/**
 * What a write of the engine does besides changing the file in its permission request. The request for a move names the destination only,
 * and its source is in the head of the diff.
 */
import { resolve, sep } from 'node:path';

export type WriteEffect = { kind: 'changes' } | { kind: 'deletes' } | { kind: 'moves'; from: string };

const NOTHING = '/dev/null';

/** Undefined when the diff is not in the engine's format. */
export function effectOf(fileName: string, diff: string): WriteEffect | undefined {
  for (const name of spellings(fileName)) {
    if (diff.startsWith(head(name, name))) return { kind: 'changes' };
    if (diff.startsWith(head(name, NOTHING))) return { kind: 'deletes' };
  }
  // Names with line breaks belong to files that are not moved: a patch has one name per line.
  const line = /^\ndiff --git a(.+)$/m.exec(diff);
  if (line?.index !== 0) return undefined;
  for (const name of spellings(fileName)) {
    const from = line[1]?.endsWith(` b${name}`) ? line[1].slice(0, -` b${name}`.length) : '';
    if (from !== '') return { kind: 'moves', from: sep === '\\' ? from.replace(/^\//, '') : from };
  }
  return undefined;
}

function head(before: string, after: string): string {
  // eslint-disable-next-line texts/translated -- a diff, as Git writes it
  return `\ndiff --git a${before} b${after}\n`;
}

/** The path as it may appear in a diff, if it has no `..`. */
function spellings(path: string): string[] {
  const whole = resolve(path);
  if (sep === '/') return [path, whole];
  const plain = whole.replaceAll(sep, '/');
  return [path, whole, plain, `/${whole}`, `/${plain}`];
}
