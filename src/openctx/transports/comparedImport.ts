/** Imports a module only with the content that the user has allowed. What is compared is what runs: the file is not read a second time. */
import { register } from 'node:module';

/**
 * A module for Node's thread of loader hooks. The first file that is loaded after `register` is the provider. A module of CommonJS would be
 * read again where its source is not given.
 */
const HOOKS = `
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
let expected;
export function initialize({ digest }) { expected = digest; }
export async function load(url, context, nextLoad) {
  if (expected === undefined || !url.startsWith('file:')) return nextLoad(url, context);
  const digest = expected;
  expected = undefined;
  const loaded = await nextLoad(url, context);
  const source = loaded.source ?? (await readFile(new URL(url)));
  if (createHash('sha256').update(source).digest('hex') !== digest) throw new Error('its file has changed since it was allowed');
  return { ...loaded, source };
}`;

/** `digest`: SHA-256 of the file, in hex. Call it once, before anything else is imported. Rejects where the file has another content. */
export function importCompared(url: string, digest: string): Promise<unknown> {
  register(`data:text/javascript;base64,${Buffer.from(HOOKS).toString('base64')}`, { data: { digest } });
  return import(url);
}
