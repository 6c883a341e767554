/**
 * The embedded agent host as a process. In the foreground it prints one JSON line `{"url","token"}` on stdout. As a daemon it writes the
 * same into its lock file, and ends when nobody has used it for a while. Logs go to stderr.
 */
import { spoken, trouble } from './ownLanguage.ts';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { claimDaemonLock, type DaemonAddress, type DaemonLock, type DaemonLockOptions } from '../base/daemon/daemonLock.ts';
import { stderrLogger } from '../base/node/stderrLogger.ts';
import { taplineHome } from '../base/node/taplineHome.ts';
import { keptToken } from '../base/server/keptToken.ts';
import { serverArguments, serverOptions, wholeNumber } from '../base/server/serverArguments.ts';
import { runServerProcess, Shutdown } from '../base/server/serverProcess.ts';
import { engineFolders } from '../models/copilotEngine.ts';
import { CopilotAgent } from './agents/copilot/copilotAgent.ts';
import { DemoAgent } from './agents/demo/demoAgent.ts';
import { DaemonLife } from './daemonLife.ts';
import { RETURN_MS } from './state/clients.ts';
import { type Write, writeToDisk } from '../base/node/wholeFile.ts';
import { type HostServer, startHostServer } from './server/hostServer.ts';

declare const TAPLINE_VERSION: string;

/** A daemon also stays while a turn or a terminal is running. */
const DEFAULT_IDLE_SECONDS = 60;
/** How long an earlier process may take to release the sessions. */
const DATA_WAIT_MS = 10_000;
const DATA_POLL_MS = 50;

/** Another process of this user has become the daemon first. */
class AnotherRuns extends Error {
  override readonly name = 'AnotherRuns';
}

/** The folder that contains `dist/host.cjs`: an installed extension, or the repository. */
const installation = dirname(dirname(resolve(process.argv[1] ?? '.')));

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      ...serverOptions,
      data: { type: 'string' },
      'return-seconds': { type: 'string' },
      'token-file': { type: 'string' },
      // Read by `ownLanguage.ts`.
      language: { type: 'string' },
      'ahp-1.1': { type: 'boolean' },
    },
  });
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  const { port, idleMs } = serverArguments(options, { port: 0, idleSeconds: DEFAULT_IDLE_SECONDS });
  const returnSeconds = wholeNumber('--return-seconds', options['return-seconds'], 86_400);
  const lockFile = options['lock-file'];
  if (options.daemon && !lockFile) throw new Error('--daemon needs --lock-file');
  const tokenFile = options['token-file'];
  const sessionsFolder = options.data ?? (options.daemon && lockFile ? join(dirname(lockFile), 'sessions') : undefined);
  const logger = stderrLogger(options.verbose ? 'debug' : 'info');
  if (trouble !== undefined) logger.warn(trouble);
  const onLost = () => {
    // A write could overwrite what another process writes now. The next host opens the sessions as after a crash.
    logger.error('The agent host ends at once: its lock file was deleted, or another host has taken it over while this one was suspended');
    process.exit(1);
  };
  const locks = new Locks(lockFile, sessionsFolder, { logger, onLost });
  const life = options.daemon ? new DaemonLife(idleMs, (why) => shutdown.begin(why)) : undefined;
  let server: HostServer;
  try {
    server = await startHostServer({
      port,
      version: TAPLINE_VERSION,
      speaks11: options['ahp-1.1'] ?? false,
      ...(tokenFile !== undefined && { token: keptToken(resolve(tokenFile)) }),
      agents: [
        new DemoAgent({ logger }),
        new CopilotAgent({
          logger,
          engineFolders: engineFolders(installation),
          home: join(taplineHome(), 'copilot'),
          ownFolders: [taplineHome(), ...[sessionsFolder, tokenFile].flatMap((path) => (path === undefined ? [] : resolve(path)))],
        }),
      ],
      logger,
      defaultDirectory: pathToFileURL(homedir()).href,
      sessionsFolder,
      ...(returnSeconds !== undefined && { clientReturnMs: returnSeconds * 1000 }),
      writeSessions: locks.write,
      claim: ({ url, token }) => locks.claim({ url, token, version: TAPLINE_VERSION, ...(spoken !== undefined && { language: spoken }) }),
      ...(life && {
        onRetire: (answered: Promise<void>, isForLanguage: boolean) => {
          const retires = life.retire(answered, isForLanguage);
          if (retires) locks.releaseDaemon();
          return retires;
        },
      }),
    });
  } catch (error) {
    locks.release();
    if (!(error instanceof AnotherRuns)) throw error;
    logger.info('Another agent host of this user is running, so this one ends.');
    return;
  }

  const shutdown = new Shutdown('agent host', logger, async () => {
    locks.releaseDaemon();
    await server.close();
    locks.release();
  });
  if (life) life.watch(server);
  else process.stdout.write(`${JSON.stringify({ url: server.url, token: server.token })}\n`);
  logger.info(`The agent host ${TAPLINE_VERSION} listens on ${server.url}`);
}

/** Makes this process the daemon of its lock file, and the only one that uses its sessions. */
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
    // A daemon may follow one that has just made room for it. In the foreground the user is told at once.
    const deadline = Date.now() + (this.daemonLock === undefined ? 0 : DATA_WAIT_MS);
    while (!(this.#data = await claimDaemonLock(join(this.sessionsFolder, 'lock.json'), address, this.options))) {
      if (Date.now() > deadline) throw new Error(`the sessions in ${this.sessionsFolder} are in use by another agent host`);
      await new Promise((resolve) => setTimeout(resolve, DATA_POLL_MS));
    }
  }

  /** For files of sessions. */
  readonly write: Write = (...args) => {
    this.#data?.check();
    return writeToDisk(...args);
  };

  /** Another daemon may start now. It waits for the sessions. */
  releaseDaemon(): void {
    this.#daemon?.dispose();
  }
  release(): void {
    this.releaseDaemon();
    this.#data?.dispose();
  }
}

const HELP = `Tapline's agent host: Agent Host Protocol, v1 and 0.9.0 to 1.0.0, over a WebSocket on this computer.

  --port N           port on 127.0.0.1; 0 (the default) takes a free one
  --data FOLDER      keep sessions there, for the next start too; a daemon keeps them beside its lock file,
                     others forget them at the end
  --token-file FILE  keep the token there, for the next start too; made where it is missing, and for you alone
  --language LANG    what people read of it: de, zh-cn, or English (the default), for all clients
  --verbose          log more
  --daemon           run detached: no line on stdout, end when idle
  --lock-file FILE   where a daemon says how to reach it
  --idle-seconds N   how long a daemon stays without clients, turns and terminals (${DEFAULT_IDLE_SECONDS})
  --return-seconds N how long the tool calls of a client that has left wait for it (${RETURN_MS / 1000})
  --ahp-1.1          speak version 1.1 too, which is in development, with clients that offer it

Prints one JSON line {"url","token"}; connect to the URL with the token as the query parameter tkn.
`;

runServerProcess(main);
