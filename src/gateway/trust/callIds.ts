/**
 * Ids of questions to providers. Each holds a check value, so the gateway recognizes every id that it has issued without storing it: on any
 * connection, and after a restart with the same key.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';

const UUID_LENGTH = 36;
const CHECK_LENGTH = 22;

/** The format of {@link newIdKey}. */
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
