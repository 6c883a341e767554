/** The process of the provider that its author is writing. It is started again whenever a source file in its folder is saved. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { createInterface } from 'node:readline';
import { CliError, exitCodes } from '../cliError.ts';

const interpreters: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['.mjs', '.cjs', '.js', '.mts', '.cts', '.ts'].map((extension) => [extension, process.execPath])),
  '.py': process.platform === 'win32' ? 'python' : 'python3',
};
/** Editors save in several steps. */
const SETTLE_MS = 100;
const END_MS = 2_000;

export interface ProgramEvents {
  line(text: string): void;
  /** It is about to be started again. */
  saved(file: string): void;
  /** It has ended by itself. `why`: a code or a signal, or that there is no such interpreter. */
  ended(why: string): void;
}

export class Program {
  readonly #command: string;
  readonly #watcher: FSWatcher;
  #child: ChildProcess | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Starts and ends go one after the other. */
  #steps: Promise<void> = Promise.resolve();
  #isDisposed = false;

  /** Throws a {@link CliError} for a file that nothing here can run. */
  constructor(
    private readonly file: string,
    private readonly env: Record<string, string>,
    private readonly events: ProgramEvents,
  ) {
    const command = interpreters[extname(file)];
    if (command === undefined)
      throw new CliError(
        exitCodes.usage,
        `“${basename(file)}” is none of ${Object.keys(interpreters).join(', ')}, which can be started here.`,
      );
    this.#command = command;
    this.#watcher = watch(dirname(file), (_, name) => {
      if (name !== null && extname(name) in interpreters) this.#later(name);
    });
    this.restart();
  }

  restart(): void {
    this.#steps = this.#steps.then(async () => {
      await this.#end();
      if (!this.#isDisposed) this.#start();
    });
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#watcher.close();
    await this.#steps;
    await this.#end();
  }

  #later(name: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.events.saved(name);
      this.restart();
    }, SETTLE_MS);
  }

  #start(): void {
    const child = spawn(this.#command, [this.file], {
      cwd: dirname(this.file),
      env: { ...process.env, ...this.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', (line) => this.events.line(line));
    child.once('error', (error) => this.#gone(child, error.message));
    child.once('close', (code, signal) => this.#gone(child, signal ?? `code ${code}`));
  }

  #gone(child: ChildProcess, why: string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.events.ended(why);
  }

  async #end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await ended;
    clearTimeout(patience);
  }
}
