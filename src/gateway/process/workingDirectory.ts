/** The folder in which a program of a session runs. */
import { realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { messageOf } from '../../base/errors.ts';

/** Throws when `cwd` is not a folder or lies outside. Checked again at every start, because links may have changed. */
export function workingDirectory(folder: string, cwd = '.'): string {
  let real;
  try {
    real = realpathSync(resolve(folder, cwd));
  } catch (error) {
    throw new Error(`cwd: ${messageOf(error)}`);
  }
  if (real !== folder && !real.startsWith(folder.endsWith(sep) ? folder : folder + sep))
    throw new Error(`cwd: ${JSON.stringify(cwd)} lies outside the folder`);
  if (!statSync(real).isDirectory()) throw new Error(`cwd: ${JSON.stringify(cwd)} is not a folder`);
  return real;
}
