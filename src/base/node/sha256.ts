import { createHash } from 'node:crypto';

/** The SHA-256 digest of a text in UTF-8, in lowercase hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
