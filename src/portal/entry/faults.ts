import type * as z from 'zod';
import { UserError } from '../../base/errors.ts';

/** Parts of an entry whose keys are names that the user chose. */
const records: readonly unknown[] = ['models', 'promptVariables', 'hosts', 'tasks', 'jobs'];

/** What is wrong with an entry. The message begins with the path. */
export class EntryError extends UserError {
  constructor(
    /** Such as `entry.tasks["x"].model.category`. */
    readonly path: string,
    readonly reason: string,
  ) {
    super(`${path}: ${reason}`);
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

export function fault(path: Path, reason: string): EntryError {
  return new EntryError(entryPath(path), reason);
}

export function firstFault(error: z.ZodError): EntryError {
  const issue = error.issues[0];
  return fault(issue?.path ?? [], issue?.message ?? 'is no entry');
}
