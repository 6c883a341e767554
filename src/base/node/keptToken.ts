/** A token that stays the same over restarts, in a file for its user alone. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../errors.ts';
import { isToken, TOKEN_RULE } from '../server/tokenRule.ts';
import { readOwnFile } from './ownFile.ts';

/** Where there is no such file, a new token is written into it. Throws a {@link UserError} for a file of others, or with something else in it. */
export function keptToken(file: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const token = randomBytes(32).toString('base64url');
    writeFileSync(file, `${token}\n`, { flag: 'wx', mode: 0o600 });
    return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const token = readOwnFile(file).trim();
  if (!isToken(token)) throw new UserError(`The token in ${file} ${TOKEN_RULE}`);
  return token;
}
