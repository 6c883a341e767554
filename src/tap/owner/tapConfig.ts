/**
 * `tap.config.json`: the providers that a folder brings along. The side that asks the user reads it, and hands on exactly what the user has
 * seen: a file that changes after the question changes nothing.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { messageOf, UserError } from '../../base/errors.ts';
import { name } from '../wire/fields.ts';
import { firstIssue } from '../wire/firstIssue.ts';

/** Where it may lie in a folder; the first that is there counts. */
export const tapConfigPaths = ['tap.config.json', join('.github', 'tap.config.json')] as const;

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_PROVIDERS = 20;
const noNul = /^[^\0]*$/;
const argument = z.string().max(32_768).regex(noNul, 'must not hold a NUL');
/** What the gateway says to its providers itself. */
const ownVariable = /^TAP_/i;

const projectProvider = z.strictObject({
  /** The one name that the provider can say hello with. */
  name,
  /** A program: a name that is found through PATH, or a path; relative ones start at `cwd`. No shell reads it. */
  command: argument.min(1),
  args: z.array(argument).max(200).default([]),
  /** Inside the folder; relative to it. Absent: the folder. */
  cwd: argument.min(1).max(4096).optional(),
  /** Added to the gateway's own environment. */
  env: z
    .record(
      z
        .string()
        .regex(/^[^=\0]+$/, 'is no name of a variable')
        .refine((key) => !ownVariable.test(key), 'is set by the gateway'),
      argument,
    )
    .default({}),
});
export type ProjectProviderConfig = z.output<typeof projectProvider>;

export const projectProviders = z
  .array(projectProvider)
  .max(MAX_PROVIDERS)
  .superRefine((list, context) => {
    const seen = new Set<string>();
    for (const [at, { name: own }] of list.entries()) {
      if (seen.has(own)) context.addIssue({ code: 'custom', path: [at, 'name'], message: `${JSON.stringify(own)} is there twice` });
      seen.add(own);
    }
  });

/** The file has room for other tools' settings; a provider has not, so that a slip of the pen is noticed. */
const tapConfig = z.object({ providers: projectProviders.default([]) });

export interface TapConfig {
  /** Of the file. */
  path: string;
  providers: ProjectProviderConfig[];
}

/** Undefined: the folder has none. Rejects with a {@link UserError} that names the file and the field. */
export async function readTapConfig(folder: string): Promise<TapConfig | undefined> {
  for (const relative of tapConfigPaths) {
    const path = join(folder, relative);
    const text = await readBounded(path);
    if (text !== undefined) return { path, providers: parseTapConfig(text, path) };
  }
  return undefined;
}

/** Throws a {@link UserError} that names `path` and the field. */
export function parseTapConfig(text: string, path: string): ProjectProviderConfig[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(`${path} is not JSON: ${messageOf(error)}`);
  }
  const result = tapConfig.safeParse(value);
  if (result.success) return result.data.providers;
  throw new UserError(`${path}: ${firstIssue(result.error)}`);
}

async function readBounded(path: string): Promise<string | undefined> {
  let handle;
  try {
    // A pipe must not block.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw new UserError(`${path} cannot be read: ${messageOf(error)}`);
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new UserError(`${path} is no file`);
    if (stats.size > MAX_FILE_BYTES) throw new UserError(`${path} is larger than ${MAX_FILE_BYTES} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
