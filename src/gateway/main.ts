/**
 * The gateway as a process. In the foreground it prints one JSON line `{"url","tokenFile","ownerSecretFile"}` on stdout; as a daemon it
 * ends when it has had no session owner for a while. `status` asks the running one. Logs go to stderr.
 */
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { claimDaemonLock, isDaemonAlive, readDaemonRecord, stateOf } from '../base/daemonLock.ts';
import { messageOf, withTimeout } from '../base/errors.ts';
import { DisposableStore } from '../base/lifecycle.ts';
import { type Logger, nullLogger } from '../base/log.ts';
import {
  copilotHome,
  DEFAULT_GATEWAY_PORT,
  idKeyFile,
  gatewayLockFile,
  ownerSecretFile,
  providerTokenFile,
} from '../tap/owner/gatewayPaths.ts';
import { Time } from '../tap/wire/limits.ts';
import { OwnerClient } from '../tap/owner/ownerClient.ts';
import type { OwnerResults } from '../tap/wire/ownerMessages.ts';
import { keptIdKey } from './trust/idKey.ts';
import { writeSecretFile } from './process/secretFile.ts';
import { endWithoutOwners } from './process/grace.ts';
import { type GatewayServer, type GatewayServerOptions, startGatewayServer } from './server.ts';
import { formatStatus } from './process/statusText.ts';
import { stderrLogger } from './stderrLogger.ts';

declare const TAPLINE_VERSION: string;

/** How long a port that is taken may belong to a gateway that is still starting. */
const RIVAL_MS = 2_000;
const RIVAL_POLL_MS = 50;
const STATUS_TIMEOUT_MS = 10_000;

async function main(): Promise<void> {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string', default: String(DEFAULT_GATEWAY_PORT) },
      daemon: { type: 'boolean', default: false },
      'lock-file': { type: 'string', default: gatewayLockFile() },
      'idle-seconds': { type: 'string', default: String(Time.graceMs / 1000) },
      ipv6: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  const lockFile = options['lock-file'];
  const [command, ...rest] = positionals;
  if (command === 'status' && !rest.length) return printStatus(lockFile, options.json);
  if (command !== undefined) throw new Error(`there is no command ${JSON.stringify(positionals.join(' '))}`);
  const port = wholeNumber('--port', options.port, 65_535);
  const idleMs = wholeNumber('--idle-seconds', options['idle-seconds'], 86_400) * 1000;
  const logger = stderrLogger(options.verbose);
  await run({ port, idleMs, lockFile, isDaemon: options.daemon, alsoV6: options.ipv6, logger });
}

interface RunOptions {
  port: number;
  idleMs: number;
  lockFile: string;
  isDaemon: boolean;
  alsoV6: boolean;
  logger: Logger;
}

async function run({ port, idleMs, lockFile, isDaemon, alsoV6, logger }: RunOptions): Promise<void> {
  const tokenFile = providerTokenFile();
  const idKey = keptIdKey(idKeyFile());
  const server = await listen(
    {
      port,
      alsoV6,
      withTap: true,
      clock: systemClock,
      logger,
      version: TAPLINE_VERSION,
      home: copilotHome(),
      idKey,
    },
    { lockFile, isDaemon },
  );
  const onLost = () => end('its lock file was deleted, or another gateway has taken it over while this one stood still');
  const address = server && { url: server.url, token: server.gateway.grants.ownerSecret, version: TAPLINE_VERSION };
  const lock = address && (await claimDaemonLock(lockFile, address, { logger, onLost }));
  if (!server || !lock) {
    await server?.close(0);
    const url = readDaemonRecord(lockFile)?.url ?? 'another port';
    // As a daemon this is the lost race of two starters: the other one serves.
    if (!isDaemon) throw new Error(`A gateway of this user runs already on ${url}. See it with: npm run gateway -- status`);
    logger.info(`Another gateway of this user runs on ${url}; this one ends.`);
    return;
  }
  const { grants } = server.gateway;
  const files = new DisposableStore();
  const secretFile = ownerSecretFile();
  writeSecretFile(idKeyFile(), idKey); // stays for the next one
  files.add(writeSecretFile(tokenFile, grants.fileToken));
  files.add(writeSecretFile(secretFile, grants.ownerSecret));
  files.add(lock);

  let ending: Promise<void> | undefined;
  const end = (why: string) => {
    if (ending) return; // the deadline of the sessions is running
    logger.info(`The gateway ends: ${why}`);
    ending = (async () => {
      files.dispose();
      await server.close();
      process.exit(0);
    })().catch((error: unknown) => {
      logger.error(`Ending: ${messageOf(error)}`);
      process.exit(1);
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(`${signal} was received`));
  if (isDaemon) endWithoutOwners(server, systemClock, idleMs, () => end(`no session owner for ${idleMs / 1000} s`));
  else process.stdout.write(`${JSON.stringify({ url: server.url, tokenFile, ownerSecretFile: secretFile })}\n`);
  logger.info(`The gateway ${TAPLINE_VERSION} listens on ${server.url}`);
}

/** Undefined: another gateway of this user has the port. One that a stranger has is left to it: a daemon, which nobody has told where to be, goes elsewhere. */
async function listen(
  options: GatewayServerOptions,
  { lockFile, isDaemon }: { lockFile: string; isDaemon: boolean },
): Promise<GatewayServer | undefined> {
  const { port, logger } = options;
  try {
    return await startGatewayServer(options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
  }
  if (await appearsWithin(RIVAL_MS, lockFile)) return undefined;
  const taken = `Port ${port} is taken by another program.`;
  if (!isDaemon) throw new Error(`${taken} Choose another with --port; 0 takes a free one.`);
  logger.error(`${taken} Providers find the gateway on another port: see TAP_GATEWAY_URL or npm run gateway -- status.`);
  return startGatewayServer({ ...options, port: 0 });
}

async function appearsWithin(ms: number, lockFile: string): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end;) {
    const record = readDaemonRecord(lockFile);
    if (record && (await isDaemonAlive(record))) return true;
    await new Promise((resolve) => setTimeout(resolve, RIVAL_POLL_MS));
  }
  return false;
}

async function printStatus(lockFile: string, asJson: boolean): Promise<void> {
  const record = readDaemonRecord(lockFile);
  if (!record || (await stateOf(lockFile, record)) === 'gone') throw new Error('No gateway of this user is running.');
  const client = new OwnerClient({ name: 'status', find: async () => record, logger: nullLogger });
  try {
    const asked = new Promise<OwnerResults['diagnostics']>((resolve, reject) => {
      client.onDidChangeState((state) => {
        if (state.kind === 'connected') client.request('diagnostics', {}).then(resolve, reject);
        if (state.kind === 'waiting') reject(new Error(state.error));
      });
    });
    const status = await withTimeout(asked, STATUS_TIMEOUT_MS, 'asking the gateway');
    process.stdout.write(asJson ? `${JSON.stringify({ url: record.url, ...status })}\n` : formatStatus(record.url, status));
  } finally {
    client.dispose();
  }
}

function wholeNumber(name: string, text: string, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max) throw new Error(`${name} must be a whole number from 0 to ${max}, not “${text}”`);
  return value;
}

const HELP = `Tapline's gateway: lends the tools of local programs and browser tabs to agent sessions.

  gateway [options]        run it
  gateway status [--json]  what the running one is doing

  --port N           port on 127.0.0.1 (${DEFAULT_GATEWAY_PORT}); 0 takes a free one
  --ipv6             listen on ::1 as well
  --verbose          log more
  --daemon           run detached: no line on stdout, end without session owners
  --lock-file FILE   where it says how to reach it
  --idle-seconds N   how long a daemon stays without session owners (${Time.graceMs / 1000})

Prints one JSON line {"url","tokenFile","ownerSecretFile"}.
`;

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
});
