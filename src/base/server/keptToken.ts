/** Tokens of a server that stay the same over restarts. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../errors.ts';
import { readOwnFile } from '../node/ownFile.ts';

/** 128 random bits in base64url, which a token must have at least. */
const MIN_LENGTH = 22;

/** For a token that was given, and not made here. */
export const isToken = (text: string): boolean => text.length >= MIN_LENGTH && !/[^\x21-\x7e]/.test(text);
/** To be read after what holds the token. */
export const TOKEN_RULE = `must have ${MIN_LENGTH} characters or more, and no spaces.`;

/** The token in a file for its user alone. Where there is no such file, a new token is written into it. Throws a {@link UserError} for a file of others, or with something else in it. */
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
