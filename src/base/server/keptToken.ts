/** Tokens of a server that stay the same over restarts. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../errors.ts';
import { readOwnFile } from '../node/ownFile.ts';
import { createFile, isThere, replaceFile } from '../node/wholeFile.ts';

/** 128 random bits in base64url, which a token must have at least. */
const MIN_LENGTH = 22;

/** For a token that was given, and not made here. */
export const isToken = (text: string): boolean => text.length >= MIN_LENGTH && !/[^\x21-\x7e]/.test(text);
const REMEDY = 'Remove it, and a new token is made.';
/** To be read after what holds the token. */
export const TOKEN_RULE = `must have ${MIN_LENGTH} characters or more, and no spaces.`;

/**
 * The token in a file for its user alone. Where there is no such file, a new token is written into it; with `isNew` also where there is one.
 * Throws a {@link UserError} for a file of others, or with something else in it.
 */
export function keptToken(file: string, { isNew = false } = {}): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const made = randomBytes(32).toString('base64url');
  const data = Buffer.from(`${made}\n`);
  if (isNew) replaceFile(file, data, { sync: true });
  if (isNew || (!isThere(file) && createFile(file, data))) return made;
  try {
    const token = readOwnFile(file).trim();
    if (isToken(token)) return token;
  } catch (error) {
    if (error instanceof UserError) throw new UserError(`${error.message} ${REMEDY}`);
    throw error;
  }
  throw new UserError(`The token in ${file} ${TOKEN_RULE} ${REMEDY}`);
}
