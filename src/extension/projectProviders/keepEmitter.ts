/** Writes an emitter of a session into the `tap.config.json` of its folder, because the user wants to keep it. No VS Code here. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, UserError } from '../../base/errors.ts';
import { withEmitter } from '../../tap/owner/config/keepInConfig.ts';
import { parseTapConfig, readTapConfig } from '../../tap/owner/config/tapConfig.ts';
import { tapConfigPaths } from '../../tap/owner/config/tapConfigPaths.ts';
import type { EmitterStatus } from '../../tap/wire/emitters/emitterStatus.ts';
import type { Answers } from './answers.ts';
import { projectOf } from './project.ts';

export interface KeepEmitterOptions {
  /** Its real path. */
  readonly folder: string;
  readonly emitter: EmitterStatus;
  readonly answers: Answers;
  /** The file is open with changes that are not saved. */
  isDirty(file: string): boolean;
  write(file: string, text: string): Promise<void>;
}

/**
 * The list stays allowed where it was, because the user adds what they have started themselves. Otherwise they are asked about the new one.
 * Rejects with a {@link UserError}, and then the file is unchanged.
 */
export async function keepEmitter({ folder, emitter, answers, isDirty, write }: KeepEmitterOptions): Promise<void> {
  const place = tapConfigPaths.find((path) => existsSync(join(folder, path))) ?? tapConfigPaths[0];
  const file = join(folder, place);
  if (isDirty(file)) throw new UserError(`${place} has changes that are not saved. Save it first.`);
  // It says what is wrong with a file to which nothing can be added, or that is too large.
  const isThere = (await readTapConfig(folder)) !== undefined;
  const before = isThere ? await readFile(file, 'utf8') : undefined;
  const after = withEmitter(before, emitter);
  const project = projectOf(folder, file, parseTapConfig(after, file));
  const lists = before === undefined ? undefined : parseTapConfig(before, file);
  const wasEmpty = !lists || lists.providers.length + lists.emitters.length === 0;
  const isAllowed = emitter.startedBy === 'user' && (wasEmpty || answers.of(projectOf(folder, file, lists)) === 'run');
  // Before the file is there, because it is read as soon as it is.
  if (isAllowed) await answers.set(project, 'run');
  try {
    await write(file, after);
  } catch (error) {
    if (isAllowed) await answers.forget(project);
    throw new UserError(`${place} cannot be written: ${messageOf(error)}`);
  }
}
