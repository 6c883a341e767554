import { createHash } from 'node:crypto';

/** The SHA-256 digest in lowercase hex. A text is taken as UTF-8. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Short, and another one once the JSON of the value is another one. */
export function revisionOf(value: unknown): string {
  return sha256(JSON.stringify(value)).slice(0, 32);
}
