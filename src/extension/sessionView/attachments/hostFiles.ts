/**
 * Files of a host that may be on another computer. An attachment is only the URI of a file, so it must mean the same file to both. Nothing in
 * the protocol says whether it does, also not for a host on loopback, which may be a container or the end of a tunnel. So the host is asked
 * for the file, and what it has is compared with what is here.
 */
import * as l10n from '../../../base/l10n.ts';
import type { AgentHostClient } from '../../../ahp/client/agentHostClient.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import { byteText } from '../../../views/text/excerpt.ts';
import { oneLine } from '../../../views/text/oneLine.ts';

/** A larger file is not sent to and fro to compare it. */
const MAX_COMPARED_BYTES = 4_000_000;
const ASK_TIMEOUT_MS = 10_000;
const MAX_NAMED = 3;

type CommandClient = Pick<AgentHostClient, 'command'>;

/** A file or folder of this computer. */
export interface LocalFile {
  uri: URI;
  /** Of the file itself, before anything of it is read. */
  size: number;
  /** The content of a file, or the names in a folder. */
  read(): Promise<Uint8Array | string[]>;
}

/** Those that the host does not have as they are here, or that are too large to find out. Rejects when the host does not answer. */
export async function missingAt<T extends LocalFile>(client: CommandClient, files: readonly T[]): Promise<T[]> {
  const same = await Promise.all(files.map((file) => file.size <= MAX_COMPARED_BYTES && hasSame(client, file)));
  return files.filter((_, index) => !same[index]);
}

/** Why what is missing at that host cannot be attached to a session of it. */
export function missingProblem(hostLabel: string, missing: readonly LocalFile[]): string {
  const large = missing.filter(({ size }) => size > MAX_COMPARED_BYTES);
  if (large.length > 0)
    return l10n.t`${namesOf(large)}: larger than ${byteText(MAX_COMPARED_BYTES)}, so it was not checked whether ${hostLabel} has the same. ${insteadOf(hostLabel)}`;
  return l10n.t`${hostLabel} does not have ${namesOf(missing)} as on this computer, so its agents cannot read that. ${insteadOf(hostLabel)}`;
}

function insteadOf(hostLabel: string): string {
  return l10n.t`Type # to attach a file of ${hostLabel}, or paste the text that matters.`;
}

async function hasSame(client: CommandClient, { uri, read }: LocalFile): Promise<boolean> {
  try {
    const local = await read();
    if (Array.isArray(local)) {
      const { entries } = await client.command('resourceList', { uri }, ASK_TIMEOUT_MS);
      const there = new Set(entries.map(({ name }) => name));
      return there.size === local.length && local.every((name) => there.has(name));
    }
    const { data, encoding } = await client.command('resourceRead', { uri, encoding: 'base64' }, ASK_TIMEOUT_MS);
    if (typeof data !== 'string') return false;
    // VS Code 1.117 sends everything as text.
    const text = () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(local);
    return encoding === 'base64' ? data === Buffer.from(local).toString('base64') : data === text();
  } catch (error) {
    // The host has no such file, or does not give it to clients.
    if (error instanceof RpcError) return false;
    throw error;
  }
}

function namesOf(files: readonly LocalFile[]): string {
  const names = files.map(({ uri }) => oneLine(decodeURIComponent(uri.slice(uri.lastIndexOf('/', uri.length - 2) + 1))));
  const more = names.length - MAX_NAMED;
  return [
    ...names.slice(0, MAX_NAMED),
    ...(more > 0 ? [l10n.plural(more, l10n.t`${l10n.countText(more)} other`, l10n.t`${l10n.countText(more)} others`)] : []),
  ].join(', ');
}
