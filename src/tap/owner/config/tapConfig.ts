/**
 * Reads `tap.config.json`, in which a folder names its providers and emitters. The process that asks the user for consent reads it and passes on exactly
 * what the user has seen, so a later change of the file has no effect.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { messageOf, UserError } from '../../../base/errors.ts';
import { isMissing } from '../../../base/node/missing.ts';
import { emittersOf } from '../../wire/emitters/configuredEmitters.ts';
import type { EmitterSpec } from '../../wire/emitters/emitterSpec.ts';
import { firstIssue } from '../../wire/parsing/firstIssue.ts';
import type { ProjectProviderConfig } from '../../wire/projectProviders.ts';
import { tapConfigPaths } from './tapConfigPaths.ts';
import { phrase } from '../../../base/text/phrase.ts';
import { checkedTapConfig } from './tapConfigShape.ts';

export type { ProjectProviderConfig };

const MAX_FILE_BYTES = 1024 * 1024;
/** What a folder has run for its sessions. */
export interface TapLists {
  providers: ProjectProviderConfig[];
  emitters: EmitterSpec[];
}

export interface TapConfig extends TapLists {
  /** Path of the file. */
  path: string;
}

/** Resolves with undefined when the folder has none. Rejects with a {@link UserError} that names the file and the field. */
export async function readTapConfig(folder: string): Promise<TapConfig | undefined> {
  for (const relative of tapConfigPaths) {
    const path = join(folder, relative);
    const text = await readBounded(path);
    if (text !== undefined) return { path, ...parseTapConfig(text, path) };
  }
  return undefined;
}

/** Comments may stand in it. Throws a {@link UserError} that names `path` and the field. */
export function parseTapConfig(text: string, path: string): TapLists {
  const result = checkedTapConfig.safeParse(readJson(text, path));
  if (result.success) return { providers: result.data.providers, emitters: emittersOf(result.data) };
  throw new UserError(phrase`${path}: ${firstIssue(result.error)}`);
}

function readJson(text: string, path: string): unknown {
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true });
  } catch (error) {
    throw new UserError(phrase`${path} is not JSON that can be read: ${messageOf(error)}`); // nested too deeply
  }
  const [error] = errors;
  if (!error) return value;
  const before = text.slice(0, error.offset).split('\n');
  throw new UserError(
    phrase`${path} is not JSON: ${printParseErrorCode(error.error)} in line ${String(before.length)}, column ${String((before.at(-1)?.length ?? 0) + 1)}`,
  );
}

async function readBounded(path: string): Promise<string | undefined> {
  let handle;
  try {
    // Opening a pipe must not block.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new UserError(phrase`${path} cannot be read: ${messageOf(error)}`);
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new UserError(phrase`${path} is not a file`);
    if (stats.size > MAX_FILE_BYTES) throw new UserError(phrase`${path} is larger than ${MAX_FILE_BYTES} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
