import type * as z from 'zod';
import { UserError } from '../../base/errors.ts';
import { phrase, phraseFrom, type Words } from '../../base/text/phrase.ts';

/** Parts of an entry whose keys are names that the user chose. */
const records: readonly unknown[] = ['models', 'promptVariables', 'hosts', 'tasks', 'jobs'];

/** What is wrong with an entry. The message begins with the path. */
export class EntryError extends UserError {
  constructor(
    /** Such as `entry.tasks["x"].model.category`. */
    readonly path: string,
    readonly reason: Words,
    /** The same path in parts. */
    readonly at: Path,
    /** The JSON schema of entries says it too. */
    readonly isOfSchema: boolean,
  ) {
    super(phrase`${path}: ${reason}`);
  }
}

export type Path = readonly PropertyKey[];

/** Where it is, as an expression. */
export function entryPath(path: Path): string {
  return path.reduce<string>((before, part, at) => {
    if (typeof part === 'number') return `${before}[${part}]`;
    const isName = at === 1 && records.includes(path[0]) && !(path[0] === 'models' && part === 'driving');
    return isName ? `${before}[${JSON.stringify(part)}]` : `${before}.${String(part)}`;
  }, 'entry');
}

export function fault(path: Path, reason: Words, isOfSchema = false): EntryError {
  return new EntryError(entryPath(path), reason, path, isOfSchema);
}

export function schemaFaults(error: z.ZodError): EntryError[] {
  return error.issues.map((issue) => {
    const words = issue.code === 'custom' ? phraseFrom(issue.params?.words) : undefined;
    return fault(issue.path, words ?? issue.message, issue.code !== 'custom');
  });
}
