/** MCP over streamable HTTP, on a port of 127.0.0.1 that takes requests with the token. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isSame } from '../../base/server/challenge.ts';
import { systemClock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { listenHttp } from '../../base/server/listenHttp.ts';
import { foreignOrigin, hostProblem } from '../../base/server/loopback.ts';
import type { McpSession } from './mcpSession.ts';

const PATH = '/mcp';
/** Bytes. The gateway accepts 2 MiB of arguments. */
const MAX_BODY = 4 * 1024 * 1024;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_SESSIONS = 50;

export interface HttpServerOptions {
  /** 0 takes a free one. */
  port: number;
  token: string;
  /** A session ends after this time without a request or an open stream. */
  idleMs: number;
  newSession(): McpSession;
  logger: Logger;
}

export interface HttpServer {
  /** `http://127.0.0.1:<port>/mcp` */
  readonly url: string;
  close(): Promise<void>;
}

/** The answer to a request that is refused. */
interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

interface HeldSession {
  readonly session: McpSession;
  readonly transport: StreamableHTTPServerTransport;
  /** The number of requests and streams that have not ended. */
  open: number;
  idle: Disposable | undefined;
}

/** Rejects with the error of `listen`, such as `EADDRINUSE`. */
export async function startHttpServer({ port: wanted, token, idleMs, newSession, logger }: HttpServerOptions): Promise<HttpServer> {
  const timeouts = { headersTimeoutMs: HEADERS_TIMEOUT_MS, requestTimeoutMs: REQUEST_TIMEOUT_MS };
  const { server, port, url } = await listenHttp({ name: 'MCP server', port: wanted, ...timeouts, logger });
  /** The one that was used last comes last. */
  const held = new Set<HeldSession>();

  const openSession = async (): Promise<HeldSession> => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, maxRequestBodySize: MAX_BODY });
    const one: HeldSession = { session: newSession(), transport, open: 0, idle: undefined };
    held.add(one);
    one.session.onDidClose(() => {
      one.idle?.dispose();
      held.delete(one);
    });
    await one.session.connect(transport);
    return one;
  };
  /** Many clients leave without ending their session, so the one that has not been used for longest makes room. */
  const makeRoom = async (): Promise<boolean> => {
    if (held.size < MAX_SESSIONS) return true;
    const unused = [...held].find(({ open }) => open === 0);
    await unused?.session.close();
    return unused !== undefined;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const refusal = refusalOf(request, port, token);
    if (refusal) return refuse(request, response, refusal);
    const id = request.headers['mcp-session-id'];
    if (id === undefined && !(await makeRoom()))
      return refuse(request, response, { status: 503, message: `${MAX_SESSIONS} sessions are in use` });
    const one = id === undefined ? await openSession() : [...held].find(({ transport }) => transport.sessionId === id);
    if (!one) return refuse(request, response, { status: 404, message: 'Session not found' });
    one.open++;
    one.idle?.dispose();
    held.delete(one);
    held.add(one);
    response.once('close', () => {
      one.open--;
      if (!held.has(one)) return;
      // The request did not initialize a session.
      if (one.transport.sessionId === undefined) void one.session.close();
      else if (one.open === 0) one.idle = systemClock.setTimer(() => void one.session.close(), idleMs);
    });
    await one.transport.handleRequest(request, response);
  };
  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      logger.error(`answering an MCP request: ${messageOf(error)}`);
      if (response.headersSent) response.destroy();
      else refuse(request, response, { status: 500, message: 'Internal error' });
    });
  });

  return {
    url: url + PATH,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([...held].map(({ session }) => session.close()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** `Host` comes first, so that a rebound page learns nothing else. */
function refusalOf(request: IncomingMessage, port: number, token: string): Refusal | undefined {
  const { headers, url } = request;
  const problem = hostProblem(request, port);
  if (problem) return { status: problem, message: problem === 400 ? 'There must be one Host' : 'This Host is not served' };
  if (foreignOrigin(request, port) !== undefined) return { status: 403, message: 'No web page is served' };
  const given = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (given === undefined || !isSame(given, token))
    return { status: 401, message: 'The token is missing or wrong', headers: { 'WWW-Authenticate': 'Bearer' } };
  return (url ?? '').split('?', 1)[0] === PATH ? undefined : { status: 404, message: `MCP is served at ${PATH}` };
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, message, headers }: Refusal): void {
  request.resume();
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null });
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close', ...headers }).end(body);
}
