/**
 * The embedded agent host as a process. In the foreground it prints one JSON line `{"url","token"}` on stdout; as a daemon it writes the
 * same into its lock file and ends when nobody has used it for a while. Logs go to stderr.
 */
import { homedir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { claimDaemonLock, type DaemonRecord, releaseDaemonLock } from '../base/daemon.ts';
import { messageOf } from '../base/errors.ts';
import { DemoAgent } from './agents/demo/demoAgent.ts';
import { type HostServer, startHostServer } from './server.ts';
import { stderrLogger } from './stderrLogger.ts';

declare const TAPLINE_VERSION: string;

/** A turn or a terminal that runs keeps a daemon alive besides its clients. */
const DEFAULT_IDLE_SECONDS = 60;

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
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

  const logger = stderrLogger(options.verbose ? 'debug' : 'info');
  const server = await startHostServer({
    port,
    agents: [new DemoAgent({ logger })],
    logger,
    defaultDirectory: pathToFileURL(homedir()).href,
  });
  const record: DaemonRecord = { pid: process.pid, url: server.url, token: server.token, version: TAPLINE_VERSION };
  if (lockFile && !(await claimDaemonLock(lockFile, record))) {
    logger.info('Another agent host of this user is running; this one ends.');
    await server.close();
    return;
  }

  let ending: Promise<void> | undefined;
  const end = (why: string) => {
    ending ??= (async () => {
      logger.info(`The agent host ends: ${why}`);
      if (lockFile) releaseDaemonLock(lockFile, record);
      await server.close();
      process.exit(0);
    })().catch((error: unknown) => {
      logger.error(`Ending: ${messageOf(error)}`);
      process.exit(1);
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(`${signal} was received`));
  if (options.daemon) endWhenIdle(server, idleMs, () => end(`nobody has used it for ${idleMs / 1000} s`));
  else process.stdout.write(`${JSON.stringify({ url: server.url, token: server.token })}\n`);
  logger.info(`The agent host ${TAPLINE_VERSION} listens on ${server.url}`);
}

function endWhenIdle(server: HostServer, idleMs: number, end: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = () => {
    const inUse = server.clientCount > 0 || server.isBusy;
    if (inUse) {
      clearTimeout(timer);
      timer = undefined;
    } else {
      timer ??= setTimeout(end, idleMs);
    }
  };
  server.onDidChangeActivity(update);
  update();
}

function wholeNumber(name: string, text: string, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max) throw new Error(`${name} must be a whole number from 0 to ${max}, not “${text}”`);
  return value;
}

const HELP = `Tapline's agent host: Agent Host Protocol, version 1, over a WebSocket on this computer.

  --port N           port on 127.0.0.1; 0 (the default) takes a free one
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
