/** One process on a pty. Nothing that it starts in its terminal outlives it. */
import { readdirSync, readFileSync, readSync } from 'node:fs';
import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { spawn, type IPty } from '@lydell/node-pty';
import { Emitter } from '../../base/event.ts';
import type { ShellLaunch } from './shellIntegration/shellLaunch.ts';

/** Internals of node-pty, in the pinned version, and of a stream. There is no public API for this. */
interface PtyInternals {
  _socket: Socket & { _readableState: { decoder: unknown; encoding: unknown } };
  fd: number;
  /** The process has ended; node-pty closes the pty soon. */
  _boundClose: boolean;
  /** With it the exit is reported as soon as the process has ended, without waiting for the pty to close. */
  _emittedClose: boolean;
}

export interface PtyExit {
  /** Undefined when a signal ended the process. */
  exitCode: number | undefined;
  signal: number | undefined;
}

/** Time between the first signal and SIGKILL. */
const KILL_AFTER_MS = 2000;
/** How often a terminal that no program has open is read while the process is running, because it may be opened again. */
const REOPEN_POLL_MS = 50;
/** Bytes that are read at the end. A background process may write without end. */
const MAX_DRAIN = 4 * 1024 * 1024;

/** Leaders of the processes' sessions that are running or being ended. They are killed when the host exits. */
const leaders = new Set<number>();
process.on('exit', () => {
  for (const leader of leaders) signalSession(leader, 'SIGKILL');
});

export class PtyProcess {
  readonly #pty: IPty;
  readonly #didExit = new Emitter<PtyExit>();
  #exit: PtyExit | undefined;
  /** True when nothing can be written or resized any more, because the pty is closed or no program has it open. */
  #closed = false;
  /** Closes a pty whose output has ended before the process. */
  #closePty: (() => void) | undefined;
  #ending = false;
  #paused = false;
  /** Keeps the bytes of an incomplete character. */
  readonly #decoder = new StringDecoder('utf8');
  readonly #onData: (text: string) => void;

  readonly onDidExit = this.#didExit.event;

  constructor(
    launch: Pick<ShellLaunch, 'file' | 'args' | 'env'>,
    options: { cwd: string; cols: number; rows: number },
    onData: (text: string) => void,
  ) {
    this.#onData = onData;
    this.#pty = spawn(launch.file, launch.args, { ...options, name: 'xterm-256color', env: launch.env });
    leaders.add(this.#pty.pid);
    this.#pty.onData((bytes: unknown) => this.#receive(bytes as Buffer));
    this.#takeOverReading();
    this.#pty.onExit(({ exitCode, signal }) => {
      this.#exit = signal ? { exitCode: undefined, signal } : { exitCode, signal: undefined };
      this.#closePty?.();
      const rest = this.#decoder.end();
      if (rest) onData(rest);
      if (!this.#ending) leaders.delete(this.#pty.pid);
      this.#didExit.fire(this.#exit);
      this.#didExit.dispose();
    });
  }

  get exit(): PtyExit | undefined {
    return this.#exit;
  }

  write(data: string): void {
    if (!this.#closed) this.#pty.write(data);
  }
  resize(cols: number, rows: number): void {
    if (!this.#closed) this.#pty.resize(cols, rows);
  }

  /** Stops reading, so that the writing process waits. */
  setPaused(paused: boolean): void {
    if (this.#paused === paused || this.#closed) return;
    this.#paused = paused;
    if (paused) this.#pty.pause();
    else this.#pty.resume();
  }

  /**
   * Makes node-pty deliver bytes, and reads what is left when it closes the pty. It closes the pty 200 ms after the process has ended, or
   * when libuv takes the hang-up for the end of the output. In both cases the kernel may hold more, and the end of a long output would be
   * lost. Bytes are needed because that rest may begin in the middle of a character. The `encoding` option of node-pty would also tell the
   * terminal that its input is not UTF-8.
   *
   * A process may close its terminal before it ends. The pty stays open then, because closing it would end the process with a SIGHUP.
   */
  #takeOverReading(): void {
    const pty = this.#pty as unknown as PtyInternals;
    const { _socket: socket, fd } = pty;
    socket._readableState.decoder = null;
    socket._readableState.encoding = null;
    const destroy = socket.destroy.bind(socket);
    socket.destroy = (error?: Error) => {
      if (this.#closed) return this.#closePty ? socket : destroy(error);
      this.#closed = true;
      // Reading also emits the data that a paused socket holds.
      while (socket.read() !== null);
      this.#drain(fd);
      if (pty._boundClose) return destroy(error);
      pty._emittedClose = true;
      const poll = setInterval(() => this.#drain(fd), REOPEN_POLL_MS);
      this.#closePty = () => {
        clearInterval(poll);
        this.#closePty = undefined;
        this.#drain(fd);
        destroy();
      };
      return socket;
    };
  }

  #drain(fd: number): void {
    const buffer = Buffer.alloc(64 * 1024);
    try {
      for (let left = MAX_DRAIN; left > 0;) {
        const count = readSync(fd, buffer);
        if (count === 0) return;
        this.#receive(buffer.subarray(0, count));
        left -= count;
      }
    } catch (error) {
      // EIO: no process has the other end open. EAGAIN: a process has it open, and has written nothing more.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EIO' && code !== 'EAGAIN') throw error;
    }
  }

  #receive(bytes: Buffer): void {
    const text = this.#decoder.write(bytes);
    if (text) this.#onData(text);
  }

  /** Ends the process and everything that runs in its terminal: with `signal` first, and with SIGKILL after two seconds. */
  terminate(signal: 'SIGHUP' | 'SIGTERM'): void {
    if (this.#ending || this.#exit) return;
    this.#ending = true;
    const leader = this.#pty.pid;
    // Read now, because the descendants cannot be found by their leader once it has ended.
    const members = signalSession(leader, signal);
    signalSession(leader, 'SIGCONT');
    setTimeout(() => {
      leaders.delete(leader);
      for (const member of members) sendSignal(member, 'SIGKILL');
    }, KILL_AFTER_MS);
  }
}

/** Signals every process group of the session. Returns the groups as negative numbers, as `kill` takes them. */
function signalSession(leader: number, signal: NodeJS.Signals): number[] {
  const groups = sessionGroups(leader).map((group) => -group);
  for (const group of groups) sendSignal(group, signal);
  return groups;
}

function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    // ESRCH: it has ended already. EPERM: on macOS a group of zombies, or a set-uid program that cannot be ended.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/**
 * The process groups of the session of `leader`: its own and, on Linux, those of its jobs. On other systems the jobs of an interactive
 * shell get the hang-up of the kernel when the pty closes.
 */
function sessionGroups(leader: number): number[] {
  const groups = new Set([leader]);
  if (process.platform !== 'linux') return [...groups];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    let stat: string;
    try {
      stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
    } catch {
      continue; // It ended while we looked.
    }
    // The fields after the name in parentheses, which may contain anything: state, parent, group, session.
    const [, , group, session] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    if (session === leader && group) groups.add(group);
  }
  return [...groups];
}
