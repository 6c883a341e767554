/** The text of a program that a workspace names, for the user to read before it may run: of exactly the bytes that the user decides about. */
import { readFile } from 'node:fs/promises';
import { sha256 } from '../../../base/node/sha256.ts';
import { program } from '../../../base/text/quoted.ts';
import type { Provider } from './findProvider.ts';

/** In bytes. Nobody reads more. */
const MAX_SHOWN = 1024 * 1024;

export type WhyNot = 'changed' | 'tooLong' | 'noText';

/** `whyNot`: in place of the text, why it is not shown. Undefined for a server. */
export async function programText({
  target,
}: Pick<Provider, 'target'>): Promise<{ path: string; text: string } | { whyNot: WhyNot } | undefined> {
  if (target.kind !== 'module') return undefined;
  const bytes = await readFile(target.path).catch(() => undefined);
  if (!bytes || sha256(bytes) !== target.sha256) return { whyNot: 'changed' };
  if (bytes.length > MAX_SHOWN) return { whyNot: 'tooLong' };
  if (bytes.includes(0)) return { whyNot: 'noText' };
  return { path: target.path, text: program(bytes.toString('utf8')) };
}
