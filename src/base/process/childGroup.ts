/**
 * A program and all its descendants as one process group that is ended together. If our process is killed, a small shell process notices by
 * the end of a pipe that only we hold, and ends the group. Windows has no process groups. There the process tree is ended when our process
 * ends in order, and after a crash the program must notice by the end of its standard input and of its connection.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Disposable } from '../lifecycle.ts';

/** Time between the request to end and the kill. */
const STOP_GRACE_MS = 5_000;
const POLL_MS = 50;
/** Time for reading the output after the group has ended. */
const AFTER_END_MS = 2_000;
/** Time after the kill; what still runs then cannot be ended by us. */
const AFTER_KILL_MS = 1_000;
const isWindows = process.platform === 'win32';
const WATCH = `read _; kill -s TERM -- "-$1"; sleep ${STOP_GRACE_MS / 1000}; kill -s KILL -- "-$1"`;

export interface ChildGroupOptions {
  /** A program; with `isShellLine` a line for the user's shell. */
  command: string;
  isShellLine?: boolean;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** All of its standard input. Absent: that stays open, and empty. */
  input?: string;
  clock: Clock;
}

export type ChildEnd = { kind: 'notStarted'; problem: string } | { kind: 'ended'; code: number | null; problem: string };

export class ChildGroup {
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  readonly #watcher: ChildProcess | undefined;
  #isStopping = false;
  #kill: Disposable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when no process of the group is left, or none that we may end. Never rejects. */
  readonly ended: Promise<ChildEnd>;

  constructor({ command, isShellLine = false, args, cwd, env, input, clock }: ChildGroupOptions) {
    this.#clock = clock;
    this.#child = spawn(command, args, { cwd, env, detached: !isWindows, windowsHide: true, shell: isShellLine, stdio: 'pipe' });
    // Where no descriptor is left, there are no pipes.
    this.stdout = this.#child.stdout ?? Readable.from([]);
    this.stderr = this.#child.stderr ?? Readable.from([]);
    if (this.pid !== undefined && !isWindows) this.#watcher = watch(this.pid);
    this.#child.stdin?.on('error', () => undefined); // the child may close its end without reading what is written
    if (input !== undefined) this.#child.stdin?.end(input);
    this.ended = this.#end();
  }

  /** Undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Asks the group to end. What is left after {@link STOP_GRACE_MS} is killed. */
  stop(): void {
    if (this.#isStopping || this.pid === undefined) return;
    this.#isStopping = true;
    this.#signal('SIGTERM');
    this.#kill = this.#clock.setTimer(() => this.#signal('SIGKILL'), STOP_GRACE_MS);
  }

  async #end(): Promise<ChildEnd> {
    const end = await new Promise<ChildEnd>((resolve) => {
      this.#child.once('error', (error) => {
        if (this.pid === undefined) resolve({ kind: 'notStarted', problem: messageOf(error) });
      });
      this.#child.once('exit', (code, signal) => resolve({ kind: 'ended', code, problem: `it ended with ${signal ?? `code ${code}`}` }));
    });
    // Descendants of the program end with it.
    this.stop();
    const until = this.#clock.now() + STOP_GRACE_MS + AFTER_KILL_MS;
    while (!isWindows && this.#clock.now() < until && this.#signal(0))
      await new Promise<void>((resolve) => this.#clock.setTimer(resolve, POLL_MS));
    this.#kill?.dispose();
    this.#watcher?.kill('SIGKILL');
    // A process that has left the group may keep the pipes open.
    this.#clock.setTimer(() => [this.stdout, this.stderr].forEach((stream) => stream.destroy()), AFTER_END_MS);
    return end;
  }

  /** False when no process was left to receive the signal. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this;
    if (pid === undefined) return false;
    if (isWindows) {
      spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => this.#child.kill());
      return true;
    }
    try {
      process.kill(-pid, signal);
      return true;
    } catch (error) {
      // EPERM: the process belongs to another user, or (on macOS) it has ended and was not reaped yet.
      if (['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
      throw error;
    }
  }
}

function watch(group: number): ChildProcess {
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', String(group)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
  });
  watcher.on('error', () => undefined); // without a shell the group ends only with an orderly stop
  watcher.stdin?.on('error', () => undefined);
  watcher.unref();
  return watcher;
}
