/**
 * The gateway as a process. In the foreground it prints one JSON line `{"url","tokenFile","ownerSecretFile"}` on stdout. As a daemon it
 * ends after it has had no session owner for a while. `status` and `records` ask the running gateway. Logs go to stderr.
 */
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type * as z from 'zod';
import { systemClock } from '../base/clock.ts';
import { claimDaemonLock, findDaemon, isDaemonAlive, readDaemonRecord } from '../base/daemon/daemonLock.ts';
import { englishOf, withTimeout, WordedError } from '../base/errors.ts';
import { DisposableStore } from '../base/lifecycle.ts';
import { type Logger, nullLogger } from '../base/log.ts';
import { stderrLogger } from '../base/node/stderrLogger.ts';
import { endWhenIdle } from '../base/server/endWhenIdle.ts';
import { serverArguments, serverOptions } from '../base/server/serverArguments.ts';
import { keyOf } from '../base/server/challenge.ts';
import { runServerProcess, Shutdown } from '../base/server/serverProcess.ts';
import {
  copilotHome,
  DEFAULT_GATEWAY_PORT,
  idKeyFile,
  journalsFolder,
  gatewayLockFile,
  ownerSecretFile,
  providerTokenFile,
  recordsFile,
  tokenHistoryFile,
} from '../tap/owner/gatewayPaths.ts';
import { OwnerClient } from '../tap/owner/ownerClient.ts';
import { Time } from '../tap/wire/limits.ts';
import { firstIssue } from '../tap/wire/parsing/firstIssue.ts';
import { askedByText } from '../tap/wire/records/recordQuestion.ts';
import { isTracing, type TracesConfig } from '../tap/wire/traces/tracesConfig.ts';
import { tracesSchema } from '../tap/wire/traces/tracesSchema.ts';
import { Tracing } from './traces/tracing.ts';
import { keptIdKey } from './trust/idKey.ts';
import { readKeptToken, writeSecretFile } from './process/secretFile.ts';
import { readTokenHistory, writeTokenHistory } from './process/tokenHistoryFile.ts';
import { TokenHistory } from './trust/tokenHistory.ts';
import { type GatewayServer, type GatewayServerOptions, startGatewayServer } from './gatewayServer.ts';
import { printRecords } from './process/printRecords.ts';
import { RecordThread } from './records/recordThread.ts';
import { formatStatus } from './process/statusText.ts';
import { withoutTokens } from './limits/redact.ts';

declare const TAPLINE_VERSION: string;
type SpanExportModule = typeof import('./traces/export/spanExport.ts');

/** How long to wait for the lock file of a gateway that is still starting, when the port is taken. */
const RIVAL_MS = 2_000;
const RIVAL_POLL_MS = 50;
const STATUS_TIMEOUT_MS = 10_000;

async function main(): Promise<void> {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...serverOptions,
      ipv6: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'keep-token': { type: 'boolean', default: false },
      kind: { type: 'string' },
      session: { type: 'string' },
      since: { type: 'string' },
      until: { type: 'string' },
      where: { type: 'string' },
      traces: { type: 'boolean', default: false },
      'traces-endpoint': { type: 'string' },
      'traces-file': { type: 'string' },
      'traces-content': { type: 'boolean', default: false },
    },
  });
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  const lockFile = options['lock-file'] ?? gatewayLockFile();
  const [command, ...rest] = positionals;
  if (command === 'status' && !rest.length) return printStatus(lockFile, options.json);
  if (command === 'records' && !rest.length) {
    const { kind, session, since, until, where } = options;
    const question = askedByText({ kind, session, since, until, where }, Date.now());
    return askGateway(lockFile, (client) => printRecords(client, question, process.stdout));
  }
  if (command !== undefined) throw new Error(`there is no command ${JSON.stringify(positionals.join(' '))}`);
  const { port, idleMs } = serverArguments(options, { port: DEFAULT_GATEWAY_PORT, idleSeconds: Time.graceMs / 1000 });
  const logger = stderrLogger(options.verbose ? 'trace' : 'info', withoutTokens);
  const keepsToken = options['keep-token'];
  if (keepsToken && options.daemon) throw new Error('--keep-token is for a gateway that runs by itself, not for a --daemon');
  const traces = tracesOf({
    enabled: options.traces,
    endpoint: options['traces-endpoint'],
    file: options['traces-file'],
    content: options['traces-content'],
  });
  await run({ port, idleMs, lockFile, isDaemon: options.daemon, alsoV6: options.ipv6, keepsToken, traces, logger });
}

interface RunOptions {
  port: number;
  idleMs: number;
  lockFile: string;
  isDaemon: boolean;
  alsoV6: boolean;
  /** The token of the file is the one of the gateway before this one, and stays at the end. */
  keepsToken: boolean;
  /** Undefined: owners say so. */
  traces: TracesConfig | undefined;
  logger: Logger;
}

async function run({ port, idleMs, lockFile, isDaemon, alsoV6, keepsToken, traces, logger }: RunOptions): Promise<void> {
  const tokenFile = providerTokenFile();
  const idKey = keptIdKey(idKeyFile());
  const historyFile = tokenHistoryFile();
  const history = new TokenHistory(readTokenHistory(historyFile), (tokens) => {
    try {
      writeTokenHistory(historyFile, tokens);
    } catch (error) {
      logger.warn(`${historyFile} cannot be written, so the next gateway does not know this token: ${englishOf(error)}`);
    }
  });
  const kept = keepsToken ? readKeptToken(tokenFile) : {};
  if (kept.problem !== undefined) logger.warn(`The token is new: ${kept.problem}.`);
  const folder = dirname(resolve(process.argv[1] ?? '.'));
  const records = new RecordThread({ script: join(folder, 'gatewayRecords.cjs'), path: recordsFile(), clock: systemClock, logger });
  const tracing = new Tracing({
    open: async (config) => {
      const { openSpanExport } = (await import(pathToFileURL(join(folder, 'gatewayTraces.cjs')).href)) as SpanExportModule;
      return openSpanExport({ config, records, version: TAPLINE_VERSION, clock: systemClock, logger });
    },
    fixed: traces,
    logger,
  });
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
      history,
      records,
      tracing,
      tokenFile,
      ...(kept.token !== undefined && { fileToken: kept.token }),
      ownerGraceMs: idleMs,
      journalsFolder: journalsFolder(),
    },
    { lockFile, isDaemon },
  );
  const onLost = () => shutdown.begin('its lock file was deleted, or another gateway has taken it over while this one stood still');
  const address = server && { url: server.url, token: server.gateway.grants.ownerSecret, version: TAPLINE_VERSION };
  const lock = address && (await claimDaemonLock(lockFile, address, { logger, onLost }));
  if (!server || !lock) {
    await server?.close(0);
    const url = readDaemonRecord(lockFile)?.url ?? 'another port';
    // Of two daemons that start at once, this one came second; the other serves.
    if (!isDaemon) throw new Error(`A gateway of this user is already running on ${url}. See it with: npm run gateway -- status`);
    logger.info(`Another gateway of this user runs on ${url}; this one ends.`);
    return;
  }
  records.open();
  server.gateway.begin();
  const { grants } = server.gateway;
  const files = new DisposableStore();
  const secretFile = ownerSecretFile();
  writeSecretFile(idKeyFile(), idKey); // kept for the next gateway
  const writeToken = () => {
    const written = writeSecretFile(tokenFile, grants.fileToken);
    if (!keepsToken) files.add(written);
  };
  writeToken();
  history.began(keyOf(grants.fileToken), server.port);
  server.gateway.onDidTakeOver(() => {
    try {
      writeToken();
    } catch (error) {
      logger.warn(`${tokenFile} has a newer token than programs were given; both are valid: ${englishOf(error)}`);
    }
  });
  files.add(writeSecretFile(secretFile, grants.ownerSecret));
  files.add(lock);

  const shutdown = new Shutdown('gateway', logger, async () => {
    // Before the lock is given up: then another gateway writes them.
    await tracing.close();
    await records.close();
    files.dispose();
    await server.close();
  });
  const owned = { isInUse: () => server.ownerCount > 0, onDidChange: server.onDidChangeOwners };
  if (isDaemon) endWhenIdle(owned, systemClock, idleMs, () => shutdown.begin(`no session owner for ${idleMs / 1000} s`));
  else process.stdout.write(`${JSON.stringify({ url: server.url, tokenFile, ownerSecretFile: secretFile })}\n`);
  logger.info(`The gateway ${TAPLINE_VERSION} listens on ${server.url}`);
}

/**
 * Undefined when another gateway of this user has the port. When another program has it, a daemon takes another port, because nobody has
 * chosen its port. After a daemon that was killed, the next one has its port: programs that were given the address find it again.
 */
async function listen(
  options: GatewayServerOptions,
  { lockFile, isDaemon }: { lockFile: string; isDaemon: boolean },
): Promise<GatewayServer | undefined> {
  const { port, logger } = options;
  const left = isDaemon ? readDaemonRecord(lockFile)?.url : undefined;
  let taken: unknown;
  for (const wanted of new Set([left === undefined ? port : Number(new URL(left).port), port])) {
    try {
      return await startGatewayServer({ ...options, port: wanted });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      taken = error;
    }
  }
  if (await appearsWithin(RIVAL_MS, lockFile)) return undefined;
  if (!isDaemon) throw taken;
  logger.error(
    `Port ${port} is in use by another program. Providers find the gateway on another port: see TAP_GATEWAY_URL or npm run gateway -- status.`,
  );
  return startGatewayServer({ ...options, port: 0 });
}

/** Throws with what is wrong. */
function tracesOf(given: z.input<typeof tracesSchema>): TracesConfig | undefined {
  const { data, error } = tracesSchema.safeParse(given);
  if (error) throw new Error(`--traces-${firstIssue(error)}`);
  return isTracing(data) ? data : undefined;
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
  await askGateway(lockFile, async (client, url) => {
    const status = await client.request('diagnostics', {}, STATUS_TIMEOUT_MS);
    process.stdout.write(asJson ? `${JSON.stringify({ url, ...status })}\n` : formatStatus(url, status));
  });
}

/** With the one that runs. */
async function askGateway(lockFile: string, work: (client: OwnerClient, url: string) => Promise<void>): Promise<void> {
  const record = await findDaemon(lockFile);
  if (!record) throw new Error('No gateway of this user is running.');
  const client = new OwnerClient({ name: 'command line', find: async () => record, logger: nullLogger });
  try {
    const connected = new Promise<void>((resolve, reject) => {
      client.onDidChangeState((state) => {
        if (state.kind === 'connected') resolve();
        if (state.kind === 'waiting') reject(new WordedError(state.error));
      });
    });
    await withTimeout(connected, STATUS_TIMEOUT_MS, 'asking the gateway');
    await work(client, record.url);
  } finally {
    client.dispose();
  }
}

const HELP = `Tapline's gateway: lends the tools of local programs and browser tabs to agent sessions.

  gateway [options]        run the gateway
  gateway status [--json]  show what the running gateway is doing
  gateway records          print what was kept, as JSON lines, oldest first

  --port N           port on 127.0.0.1 (${DEFAULT_GATEWAY_PORT}); 0 takes a free one
  --ipv6             listen on ::1 as well
  --keep-token       keep the token of programs over restarts: use the one in the token file, and leave it there
  --traces           make traces, and keep them in the records
  --traces-endpoint URL, --traces-file FILE
                     make traces, and send them there too: OTLP over HTTP, or lines of OTLP JSON
  --traces-content   with the arguments and results of tools
  --verbose          log more
  --daemon           run detached: no line on stdout, end without session owners
  --lock-file FILE   file that says how the gateway is reached
  --idle-seconds N   how long a daemon stays without session owners, and calls wait for an owner that has gone (${Time.graceMs / 1000})

Of records: --kind KIND, --session ID, --since TIME, --until TIME (such as 2h, 2026-11-28 or 2026-11-28T06:00:00Z), --where '{"tool":"x"}'

Prints one JSON line {"url","tokenFile","ownerSecretFile"}.
`;

runServerProcess(main);
