/**
 * The wire log: the frames of this window's connections, for bug reports. JSON lines `{t, conn, dir, raw}` as in recorded transcripts.
 * Secrets and the contents of resources are removed before anything is written.
 */
import type { Clock } from '../../../base/clock.ts';
import { isRecord } from '../../../base/isRecord.ts';
import type { Snapshot } from '../../dialects/dialect.ts';

/** `c2s`: from the client to the host. */
export type WireDirection = 'c2s' | 's2c';

/** What the client knew when the log began, so that a log from the middle of a connection can be replayed. */
export interface KnownState {
  /** The user's name for the host. */
  readonly host: string;
  readonly clientId: string;
  /** The version of the protocol that the host speaks, such as `1` or `0.9.0`. Absent before the first connection. */
  readonly version?: string;
  readonly snapshots: readonly Snapshot[];
  readonly sessions: readonly object[];
}

export type WireLogEntry = {
  /** Milliseconds since the log began. */
  readonly t: number;
  /** Number of the connection, from 1. 0 stands for the log itself. */
  readonly conn: number;
} & (
  | { readonly dir: WireDirection; readonly raw: string }
  | { readonly dir: 'event'; readonly event: 'begin'; readonly at: string }
  | ({ readonly dir: 'event'; readonly event: 'known' } & KnownState)
  | { readonly dir: 'event'; readonly event: 'open'; readonly host: string }
  | { readonly dir: 'event'; readonly event: 'close'; readonly code: number; readonly reason: string }
  /** A frame that is not JSON, or is nested too deeply. It is not written, because secrets cannot be removed from it. */
  | { readonly dir: 'event'; readonly event: 'unreadable'; readonly from: WireDirection; readonly length: number }
  | { readonly dir: 'event'; readonly event: 'truncated'; readonly maxBytes: number }
);

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const REDACTED = '[redacted]';
/** All texts in fields of these names are removed. Numbers stay, because they are counts of tokens. */
const SECRET = /^(tkn|.*token|.*secret|.*password|passphrase|authorization|cookie|api_?key|credentials?)$/i;

export interface WireLogOptions {
  readonly clock: Clock;
  /** In bytes of UTF-8, without the last line, which says that the log ends early. */
  readonly maxBytes?: number;
  /** The limit is reached, and nothing more is written. */
  readonly onFull?: () => void;
}

export class WireLogWriter {
  readonly #begun: number;
  readonly #maxBytes: number;
  readonly #encoder = new TextEncoder();
  #bytes = 0;
  #isFull = false;
  #connections = 0;
  /** Methods of open requests, by connection, sender and id, because an answer does not name its method. */
  readonly #asked = new Map<string, string>();

  /** `write` gets one line at a time, with its line feed. */
  constructor(
    private readonly write: (line: string) => void,
    private readonly options: WireLogOptions,
  ) {
    this.#begun = options.clock.now();
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#append({ t: 0, conn: 0, dir: 'event', event: 'begin', at: new Date(this.#begun).toISOString() });
  }

  /** A connection to a host. Returns the number for its frames. `host`: the user's name for it. */
  open(host: string): number {
    const conn = ++this.#connections;
    this.#append({ t: this.#now, conn, dir: 'event', event: 'open', host });
    return conn;
  }

  known(conn: number, state: KnownState): void {
    this.#append({ t: this.#now, conn, dir: 'event', event: 'known', ...(withoutSecrets(state) as KnownState) });
  }

  frame(conn: number, dir: WireDirection, text: string): void {
    if (this.#isFull) return;
    let raw: string;
    try {
      raw = JSON.stringify(this.#redact(conn, dir, JSON.parse(text)));
    } catch {
      // Whoever reads the frame reports the error. Nesting that exhausts the stack ends here too.
      this.#append({ t: this.#now, conn, dir: 'event', event: 'unreadable', from: dir, length: text.length });
      return;
    }
    this.#append({ t: this.#now, conn, dir, raw });
  }

  close(conn: number, code: number, reason: string): void {
    for (const key of this.#asked.keys()) if (key.startsWith(`${conn} `)) this.#asked.delete(key);
    this.#append({ t: this.#now, conn, dir: 'event', event: 'close', code, reason });
  }

  get #now(): number {
    return this.options.clock.now() - this.#begun;
  }

  #append(entry: WireLogEntry): void {
    if (this.#isFull) return;
    const line = `${JSON.stringify(entry)}\n`;
    const bytes = this.#encoder.encode(line).length;
    if (this.#bytes + bytes > this.#maxBytes) {
      this.#isFull = true;
      const last: WireLogEntry = { t: entry.t, conn: 0, dir: 'event', event: 'truncated', maxBytes: this.#maxBytes };
      this.write(`${JSON.stringify(last)}\n`);
      this.options.onFull?.();
      return;
    }
    this.#bytes += bytes;
    this.write(line);
  }

  #redact(conn: number, dir: WireDirection, message: unknown): unknown {
    if (!isRecord(message)) return message;
    const { id, method, params, result } = message;
    const clean = withoutSecrets(message) as Record<string, unknown>;
    if (typeof method === 'string') {
      if (id !== undefined) this.#asked.set(`${conn} ${dir} ${JSON.stringify(id)}`, method);
      return { ...clean, ...(params !== undefined && { params: redactedParams(method, clean['params']) }) };
    }
    const key = `${conn} ${dir === 's2c' ? 'c2s' : 's2c'} ${JSON.stringify(id)}`;
    const asked = this.#asked.get(key);
    this.#asked.delete(key);
    // The request may have come before the log began. What looks like contents is removed in any case.
    const isContents = asked === 'resourceRead' || (asked === undefined && isRecord(result) && 'data' in result && 'encoding' in result);
    return isContents ? { ...clean, result: withoutData(clean['result']) } : clean;
  }
}

function redactedParams(method: string, params: unknown): unknown {
  if (method === 'resourceWrite') return withoutData(params);
  if (method !== 'dispatchAction' && method !== 'action') return params;
  // What is typed into a terminal may be a password. No state depends on it.
  const action = isRecord(params) ? params['action'] : undefined;
  return isRecord(action) && action['type'] === 'terminal/input' ? { ...(params as object), action: withoutData(action) } : params;
}

function withoutData(value: unknown): unknown {
  if (!isRecord(value) || value['data'] === undefined) return value;
  const { data } = value;
  return { ...value, data: typeof data === 'string' ? `[redacted: ${data.length} characters]` : REDACTED };
}

/** By its name, values of it may be secret. */
export function isSecretField(key: string): boolean {
  return SECRET.test(key);
}

function withoutSecrets(value: unknown, isSecret = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, isSecret));
  if (!isRecord(value)) return isSecret && typeof value === 'string' ? REDACTED : value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner, isSecret || isSecretField(key))]));
}
