/** Reads a wire log, or a transcript in the same form. */
import { isRecord } from '../../../base/isRecord.ts';
import type { KnownState, WireDirection } from './wireLogWriter.ts';

/** In the order of the file. `t`: milliseconds since the log began. `host`: the user's name for it, where the log has one. */
export type RecordedEntry = { readonly t: number; readonly conn: number; readonly host?: string } & (
  | { readonly kind: 'frame'; readonly dir: WireDirection; readonly message: Readonly<Record<string, unknown>> }
  | { readonly kind: 'known'; readonly known: KnownState }
);

export interface Recording {
  readonly entries: readonly RecordedEntry[];
  /** The log reached its limit, and what came later is missing. */
  readonly isTruncated: boolean;
  /** Lines that cannot be read. The others are used. */
  readonly unreadable: number;
}

/** Throws when there is nothing in it that could be replayed. */
export function parseRecording(text: string): Recording {
  const entries: RecordedEntry[] = [];
  const hosts = new Map<number, string>();
  let isTruncated = false;
  let unreadable = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const value = parseJson(line);
    if (!isRecord(value) || typeof value['t'] !== 'number' || typeof value['conn'] !== 'number') {
      unreadable++;
      continue;
    }
    const { t, conn, dir, raw, event, host } = value as { t: number; conn: number } & Record<string, unknown>;
    if (event === 'truncated') isTruncated = true;
    if (event === 'open' && typeof host === 'string') hosts.set(conn, host);
    const name = hosts.get(conn);
    const place = { t, conn, ...(name !== undefined && { host: name }) };
    if (event === 'known' && isKnownState(value)) entries.push({ ...place, kind: 'known', known: value });
    if (dir !== 'c2s' && dir !== 's2c') continue;
    const message = typeof raw === 'string' ? parseJson(raw) : undefined;
    if (isRecord(message)) entries.push({ ...place, kind: 'frame', dir, message });
    else unreadable++;
  }
  if (entries.length === 0) throw new Error('the file contains no message of the Agent Host Protocol');
  return { entries, isTruncated, unreadable };
}

/** The names of the hosts, in the order of their first line. Empty for a transcript, which has none. */
export function hostsOf({ entries }: Recording): string[] {
  return [...new Set(entries.flatMap(({ host }) => host ?? []))];
}

function isKnownState(value: object): value is KnownState {
  const { host, clientId, version, snapshots, sessions } = value as Record<keyof KnownState, unknown>;
  if (version !== undefined && typeof version !== 'string') return false;
  return typeof host === 'string' && typeof clientId === 'string' && Array.isArray(snapshots) && Array.isArray(sessions);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The caller counts lines that are not JSON.
    return undefined;
  }
}
