/**
 * What of a session outlives a gateway that is killed: the events in the streams of `tap`, and its emitters. A file of JSON lines, which is
 * written before anybody is told of what is in it.
 */
import { closeSync, fstatSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { isRecord } from '../../base/isRecord.ts';
import { englishOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { replaceFile, writeFully, writeToDisk } from '../../base/node/wholeFile.ts';
import { emitterSpec } from '../../tap/wire/emitters/emitterSpec.ts';

const FORMAT = 1;
/** What is added to the file before it is written anew, with what is still of use alone. */
const GROWTH_BYTES = 4 * 1024 * 1024;

const streamItem = z.object({
  ts: z.string(),
  event: z.string(),
  level: z.string(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
/**
 * `isOn`: it ran, or was to run again. `startedAs`: where it was started otherwise than it is by now. `folder`: the real path of the session's folder
 * when it was started.
 */
const keptEmitter = z.object({
  spec: emitterSpec,
  startedAs: emitterSpec.optional(),
  startedBy: z.enum(['user', 'model']),
  folder: z.string().optional(),
  isOn: z.boolean(),
});
export type KeptEmitter = z.output<typeof keptEmitter>;

export type KeptEvent = { readonly stream: string; readonly item: z.output<typeof streamItem> };

/** One line of the file. The newest of each kind counts, but for events. */
const entry = z.union([
  z.object({ stream: z.string(), item: streamItem }),
  z.object({ cut: z.array(z.string()) }),
  z.object({ emitters: z.array(z.unknown()) }),
  z.object({ leftAt: z.number().nullable() }),
  z.object({ aliveAt: z.number() }),
]);

export interface KeptStreams {
  /** Oldest first. */
  readonly events: readonly KeptEvent[];
  /** Streams of which older events were forgotten. */
  readonly cut: readonly string[];
}

export interface Kept extends KeptStreams {
  readonly emitters: readonly KeptEmitter[];
  /** Emitters that nobody understands, by their names as they stand there. */
  readonly lost: readonly string[];
  /** When the owner has left it, if it has not come back. */
  readonly leftAt: number | undefined;
  /** When its gateway was last seen to live, while something was on. */
  readonly aliveAt: number | undefined;
}

/** Undefined where the text is of another session or format. What a kill has cut off, or nobody understands, is left out. */
export function readJournal(text: string, sessionId: string): Kept | undefined {
  const [head, ...lines] = text.split('\n').slice(0, -1).map(parsed);
  const of = z.object({ journal: z.literal(FORMAT), sessionId: z.literal(sessionId) }).safeParse(head);
  if (!of.success) return undefined;
  const events: KeptEvent[] = [];
  let cut: readonly string[] = [];
  let given: unknown[] = [];
  let leftAt: number | undefined;
  let aliveAt: number | undefined;
  for (const line of lines) {
    const { data } = entry.safeParse(line);
    if (!data) continue;
    if ('stream' in data) events.push(data);
    else if ('cut' in data) cut = data.cut;
    else if ('emitters' in data) given = data.emitters;
    else if ('leftAt' in data) leftAt = data.leftAt ?? undefined;
    else aliveAt = data.aliveAt;
  }
  const emitters: KeptEmitter[] = [];
  const lost: string[] = [];
  for (const one of given) {
    const { data } = keptEmitter.safeParse(one);
    if (data) emitters.push(data);
    else lost.push(isRecord(one) && isRecord(one.spec) ? String(one.spec.name) : '');
  }
  return { events, cut, emitters, lost, leftAt, aliveAt };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

export interface SessionJournalOptions {
  readonly path: string;
  readonly sessionId: string;
  readonly now: () => number;
  /** Does it now, and counts the time that it takes. */
  readonly charge: (work: () => void) => void;
  readonly logger: Logger;
}

export class SessionJournal {
  #fd: number | undefined;
  #pending = '';
  #isFlushing = false;
  #bytes = 0;
  #emitters: string;
  /** One of them is on at this gateway. */
  #isOn = false;
  #aliveAt: number | undefined;
  #leftAt: number | undefined;
  /** It cannot be written, or is not to be. */
  #isClosed = false;
  /** What is still of use of its streams. */
  streams: () => KeptStreams = () => ({ events: [], cut: [] });

  /** `kept`: what is kept already. */
  constructor(
    private readonly options: SessionJournalOptions,
    kept?: Pick<Kept, 'emitters' | 'aliveAt'>,
  ) {
    this.#emitters = JSON.stringify(kept?.emitters ?? []);
    this.#aliveAt = kept?.aliveAt;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** `item`: its JSON. `soon`: it may be written a moment later, but before it is read. */
  append(stream: string, item: string, soon: boolean): void {
    this.#add(`{"stream":${JSON.stringify(stream)},"item":${item}}\n`);
    if (!soon) return this.flush();
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      this.flush();
    });
  }

  keepEmitters(emitters: readonly KeptEmitter[]): void {
    const text = JSON.stringify(emitters);
    const wasOn = this.#isOn;
    this.#isOn = emitters.some(({ isOn }) => isOn);
    if (text === this.#emitters && wasOn === this.#isOn) return;
    if (text !== this.#emitters) this.#add(emittersLine(text));
    this.#emitters = text;
    this.#add(this.#aliveLine());
    this.flush();
  }

  /** The owner has left the session, or (undefined) is back. */
  left(at: number | undefined): void {
    this.flush();
    this.#leftAt = at;
    if (this.#fd === undefined) return; // there is nothing that could be taken up
    this.#add(leftLine(at));
    this.flush();
  }

  /** To be called again and again: what is on may start again only soon after the last time. */
  beat(): void {
    if (this.#isOn) this.#add(this.#aliveLine());
    this.flush();
  }

  /** Writes it anew, without what is of no use any more. */
  rewrite(): void {
    this.#pending = '';
    this.#trying(() => this.#begin());
  }

  flush(): void {
    if (!this.#pending) return;
    const text = this.#pending;
    this.#pending = '';
    this.#trying(() => {
      // What is pending is in the memory already, and so it is in what a new file begins with.
      if (this.#fd === undefined || this.#bytes > GROWTH_BYTES) return this.#begin();
      const data = Buffer.from(text);
      writeFully(this.#fd, data, writeToDisk);
      this.#bytes += data.length;
    });
  }

  /** The file stays, for the next gateway. */
  close(): void {
    this.beat();
    this.#close();
  }

  /** The session is over. A file that another gateway has begun meanwhile stays. */
  delete(): void {
    const { path } = this.options;
    try {
      const own = this.#fd === undefined ? undefined : fstatSync(this.#fd);
      if (own && statSync(path, { throwIfNoEntry: false })?.ino === own.ino) rmSync(path, { force: true });
    } catch (error) {
      this.options.logger.warn(`${path} cannot be removed: ${englishOf(error)}`);
    }
    this.#close();
  }

  #add(line: string): void {
    if (!this.#isClosed) this.#pending += line;
  }

  #begin(): void {
    const { path, sessionId } = this.options;
    const { events, cut } = this.streams();
    const text = [
      `${JSON.stringify({ journal: FORMAT, sessionId })}\n`,
      emittersLine(this.#emitters),
      leftLine(this.#leftAt),
      this.#aliveLine(),
      `${JSON.stringify({ cut })}\n`,
      ...events.map((event) => `${JSON.stringify(event)}\n`),
    ].join('');
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceFile(path, Buffer.from(text), { sync: false });
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = openSync(path, 'a', 0o600);
    this.#bytes = 0;
  }

  #trying(write: () => void): void {
    if (this.#isClosed) return;
    try {
      this.options.charge(write);
    } catch (error) {
      const { path, logger } = this.options;
      logger.error(`${path} cannot be written, so nothing of this session outlives the gateway: ${englishOf(error)}`);
      // What is in it is not how things are.
      this.delete();
    }
  }

  #close(): void {
    this.#isClosed = true;
    this.#pending = '';
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #aliveLine(): string {
    if (this.#isOn) this.#aliveAt = this.options.now();
    return this.#aliveAt === undefined ? '' : `${JSON.stringify({ aliveAt: this.#aliveAt })}\n`;
  }
}

const leftLine = (at: number | undefined) => `${JSON.stringify({ leftAt: at ?? null })}\n`;
const emittersLine = (emitters: string) => `{"emitters":${emitters}}\n`;
