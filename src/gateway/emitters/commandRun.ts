/** One run of a command: its processes, and the lines that they print. */
import type { Clock } from '../../base/clock.ts';
import { type ChildEnd, ChildGroup } from '../../base/process/childGroup.ts';
import { passedEnvironment } from '../../base/process/passedEnvironment.ts';
import { readLines } from '../process/readLines.ts';
import type { LineTime } from './lineTime.ts';

export interface CommandRunOptions {
  readonly command: string;
  readonly cwd: string;
  readonly includeStderr: boolean;
  readonly clock: Clock;
  readonly time: LineTime;
  /** Of the span of the run. */
  readonly traceparent?: string | undefined;
  line(text: string, from: 'stdout' | 'stderr'): void;
  /** Those that have come so far are passed on. */
  passed(): void;
}

export class CommandRun {
  readonly #group: ChildGroup;
  /** Lines that were read and not passed on, because other things have to be done too. */
  #pending: { readonly text: string; readonly from: 'stdout' | 'stderr' }[] = [];
  #passing: Promise<void> | undefined;
  /** Resolves when none of its processes is left and the last line was passed on. Never rejects. */
  readonly ended: Promise<ChildEnd>;

  /** Throws when it cannot be started at all. */
  constructor(private readonly options: CommandRunOptions) {
    const { command, cwd, includeStderr, traceparent, clock, time } = options;
    const env = { ...passedEnvironment(process.env), ...(traceparent !== undefined && { TRACEPARENT: traceparent }) };
    this.#group = new ChildGroup({ command, isShellLine: true, args: [], cwd, env, input: '', clock });
    const { stdout, stderr, ended } = this.#group;
    const read = (from: 'stdout' | 'stderr') =>
      readLines(from === 'stdout' ? stdout : stderr, {
        clock,
        ended,
        charge: (work) => time.charge(work),
        tell: (lines) => this.#take(lines, from),
      });
    const isRead = Promise.all([read('stdout'), includeStderr ? read('stderr') : undefined]);
    if (!includeStderr) stderr.on('error', () => undefined).resume();
    this.ended = ended.then(async (end) => {
      await isRead;
      return end;
    });
  }

  get pid(): number | undefined {
    return this.#group.pid;
  }

  stop(): void {
    this.#group.stop();
  }

  #take(lines: readonly string[], from: 'stdout' | 'stderr'): Promise<void> | undefined {
    this.#pending.push(...lines.map((text) => ({ text, from })));
    if (!this.#passing && !this.#pass()) this.#passing = this.#passRest();
    return this.#passing;
  }

  /** True when all of them have been passed on. */
  #pass(): boolean {
    const { time, line, passed } = this.options;
    let done = 0;
    for (const { text, from } of this.#pending) {
      if (!time.spend(() => line(text, from))) break;
      done++;
    }
    this.#pending = this.#pending.slice(done);
    passed();
    return this.#pending.length === 0;
  }

  async #passRest(): Promise<void> {
    const { clock, time } = this.options;
    do await new Promise<void>((resolve) => clock.setTimer(resolve, time.windowMs));
    while (!this.#pass());
    this.#passing = undefined;
  }
}
