/** The connection to one MCP server of the user. Starts the server, lists its tools, and starts it again with back-off when it ends. */
import { closeSync, openSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  ListToolsResultSchema,
  McpError,
  type Progress,
  type Root,
  type Tool,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { backoffDelay } from '../../base/connection/backoff.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { englishOf, messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { ToolError } from '../../tap/provider/providerErrors.ts';
import { Limit, Time } from '../../tap/wire/limits.ts';
import type { UserAnswer, UserQuestion } from '../../tap/wire/userQuestion.ts';
import { printable } from '../printable.ts';
import { quietValidator } from '../quietValidator.ts';
import { SERVER_NAME } from '../serverInfo.ts';
import { boundedFetch, MAX_MESSAGE_BYTES } from './boundedFetch.ts';
import { type CallResult, callResult } from './callData.ts';
import type { McpServerConfig } from './mcpConfig.ts';
import { ServerLog } from './serverLog.ts';
import { answerServer, capabilitiesFor } from './serverRequests.ts';

/** Long, because `npx` may have to install the server first. */
const START_TIMEOUT_MS = 120_000;
const LIST_TIMEOUT_MS = 30_000;
/** The time that a call may take, which the gateway keeps. It stands still while the user is asked. */
export const CALL_TIMEOUT_MS = 10 * 60_000;
const LONGEST_CALL_MS = CALL_TIMEOUT_MS + Limit.questionsInAll * Time.questionMs;
const BACKOFF = { firstMs: 1_000, longestMs: 60_000 };
/** After a connection that lasted this long, back-off starts from the first delay again. */
const LASTING_MS = 60_000;
const RELIST_MS = 200;
const PING_MS = 30_000;
const PING_TIMEOUT_MS = 10_000;
const MAX_PAGES = 50;

export interface ServerLinkOptions {
  /** Tapline's version. */
  version: string;
  /** Gets what the server logs, and the stderr of one that is a local program. */
  logFile: string;
  logger: Logger;
  clock?: Clock;
  /** From 0 to 1. Spreads the attempts. */
  random?: () => number;
}

/** The server is Tapline's own, whose tools come from the gateway already. */
class OwnServer extends Error {}

export class ServerLink {
  #client: Client | undefined;
  #connectedAt = 0;
  #failures = 0;
  #retry: Disposable | undefined;
  #relist: Disposable | undefined;
  #ping: Disposable | undefined;
  #isClosed = false;
  #lastTrouble = '';
  readonly #clock: Clock;
  readonly #log: ServerLog;
  #roots: Root[] = [];

  /** `onTools` gets all tools of the server when they change, and none while there is no connection. */
  constructor(
    private readonly config: McpServerConfig,
    private readonly options: ServerLinkOptions,
    private readonly onTools: (tools: readonly Tool[]) => void,
    /** Asks the user for the server. */
    private readonly ask: (question: UserQuestion) => Promise<UserAnswer> = () => Promise.resolve({ action: 'decline' }),
  ) {
    this.#clock = options.clock ?? systemClock;
    this.#log = new ServerLog(options.logFile, this.#clock);
    void this.#connect();
  }

  /** Rejects with a {@link ToolError}, also while there is no connection. */
  async call(
    name: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
    onprogress: (progress: Progress) => void,
    traceparent?: string,
  ): Promise<CallResult> {
    const client = this.#client;
    if (!client) throw new ToolError('DISCONNECTED', `The MCP server “${this.config.name}” is not connected`);
    try {
      // Unlike `callTool`, this does not compile an output schema of the server.
      const traced = traceparent === undefined ? {} : { _meta: { traceparent } };
      const request = { method: 'tools/call', params: { name, arguments: args, ...traced } } as const;
      return await client.request(request, callResult, { signal, onprogress, timeout: LONGEST_CALL_MS });
    } catch (error) {
      if ('url' in this.config && !(error instanceof McpError)) void this.#check(client);
      throw this.#toToolError(error);
    }
  }

  /** The folders that the server may ask for. It is told when they are others than before. */
  setRoots(roots: Root[]): void {
    if (JSON.stringify(roots) === JSON.stringify(this.#roots)) return;
    this.#roots = roots;
    if (!this.config.roots) return;
    const client = this.#client;
    if (this.#connectedAt > 0)
      client?.sendRootsListChanged().catch((error: unknown) => this.options.logger.debug(`roots/list_changed: ${englishOf(error)}`));
  }

  /** Ends a server that is a local program, within about four seconds. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#retry?.dispose();
    await this.#leave();
  }

  async #connect(): Promise<void> {
    const { name } = this.config;
    const client = new Client(
      { name: SERVER_NAME, title: 'Tapline', version: this.options.version },
      {
        capabilities: capabilitiesFor(this.config),
        jsonSchemaValidator: quietValidator(),
      },
    );
    this.#client = client;
    client.onerror = (error) => this.options.logger.debug(`the MCP server “${name}”: ${printable(error.message)}`);
    answerServer(client, {
      ...(this.config.roots && { roots: () => this.#roots }),
      ask: this.ask,
      declined: (why) =>
        this.options.logger.warn(
          `“${name}” has asked the user, and nobody was asked, because the question is not valid: ${printable(why)}`,
        ),
      log: (message) => this.#log.add(message),
    });
    client.onclose = () => void this.#lost(client, new Error('it has ended'));
    try {
      await client.connect(this.#transport(client), { timeout: START_TIMEOUT_MS });
      if (client.getServerVersion()?.name === SERVER_NAME)
        throw new OwnServer('it is Tapline’s own server, whose tools are at the gateway already');
      if (this.#client !== client) return;
      this.#connectedAt = this.#clock.now();
      this.#lastTrouble = '';
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#listSoon(client));
      await this.#askForLog(client);
      const tools = await this.#list(client);
      if (this.#client !== client) return;
      this.options.logger.info(`The MCP server “${name}” is connected and has ${tools.length} tools`);
      this.onTools(tools);
      if ('url' in this.config) this.#pingLater(client);
    } catch (error) {
      await this.#lost(client, error);
    }
  }

  #transport(client: Client): Transport {
    if ('url' in this.config) {
      const { url, headers } = this.config;
      return new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers },
        fetch: boundedFetch((error) => void this.#lost(client, error)),
      });
    }
    const { command, args, env, cwd } = this.config;
    const log = openSync(this.options.logFile, 'a', 0o600);
    const transport = new StdioClientTransport({ command, args, env, cwd, stderr: log, maxBufferSize: MAX_MESSAGE_BYTES });
    const start = transport.start.bind(transport);
    transport.start = () => start().finally(() => closeSync(log)); // the server has it by then
    return transport;
  }

  async #askForLog(client: Client): Promise<void> {
    if (!client.getServerCapabilities()?.logging) return;
    try {
      await client.setLoggingLevel('info', { timeout: LIST_TIMEOUT_MS });
    } catch (error) {
      this.options.logger.debug(`the level of the log of “${this.config.name}”: ${printable(englishOf(error))}`);
    }
  }

  async #list(client: Client): Promise<Tool[]> {
    if (!client.getServerCapabilities()?.tools) return [];
    const tools: Tool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const list = await client.request({ method: 'tools/list', params: { cursor } }, ListToolsResultSchema, { timeout: LIST_TIMEOUT_MS });
      for (const tool of list.tools) tools.push(tool);
      cursor = list.nextCursor;
      if (cursor === undefined) return tools;
    }
    throw new Error(`its list of tools has more than ${MAX_PAGES} pages`);
  }

  #listSoon(client: Client): void {
    this.#relist?.dispose();
    this.#relist = this.#clock.setTimer(() => {
      this.#list(client).then(
        (tools) => void (this.#client === client && this.onTools(tools)),
        (error: unknown) => {
          if (this.#client === client)
            this.options.logger.warn(`Listing the tools of “${this.config.name}” again: ${printable(englishOf(error))}`);
        },
      );
    }, RELIST_MS);
  }

  /** Over HTTP nothing else tells that a server has gone. */
  #pingLater(client: Client): void {
    this.#ping = this.#clock.setTimer(
      () => void this.#check(client).then(() => void (this.#client === client && this.#pingLater(client))),
      PING_MS,
    );
  }

  async #check(client: Client): Promise<void> {
    try {
      await client.ping({ timeout: PING_TIMEOUT_MS });
    } catch (error) {
      await this.#lost(client, error);
    }
  }

  async #lost(client: Client, error: unknown): Promise<void> {
    if (this.#client !== client || this.#isClosed) return;
    const lasted = this.#connectedAt > 0 && this.#clock.now() - this.#connectedAt >= LASTING_MS;
    this.#failures = lasted ? 0 : this.#failures + 1;
    const backoff = backoffDelay(Math.max(1, this.#failures), BACKOFF, this.options.random);
    await this.#leave();
    if (this.#isClosed) return;
    const { logger, logFile } = this.options;
    const log = 'url' in this.config ? '' : ` Its output is in ${logFile}.`;
    const what = `The MCP server “${this.config.name}” is not connected: ${printable(whyLost(error))}.${log}`;
    if (error instanceof OwnServer) return logger.error(what);
    // The same error is only logged once.
    if (what === this.#lastTrouble) logger.debug(what);
    else logger.warn(`${what} The next attempt is in ${(backoff / 1000).toFixed(1)} s.`);
    this.#lastTrouble = what;
    this.#retry = this.#clock.setTimer(() => void this.#connect(), backoff);
  }

  async #leave(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#connectedAt = 0;
    this.#relist?.dispose();
    this.#ping?.dispose();
    this.onTools([]);
    await client?.close();
  }

  #toToolError(error: unknown): ToolError {
    const name = `the MCP server “${this.config.name}”`;
    if (!(error instanceof McpError)) return new ToolError('DISCONNECTED', `No answer from ${name}: ${messageOf(error)}`);
    if (error.code === ErrorCode.ConnectionClosed) return new ToolError('DISCONNECTED', `${name} ended during the call`);
    if (error.code === ErrorCode.RequestTimeout) return new ToolError('TIMEOUT', `${name} did not answer in time`);
    return new ToolError('INTERNAL', `${name} refused the call: ${error.message}`);
  }
}

/** Somebody may have written arguments, and a key among them, behind the program. Such a command is not quoted. */
function whyLost(error: unknown): string {
  const { syscall, code, path } = error as NodeJS.ErrnoException;
  if (!syscall?.startsWith('spawn') || (path !== undefined && !/[\s=]/.test(path))) return messageOf(error);
  return `it cannot be started (${code}). “command” is the program alone; its arguments belong into “args”`;
}
