/**
 * The wire log: what went over the lines of this window, for a bug report. JSON lines `{t, conn, dir, raw}` as in recorded transcripts,
 * with secrets and the contents of resources taken out before anything is written.
 */
import type { Clock } from '../../../base/clock.ts';
import type { Snapshot } from '../../v1/commands.ts';
import type { SessionSummary } from '../../v1/session.ts';
import { isObject } from '../connection/wireChecks.ts';

/** `c2s`: from the client to the host. */
export type WireDirection = 'c2s' | 's2c';

/** What a client knew when the log began, so that a log from the middle of a connection can be replayed. */
export interface KnownState {
  /** How the user calls the host. */
  readonly host: string;
  readonly clientId: string;
  readonly snapshots: readonly Snapshot[];
  readonly sessions: readonly SessionSummary[];
}

export type WireLogEntry = {
  /** Milliseconds since the log began. */
  readonly t: number;
  /** Which line, from 1; 0 is the log itself. */
  readonly conn: number;
} & (
  | { readonly dir: WireDirection; readonly raw: string }
  | { readonly dir: 'event'; readonly event: 'begin'; readonly at: string; readonly dialect: 'v1' }
  | ({ readonly dir: 'event'; readonly event: 'known' } & KnownState)
  | { readonly dir: 'event'; readonly event: 'open'; readonly host: string }
  | { readonly dir: 'event'; readonly event: 'close'; readonly code: number; readonly reason: string }
  /** A frame that is no JSON, or nested too deeply: it is not written, because nothing can be taken out of it. */
  | { readonly dir: 'event'; readonly event: 'unreadable'; readonly from: WireDirection; readonly length: number }
  | { readonly dir: 'event'; readonly event: 'truncated'; readonly maxBytes: number }
);

export const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const REDACTED = '[redacted]';
/** Names of fields whose texts, and all texts in them, are nobody's business. Numbers stay: they count tokens. */
const SECRET = /^(tkn|.*token|.*secret|.*password|passphrase|authorization|cookie|api_?key|credentials?)$/i;

export interface WireLogOptions {
  readonly clock: Clock;
  /** In bytes of UTF-8, without the last line, which says that the log is cut. */
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
  /** Methods of open requests, by line, asking side and id: an answer does not say what it answers. */
  readonly #asked = new Map<string, string>();

  /** `write` gets one line at a time, with its end. */
  constructor(
    private readonly write: (line: string) => void,
    private readonly options: WireLogOptions,
  ) {
    this.#begun = options.clock.now();
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#append({ t: 0, conn: 0, dir: 'event', event: 'begin', at: new Date(this.#begun).toISOString(), dialect: 'v1' });
  }

  /** A line to a host: the number that its frames are written with. `host` is how the user calls it. */
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
      // Not an error here: whoever reads the frame says what is wrong with it. (Nesting that exhausts the stack ends here too.)
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
    if (!isObject(message)) return message;
    const { id, method, params, result } = message;
    const clean = withoutSecrets(message) as Record<string, unknown>;
    if (typeof method === 'string') {
      if (id !== undefined) this.#asked.set(`${conn} ${dir} ${JSON.stringify(id)}`, method);
      return { ...clean, ...(params !== undefined && { params: redactedParams(method, clean['params']) }) };
    }
    const key = `${conn} ${dir === 's2c' ? 'c2s' : 's2c'} ${JSON.stringify(id)}`;
    const asked = this.#asked.get(key);
    this.#asked.delete(key);
    // Whether a log that begins in the middle has the question or not: what looks like contents is none of ours.
    const isContents = asked === 'resourceRead' || (asked === undefined && isObject(result) && 'data' in result && 'encoding' in result);
    return isContents ? { ...clean, result: withoutData(clean['result']) } : clean;
  }
}

function redactedParams(method: string, params: unknown): unknown {
  if (method === 'resourceWrite') return withoutData(params);
  if (method !== 'dispatchAction' && method !== 'action') return params;
  // What is typed into a terminal may be a password. No state is made of it.
  const action = isObject(params) ? params['action'] : undefined;
  return isObject(action) && action['type'] === 'terminal/input' ? { ...(params as object), action: withoutData(action) } : params;
}

function withoutData(value: unknown): unknown {
  if (!isObject(value) || value['data'] === undefined) return value;
  const { data } = value;
  return { ...value, data: typeof data === 'string' ? `[redacted: ${data.length} characters]` : REDACTED };
}

function withoutSecrets(value: unknown, isSecret = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, isSecret));
  if (!isObject(value)) return isSecret && typeof value === 'string' ? REDACTED : value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner, isSecret || SECRET.test(key))]));
}
