/** The lines that a process prints. What it prints faster than is allowed waits in its pipe. */
import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { LineReader } from './lineReader.ts';

const CHARACTERS_PER_SECOND = 256 * 1024;

export interface ReadLinesOptions {
  readonly clock: Clock;
  /** Resolves when no process is left that could print more. What is still to be read is read at once then. */
  readonly ended: Promise<unknown>;
  /** What the process was given and must not print. */
  readonly secret?: string;
  /** Does the work of finding the lines, and may count its time. */
  charge?<T>(work: () => T): T;
  /** At least one line. While it promises something nothing more is read. */
  tell(lines: string[]): void | Promise<void>;
}

/** Resolves once the last line was told. Never rejects. */
export async function readLines(
  stream: Readable,
  { clock, ended, secret, charge = (work) => work(), tell }: ReadLinesOptions,
): Promise<void> {
  const reader = new LineReader(secret);
  let windowEnds = 0;
  let room = 0;
  let told: Promise<void> = Promise.resolve();
  let hasEnded = false;
  let isFull = false;
  let isBusy = false;
  const update = (): void => void (!hasEnded && (isFull || isBusy) ? stream.pause() : stream.resume());
  const pass = (lines: string[]) => {
    if (!lines.length) return;
    const busy = tell(lines);
    if (!busy) return;
    isBusy = true;
    update();
    const all: Promise<void> = busy.then(() => {
      if (told !== all) return;
      isBusy = false;
      update();
    });
    told = all;
  };
  stream.setEncoding('utf8');
  stream.on('data', (piece: string) => {
    if (clock.now() >= windowEnds) [windowEnds, room] = [clock.now() + 1000, CHARACTERS_PER_SECOND];
    room -= piece.length;
    if (room <= 0) {
      isFull = true;
      update();
      clock.setTimer(() => {
        isFull = false;
        update();
      }, windowEnds - clock.now());
    }
    pass(charge(() => reader.take(piece)));
  });
  void ended.then(() => {
    hasEnded = true;
    update();
  });
  stream.on('error', (error) => pass([`what it prints cannot be read: ${messageOf(error)}`]));
  await new Promise<void>((resolve) => stream.once('close', resolve));
  pass(reader.end());
  await told;
}
