/**
 * The embedded agent host as a process. In the foreground it prints one JSON line `{"url","token"}` on stdout; as a daemon it writes the
 * same into its lock file and ends when nobody has used it for a while. Logs go to stderr.
 */
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { engineFolders } from '../base/copilotEngine.ts';
import { taplineHome } from '../base/daemon.ts';
import { claimDaemonLock, type DaemonAddress, type DaemonLock, type DaemonLockOptions } from '../base/daemonLock.ts';
import { messageOf } from '../base/errors.ts';
import { CopilotAgent } from './agents/copilot/copilotAgent.ts';
import { DemoAgent } from './agents/demo/demoAgent.ts';
import { type Write, writeToDisk } from './state/durable/wholeFile.ts';
import { type HostServer, startHostServer } from './server/server.ts';
import { stderrLogger } from './stderrLogger.ts';

declare const TAPLINE_VERSION: string;

/** A turn or a terminal that runs keeps a daemon alive besides its clients. */
const DEFAULT_IDLE_SECONDS = 60;
/** How long an earlier process may take to let go of the sessions. */
const DATA_WAIT_MS = 10_000;
const DATA_POLL_MS = 50;

/** Another daemon of this user was faster. */
class AnotherRuns extends Error {
  override readonly name = 'AnotherRuns';
}

/** What holds `dist/host.cjs`: an installed extension, or the repository. */
const installation = dirname(dirname(resolve(process.argv[1] ?? '.')));

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      data: { type: 'string' },
      daemon: { type: 'boolean', default: false },
      'lock-file': { type: 'string' },
      'idle-seconds': { type: 'string', default: String(DEFAULT_IDLE_SECONDS) },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  const port = wholeNumber('--port', options.port, 65_535);
  const idleMs = wholeNumber('--idle-seconds', options['idle-seconds'], 86_400) * 1000;
  const lockFile = options['lock-file'];
  if (options.daemon && !lockFile) throw new Error('--daemon needs --lock-file');
  const sessionsFolder = options.data ?? (options.daemon && lockFile ? join(dirname(lockFile), 'sessions') : undefined);
  const logger = stderrLogger(options.verbose ? 'debug' : 'info');
  const onLost = () => {
    // Whatever this process would write now could be over what another writes; the next one takes the sessions up as after a crash.
    logger.error('The agent host ends at once: its lock file was deleted, or another host has taken it over while this one stood still');
    process.exit(1);
  };
  const locks = new Locks(lockFile, sessionsFolder, { logger, onLost });
  const life = options.daemon ? new DaemonLife(idleMs, (why) => end(why)) : undefined;
  let server: HostServer;
  try {
    server = await startHostServer({
      port,
      agents: [
        new DemoAgent({ logger }),
        new CopilotAgent({
          logger,
          engineFolders: engineFolders(installation),
          home: join(taplineHome(), 'copilot'),
          ownFolders: [taplineHome(), ...(sessionsFolder === undefined ? [] : [resolve(sessionsFolder)])],
        }),
      ],
      logger,
      defaultDirectory: pathToFileURL(homedir()).href,
      sessionsFolder,
      writeSessions: locks.write,
      claim: ({ url, token }) => locks.claim({ url, token, version: TAPLINE_VERSION }),
      ...(life && {
        onRetire: (answered: Promise<void>) => {
          const retires = life.retire(answered);
          if (retires) locks.releaseDaemon();
          return retires;
        },
      }),
    });
  } catch (error) {
    locks.release();
    if (!(error instanceof AnotherRuns)) throw error;
    logger.info('Another agent host of this user is running; this one ends.');
    return;
  }

  let ending: Promise<void> | undefined;
  const end = (why: string) => {
    ending ??= (async () => {
      logger.info(`The agent host ends: ${why}`);
      locks.releaseDaemon();
      await server.close();
      locks.release();
      process.exit(0);
    })().catch((error: unknown) => {
      logger.error(`Ending: ${messageOf(error)}`);
      process.exit(1);
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(`${signal} was received`));
  if (life) life.watch(server);
  else process.stdout.write(`${JSON.stringify({ url: server.url, token: server.token })}\n`);
  logger.info(`The agent host ${TAPLINE_VERSION} listens on ${server.url}`);
}

/** Makes this process the daemon of its lock file, and the only one that touches its sessions. */
class Locks {
  #daemon: DaemonLock | undefined;
  #data: DaemonLock | undefined;

  constructor(
    private readonly daemonLock: string | undefined,
    private readonly sessionsFolder: string | undefined,
    private readonly options: DaemonLockOptions,
  ) {}

  /** Rejects with {@link AnotherRuns}, or with an error that names the folder in use. */
  async claim(address: DaemonAddress): Promise<void> {
    if (this.daemonLock !== undefined) {
      this.#daemon = await claimDaemonLock(this.daemonLock, address, this.options);
      if (!this.#daemon) throw new AnotherRuns();
    }
    if (this.sessionsFolder === undefined) return;
    // A daemon may follow one that just made room for it; in the foreground a person is told at once.
    const deadline = Date.now() + (this.daemonLock === undefined ? 0 : DATA_WAIT_MS);
    while (!(this.#data = await claimDaemonLock(join(this.sessionsFolder, 'lock.json'), address, this.options))) {
      if (Date.now() > deadline) throw new Error(`the sessions in ${this.sessionsFolder} are in use by another agent host`);
      await new Promise((resolve) => setTimeout(resolve, DATA_POLL_MS));
    }
  }

  /** Into the files of sessions. */
  readonly write: Write = (...args) => {
    this.#data?.check();
    return writeToDisk(...args);
  };

  /** From now on another daemon may start; it waits for the sessions. */
  releaseDaemon(): void {
    this.#daemon?.dispose();
  }
  release(): void {
    this.releaseDaemon();
    this.#data?.dispose();
  }
}

/** When a daemon ends: after it was idle for a while, or at once when it is idle and a newer version waits. */
class DaemonLife {
  #server: HostServer | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retiring = false;

  constructor(
    private readonly idleMs: number,
    private readonly end: (why: string) => void,
  ) {}

  watch(server: HostServer): void {
    this.#server = server;
    server.onDidChangeActivity(() => this.#update());
    this.#update();
  }

  /** True when it ends now. */
  retire(answered: Promise<void>): boolean {
    this.#retiring = true;
    if (!this.#server || this.#inUse) return false;
    void answered.then(() => this.end('a newer version takes over'));
    return true;
  }

  get #inUse(): boolean {
    return this.#server !== undefined && (this.#server.clientCount > 0 || this.#server.isBusy);
  }

  #update(): void {
    if (this.#inUse) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else if (this.#retiring) {
      this.end('a newer version takes over');
    } else {
      this.#timer ??= setTimeout(() => this.end(`nobody has used it for ${this.idleMs / 1000} s`), this.idleMs);
    }
  }
}

function wholeNumber(name: string, text: string, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max) throw new Error(`${name} must be a whole number from 0 to ${max}, not “${text}”`);
  return value;
}

const HELP = `Tapline's agent host: Agent Host Protocol, version 1, over a WebSocket on this computer.

  --port N           port on 127.0.0.1; 0 (the default) takes a free one
  --data FOLDER      keep sessions there, for the next start too; a daemon keeps them beside its lock file,
                     others forget them at the end
  --verbose          log more
  --daemon           run detached: no line on stdout, end when idle
  --lock-file FILE   where a daemon says how to reach it
  --idle-seconds N   how long a daemon stays without clients, turns and terminals (${DEFAULT_IDLE_SECONDS})

Prints one JSON line {"url","token"}; connect to the URL with the token as the query parameter tkn.
`;

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
});
