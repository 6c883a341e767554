/** A wire log, or a transcript of the same form, as it is read back. */
import { isObject } from '../connection/wireChecks.ts';
import type { KnownState, WireDirection } from './wireLog.ts';

/** In the order of the file. `t`: milliseconds since its beginning; `host`: how the user called it, where the log says so. */
export type RecordedEntry = { readonly t: number; readonly conn: number; readonly host?: string } & (
  | { readonly kind: 'frame'; readonly dir: WireDirection; readonly message: Readonly<Record<string, unknown>> }
  | { readonly kind: 'known'; readonly known: KnownState }
);

export interface Recording {
  readonly entries: readonly RecordedEntry[];
  /** The log reached its limit: what came after is not in it. */
  readonly isTruncated: boolean;
  /** Lines that cannot be read; the others are used. */
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
    if (!isObject(value) || typeof value['t'] !== 'number' || typeof value['conn'] !== 'number') {
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
    if (isObject(message)) entries.push({ ...place, kind: 'frame', dir, message });
    else unreadable++;
  }
  if (entries.length === 0) throw new Error('the file holds no message of the Agent Host Protocol');
  return { entries, isTruncated, unreadable };
}

/** How the user called the hosts in it, in the order of their first line; empty for a transcript, which does not say. */
export function hostsOf({ entries }: Recording): string[] {
  return [...new Set(entries.flatMap(({ host }) => host ?? []))];
}

function isKnownState(value: object): value is KnownState {
  const { host, clientId, snapshots, sessions } = value as Record<keyof KnownState, unknown>;
  return typeof host === 'string' && typeof clientId === 'string' && Array.isArray(snapshots) && Array.isArray(sessions);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The caller counts what is no JSON.
    return undefined;
  }
}
