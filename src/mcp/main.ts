/**
 * MCP in both directions. Without a command, an MCP server on stdio, or on a port of 127.0.0.1 with `--http`, that offers the tools of the
 * gateway's providers. With `provider`, lends the tools of the user's own MCP servers to the gateway. Only the protocol is written to
 * stdout; logs go to stderr.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { taplineHome } from '../base/node/taplineHome.ts';
import { messageOf, UserError, withTimeout } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { stderrLogger } from '../base/node/stderrLogger.ts';
import { named } from '../base/text/quoted.ts';
import { serverArguments } from '../base/server/serverArguments.ts';
import { isToken, TOKEN_RULE } from '../base/server/keptToken.ts';
import { connectOwner } from '../tap/owner/connectOwner.ts';
import { LentServer } from './provider/lentServer.ts';
import { defaultConfigFile, readMcpConfig } from './provider/mcpConfig.ts';
import { safeToolName } from './provider/toolNames.ts';
import { startHttpServer } from './server/http/httpServer.ts';
import { McpSession } from './server/mcpSession.ts';
import { OutputSchemas } from './server/outputSchemas.ts';
import { serveStdio } from './server/stdioServer.ts';
import { UserQuestions } from './server/userQuestions.ts';

declare const TAPLINE_VERSION: string;

const DEFAULT_IDLE_SECONDS = 30 * 60;
const END_TIMEOUT_MS = 10_000;

interface Running {
  close(): Promise<void>;
}

async function main(): Promise<void> {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      http: { type: 'boolean', default: false },
      port: { type: 'string' },
      'idle-seconds': { type: 'string' },
      'allow-paired': { type: 'boolean' },
      config: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (options.help) {
    process.stderr.write(HELP);
    return;
  }
  const [command, ...rest] = positionals;
  if ((command !== undefined && command !== 'provider') || rest.length)
    throw new UserError(`There is no command ${JSON.stringify(positionals.join(' '))}. See --help.`);
  const isProvider = command === 'provider';
  for (const [name, needs, isFine] of [
    ['port', '--http', options.http],
    ['idle-seconds', '--http', options.http],
    ['http', 'no command', !isProvider],
    ['allow-paired', 'no command', !isProvider],
    ['config', 'the command provider', isProvider],
  ] as const)
    if (options[name] !== undefined && options[name] !== false && !isFine) throw new UserError(`--${name} goes with ${needs}. See --help.`);
  const { port, idleMs } = serverArguments(options, { port: 0, idleSeconds: DEFAULT_IDLE_SECONDS });
  const logger = stderrLogger(options.verbose ? 'debug' : 'info');
  let onEnd: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (onEnd = resolve));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onEnd);
  const running = isProvider
    ? await lend(options.config ?? defaultConfigFile(), logger)
    : await serve({ port: options.http ? port : undefined, idleMs, allowPaired: options['allow-paired'] ?? false, logger, onEnd });
  await ended;
  await withTimeout(running.close(), END_TIMEOUT_MS, 'ending');
  process.exit(0);
}

interface ServeOptions {
  /** Undefined for stdio. */
  port: number | undefined;
  idleMs: number;
  allowPaired: boolean;
  logger: Logger;
  /** Called when there is no client to serve any more. */
  onEnd(): void;
}

async function serve({ port, idleMs, allowPaired, logger, onEnd }: ServeOptions): Promise<Running> {
  const script = join(dirname(resolve(process.argv[1] ?? '.')), 'gateway.cjs');
  const owner = connectOwner({ name: 'MCP server', script, version: TAPLINE_VERSION, logger });
  const sessions = new Set<McpSession>();
  const outputs = new OutputSchemas({
    clock: systemClock,
    onLeftOut: ({ name, provider }, why) =>
      logger.warn(`The tool “${name}” of ${named(provider)} is listed without its schema of results: ${why}`),
  });
  const newSession = () => {
    const session = new McpSession({ owner, version: TAPLINE_VERSION, allowPaired, outputs, logger });
    sessions.add(session);
    session.onDidClose(() => sessions.delete(session));
    return session;
  };
  const questions = new UserQuestions(owner, () => sessions, logger);
  const closeOwner = () => {
    questions.dispose();
    outputs.dispose();
    owner.dispose();
  };
  if (port === undefined) {
    const session = newSession();
    await serveStdio(session, onEnd);
    return { close: () => session.close().then(closeOwner) };
  }
  const token = httpToken();
  const server = await startHttpServer({ port, token, idleMs, newSession, logger });
  process.stdout.write(`${JSON.stringify({ url: server.url, token })}\n`);
  return { close: () => server.close().then(closeOwner) };
}

/** `TAPLINE_MCP_TOKEN`, for clients whose settings hold a fixed token. Otherwise a new one. */
function httpToken(): string {
  const given = process.env.TAPLINE_MCP_TOKEN;
  if (!given) return randomBytes(32).toString('base64url');
  if (!isToken(given)) throw new UserError(`TAPLINE_MCP_TOKEN ${TOKEN_RULE}`);
  return given;
}

async function lend(configFile: string, logger: Logger): Promise<Running> {
  const { servers, refused } = await readMcpConfig(configFile);
  for (const why of refused) logger.error(`${configFile}: ${why}. This server is left out.`);
  mkdirSync(taplineHome(), { recursive: true, mode: 0o700 });
  const lent = servers.map((config) => {
    const logFile = join(taplineHome(), `mcp-${safeToolName(config.name)}.log`);
    return new LentServer(config, { version: TAPLINE_VERSION, logFile, logger });
  });
  logger.info(`Lending the tools of ${servers.map(({ name }) => `“${name}”`).join(', ')}, as ${configFile} says`);
  return { close: async () => void (await Promise.all(lent.map((one) => one.close()))) };
}

const HELP = `Tapline and MCP, both ways.

  mcp [options]           an MCP server on stdio that offers the tools of Tapline's gateway
  mcp --http [options]    the same on a port of 127.0.0.1
  mcp provider [options]  lends the tools of your own MCP servers to all sessions of the gateway

  --port N          with --http: the port; 0 takes a free one (0)
  --idle-seconds N  with --http: ends a session after this time without use (${DEFAULT_IDLE_SECONDS})
  --allow-paired    offers the tools of paired web pages without asking
  --config FILE     for provider: the list of servers (mcp.json in TAPLINE_HOME)
  --verbose         log more

With --http it prints one JSON line {"url","token"}. TAPLINE_MCP_TOKEN sets the token, TAPLINE_HOME chooses the gateway.
`;

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
});
