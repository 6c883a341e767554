/** One process on a pty, and its end: nothing that it started in its terminal outlives it. */
import { readdirSync, readFileSync, readSync } from 'node:fs';
import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { spawn, type IPty } from '@lydell/node-pty';
import { Emitter } from '../../base/event.ts';
import type { ShellLaunch } from './shellIntegration/shellLaunch.ts';

/** Inside of node-pty (of the pinned version) and of a stream, where there is no other way. */
type PtySocket = Socket & { _readableState: { decoder: unknown; encoding: unknown } };

export interface PtyExit {
  /** Undefined when a signal ended the process. */
  exitCode: number | undefined;
  signal: number | undefined;
}

/** Time between the polite signal and SIGKILL. */
const KILL_AFTER_MS = 2000;
/** Bytes that are read at the end; a process in the background may write for ever. */
const MAX_DRAIN = 4 * 1024 * 1024;

/** Leaders of the terminals' process sessions that run or are being ended. When the host exits, they go first. */
const leaders = new Set<number>();
process.on('exit', () => {
  for (const leader of leaders) signalSession(leader, 'SIGKILL');
});

export class PtyProcess {
  readonly #pty: IPty;
  readonly #didExit = new Emitter<PtyExit>();
  #exit: PtyExit | undefined;
  /** The pty is gone, shortly before the exit is told; touching it would throw. */
  #closed = false;
  #ending = false;
  #paused = false;
  /** Keeps the bytes of a split character until the rest has come. */
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

  /** Stops reading, so that a flood waits in the process that makes it and not in our memory. */
  setPaused(paused: boolean): void {
    if (this.#paused === paused || this.#closed) return;
    this.#paused = paused;
    if (paused) this.#pty.pause();
    else this.#pty.resume();
  }

  /**
   * Makes node-pty give bytes, and reads what is left when it closes the pty. It closes 200 ms after the process ended, or when libuv
   * takes the hang-up for the end of the output; either way the kernel may hold more, and the end of a long output would be lost.
   * Bytes, because that rest may begin in the middle of a character; its `encoding` option would also tell the terminal that
   * people type something else than UTF-8.
   */
  #takeOverReading(): void {
    const { _socket: socket, fd } = this.#pty as unknown as { _socket: PtySocket; fd: number };
    socket._readableState.decoder = null;
    socket._readableState.encoding = null;
    const destroy = socket.destroy.bind(socket);
    socket.destroy = (error?: Error) => {
      if (!this.#closed) {
        this.#closed = true;
        // What a paused socket holds; reading it also gives it to its listeners.
        while (socket.read() !== null);
        this.#drain(fd);
      }
      return destroy(error);
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
      // EIO: nobody holds the other end any more. EAGAIN: somebody does, but has written no more.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EIO' && code !== 'EAGAIN') throw error;
    }
  }

  #receive(bytes: Buffer): void {
    const text = this.#decoder.write(bytes);
    if (text) this.#onData(text);
  }

  /** Ends the process and all that runs in its terminal: `signal` first, SIGKILL for what is left after two seconds. */
  terminate(signal: 'SIGHUP' | 'SIGTERM'): void {
    if (this.#ending || this.#exit) return;
    this.#ending = true;
    const leader = this.#pty.pid;
    // Taken now: once the leader is gone its descendants can no longer be told by it.
    const members = signalSession(leader, signal);
    signalSession(leader, 'SIGCONT');
    setTimeout(() => {
      leaders.delete(leader);
      for (const member of members) sendSignal(member, 'SIGKILL');
    }, KILL_AFTER_MS);
  }
}

/** Signals every process group of the session. Returns the groups, as negative numbers (the way `kill` names groups). */
function signalSession(leader: number, signal: NodeJS.Signals): number[] {
  const groups = sessionGroups(leader).map((group) => -group);
  for (const group of groups) sendSignal(group, signal);
  return groups;
}

function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    // ESRCH: gone already. EPERM: macOS answers so for a group of zombies, and a set-uid program is not ours to end.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/**
 * The process groups of the session that `leader` leads: its own and, where /proc tells (Linux), those of its jobs.
 * Elsewhere the jobs of an interactive shell get the hang-up of the kernel when the pty closes.
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
    // After the name in parentheses, which may hold anything: state, parent, group, session.
    const [, , group, session] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    if (session === leader && group) groups.add(group);
  }
  return [...groups];
}
