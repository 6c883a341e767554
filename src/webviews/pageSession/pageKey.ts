/* eslint-disable texts/translated -- for the log of the browser */
/**
 * The key of the portal's pages in this browser. It is kept so that no script can read it, not even one that somebody else serves at this address later:
 * scripts can only have something signed by it.
 */
import { withTimeout } from '../../base/errors.ts';

const DATABASE = 'tapline-portal';
const STORE = 'keys';
const NAME = 'page';
const TIMEOUT_MS = 5_000;

/** Undefined: the browser has none for this address. */
export function keptKey(): Promise<CryptoKey | undefined> {
  return inStore('readonly', async (store) => {
    const key: unknown = await done(store.get(NAME));
    return key instanceof CryptoKey ? key : undefined;
  });
}

export function keepKey(key: CryptoKey): Promise<void> {
  return inStore('readwrite', async (store) => void (await done(store.put(key, NAME))));
}

async function inStore<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
  const database = await withTimeout(done(opening), TIMEOUT_MS, 'opening the storage of the browser');
  try {
    return await withTimeout(use(database.transaction(STORE, mode).objectStore(STORE)), TIMEOUT_MS, 'the storage of the browser');
  } finally {
    database.close();
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the storage of the browser has failed')));
  });
}
