/** The hashes of the last tokens, in a file for the user alone. It grants nothing by itself: an owner or the user must let such a token in. */
import * as z from 'zod';
import { readFileOf } from '../../base/node/ownFile.ts';
import { replaceFile } from '../../base/node/wholeFile.ts';
import type { KnownToken } from '../trust/tokenHistory.ts';

const shape = z.array(
  z.object({ digest: z.string().regex(/^[0-9a-f]{64}$/), port: z.number(), names: z.array(z.string().max(200)).max(20) }),
);

/** Empty where there is none, it was damaged, or others could have written it. */
export function readTokenHistory(path: string): KnownToken[] {
  try {
    const { text, isPrivate } = readFileOf(path);
    return isPrivate ? shape.parse(JSON.parse(text)) : [];
  } catch {
    return [];
  }
}

export function writeTokenHistory(path: string, tokens: readonly KnownToken[]): void {
  replaceFile(path, Buffer.from(JSON.stringify(tokens)), { sync: false });
}
