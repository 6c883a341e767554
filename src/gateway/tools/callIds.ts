/**
 * Ids of what providers are asked. Each holds a check value, so that an id which was issued is known from one that was not without a memory:
 * on every connection and after a restart, as long as the key is the same.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

const UUID_LENGTH = 36;
const CHECK_LENGTH = 22;

/** What {@link newIdKey} looks like. */
export const idKeyShape = /^[\w-]{43}$/;
export const newIdKey = () => randomBytes(32).toString('base64url');

export class CallIds {
  readonly #key: KeyObject;

  constructor(key: string) {
    this.#key = createSecretKey(key, 'base64url');
  }

  issue(kind: string): string {
    const unique = `${kind}-${randomUUID()}`;
    return `${unique}-${this.#check(unique)}`;
  }

  wasIssued(id: string, kind: string): boolean {
    const uniqueLength = kind.length + 1 + UUID_LENGTH;
    if (id.length !== uniqueLength + 1 + CHECK_LENGTH || !id.startsWith(`${kind}-`) || id[uniqueLength] !== '-') return false;
    const given = Buffer.from(id.slice(-CHECK_LENGTH));
    const expected = Buffer.from(this.#check(id.slice(0, uniqueLength)));
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  #check(unique: string): string {
    return createHmac('sha256', this.#key).update(unique).digest('base64url').slice(0, CHECK_LENGTH);
  }
}
