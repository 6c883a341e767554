/** A file with a secret: created exclusively, for its user alone, and removed only by the process that wrote it. */
import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Disposable } from '../../base/lifecycle.ts';
import { readFileOf } from '../../base/node/ownFile.ts';
import { fileTokenShape } from '../trust/tokenGrants.ts';

/** Disposing the result removes the file if it still holds this secret. */
export function writeSecretFile(path: string, secret: string): Disposable {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  chmodSync(dirname(path), 0o700);
  // A file left by a gateway that was killed, or a link to somewhere else, is replaced and never written through.
  rmSync(path, { force: true });
  writeFileSync(path, secret, { mode: 0o600, flag: 'wx' });
  return {
    dispose() {
      try {
        if (readFileSync(path, 'utf8') === secret) rmSync(path, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    },
  };
}

/** The token that an earlier gateway has left in its file. Neither: there is no such file. `problem`: why it is not used, without the token. */
export function readKeptToken(path: string): { token?: string; problem?: string } {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return {};
  if (!stat.isFile()) return { problem: `${path} is no file of its own` };
  const { text, isPrivate } = readFileOf(path);
  if (!isPrivate) return { problem: `${path} is not for you alone to read and write` };
  const token = text.trim();
  return fileTokenShape.test(token) ? { token } : { problem: `${path} does not hold a token` };
}
