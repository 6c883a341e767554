/** Programs in namespaces of their own, as containers have them: process numbers of their own, and a network of their own. Files are shared. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { withTimeout } from '../../src/base/errors.ts';

const CHECK_TIMEOUT_MS = 10_000;
const END_TIMEOUT_MS = 15_000;

/** Also without root, where the machine lets users have namespaces. */
const rights = process.getuid?.() === 0 ? [] : ['--map-root-user'];
const processes = ['--fork', '--pid', '--mount-proc', '--kill-child', ...rights];
const network = ['--net'];
const withLoopback = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

/** For a `before`: where there are no namespaces to be had, its tests are skipped, with a word that says why. */
export function namespacesOrSkip(hook: Mocha.Context): void {
  const { status, error, stderr } = spawnSync('unshare', [...processes, ...network, ...withLoopback, 'true'], {
    encoding: 'utf8',
    timeout: CHECK_TIMEOUT_MS,
  });
  if (status === 0) return;
  console.log(`      skipped: no namespaces can be had here: ${(error?.message ?? stderr).trim().slice(0, 300)}`);
  hook.skip();
}

export interface ContainerOptions {
  /** Shares the network of this process; default: it has one of its own. */
  sharesNetwork?: boolean;
  env?: Record<string, string>;
}

export class Contained {
  readonly #exited: Promise<number | null>;
  output = '';

  constructor(command: readonly string[], { sharesNetwork = false, env = {} }: ContainerOptions = {}) {
    const run = sharesNetwork ? command : [...network, ...withLoopback, ...command];
    this.#child = spawn('unshare', [...processes, ...run], { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', (chunk) => (this.output += String(chunk)));
    this.#exited = new Promise((resolve) => this.#child.once('exit', resolve));
  }
  readonly #child: ChildProcess;

  /** Of the program, as it is numbered here. */
  get pid(): number {
    const { pid } = this.#child;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
  }
  /** Runs another program in its network, and waits for the end of that. */
  async enter(command: readonly string[]): Promise<void> {
    const user = rights.length ? ['--user', '--preserve-credentials'] : [];
    await promisify(execFile)('nsenter', ['--target', String(this.pid), '--net', ...user, ...command], { timeout: END_TIMEOUT_MS });
  }
  /** On its standard input. */
  say(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }
  /** By itself. */
  ended(): Promise<number | null> {
    return withTimeout(this.#exited, END_TIMEOUT_MS, 'the end of what runs in a container');
  }
  /** At once, with everything that runs in it. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended();
  }
}
