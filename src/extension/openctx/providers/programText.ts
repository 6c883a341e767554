/** The text of a program that a workspace names, for the user to read before it may run: of exactly the bytes that the user decides about. */
import { readFile } from 'node:fs/promises';
import { sha256 } from '../../../base/node/sha256.ts';
import type { Provider } from './provider.ts';

/** In bytes. Nobody reads more. */
const MAX_SHOWN = 1024 * 1024;

/** Undefined for a server, and for a file that has changed, is no text or is longer than {@link MAX_SHOWN}. */
export async function programText({ target }: Pick<Provider, 'target'>): Promise<{ path: string; text: string } | undefined> {
  if (target.kind !== 'module') return undefined;
  const bytes = await readFile(target.path).catch(() => undefined);
  if (!bytes || bytes.length > MAX_SHOWN || bytes.includes(0) || sha256(bytes) !== target.sha256) return undefined;
  return { path: target.path, text: bytes.toString('utf8') };
}
