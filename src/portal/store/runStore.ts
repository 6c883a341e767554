/**
 * The runs of a portal on disk: one file of JSON lines a run, to which each event is added before anybody hears of it. A process that is
 * killed leaves at most one incomplete line, at the end of which nobody has heard.
 */
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { englishOf } from '../../base/errors.ts';
import { isRecord } from '../../base/isRecord.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { type Write, writeFully, writeToDisk } from '../../base/node/wholeFile.ts';
import { isEndOf, lastOfRun, type RunEvent } from '../runs/runEvents.ts';

const SUFFIX = '.run.jsonl';
const NEWLINE = 10;
/** Of more files, the ones that were written last are read, and those of runs that have not ended. The others stay. */
const MAX_READ = 1000;
/** Bytes at the end of a file, in which its last event mostly is. */
const TAIL = 16 * 1024;

export interface KeptRun {
  runId: string;
  events: RunEvent[];
}

export class RunStore implements Disposable {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #write: Write;
  /** Of runs that have not ended. */
  readonly #files = new Map<string, number>();

  constructor(folder: string, logger: Logger, write: Write = writeToDisk) {
    this.#folder = folder;
    this.#logger = logger;
    this.#write = write;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Survives the end of this process once it returns. */
  append(runId: string, event: RunEvent): void {
    const open = this.#files.get(runId);
    const file = open ?? openSync(this.#path(runId), 'a', 0o600);
    this.#files.set(runId, file);
    writeFully(file, Buffer.from(`${JSON.stringify(event)}\n`), this.#write);
    const isAfterEnd = open === undefined && event.type === 'resultChanged';
    if (isAfterEnd || isEndOf(runId, event)) this.#close(runId);
  }

  /** What earlier processes kept, in the order in which the runs themselves came to where they are. A file that cannot be read is left out, and stays. */
  read(): KeptRun[] {
    const files = readdirSync(this.#folder)
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => ({ name, at: statSync(join(this.#folder, name)).mtimeMs }))
      .sort((a, b) => a.at - b.at);
    const kept = files.flatMap(({ name }, index): KeptRun[] => {
      const runId = name.slice(0, -SUFFIX.length);
      const isOld = index < files.length - MAX_READ;
      try {
        if (isOld && hasEnded(runId, lastEvents(this.#path(runId)))) return [];
        const events = this.#events(this.#path(runId));
        return isOld && hasEnded(runId, events) ? [] : [{ runId, events }];
      } catch (error) {
        this.#logger.error(`the run in ${name} cannot be read and is left out: ${englishOf(error)}`);
        return [];
      }
    });
    return kept.sort((a, b) => (lastOfRun(a.events)?.at ?? 0) - (lastOfRun(b.events)?.at ?? 0));
  }

  /** Nothing is left of it. */
  remove(runId: string): void {
    this.#close(runId);
    rmSync(this.#path(runId), { force: true });
  }

  dispose(): void {
    for (const runId of [...this.#files.keys()]) this.#close(runId);
  }

  /** Removes an incomplete last line, so that what is added next stands on a line of its own. */
  #events(path: string): RunEvent[] {
    const data = readFileSync(path);
    const end = data.lastIndexOf(NEWLINE) + 1;
    const events = eventsIn(data.subarray(0, end));
    if (end < data.length) truncateSync(path, end);
    return events;
  }

  #close(runId: string): void {
    const file = this.#files.get(runId);
    this.#files.delete(runId);
    if (file !== undefined) closeSync(file);
  }

  #path(runId: string): string {
    return join(this.#folder, `${runId}${SUFFIX}`);
  }
}

function hasEnded(runId: string, events: readonly RunEvent[]): boolean {
  const last = lastOfRun(events);
  return last !== undefined && isEndOf(runId, last);
}

/** Those whose lines are whole in the last part of the file. */
function lastEvents(path: string): RunEvent[] {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const start = Math.max(0, size - TAIL);
    const tail = Buffer.alloc(size - start);
    const data = tail.subarray(0, readSync(file, tail, 0, tail.length, start));
    return eventsIn(data.subarray(start === 0 ? 0 : data.indexOf(NEWLINE) + 1, data.lastIndexOf(NEWLINE) + 1));
  } finally {
    closeSync(file);
  }
}

/** `lines`: whole ones. */
function eventsIn(lines: Buffer): RunEvent[] {
  return lines
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const event: unknown = JSON.parse(line);
      if (!isRecord(event) || typeof event['type'] !== 'string' || typeof event['at'] !== 'number') throw new Error('a line is no event');
      return event as unknown as RunEvent;
    });
}
