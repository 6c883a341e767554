/** MCP over streamable HTTP, on a port of 127.0.0.1 that takes requests with the token. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSame } from '../../../base/server/challenge.ts';
import { englishOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import { listenHttp } from '../../../base/server/listenHttp.ts';
import { foreignOrigin, hostProblem, REFUSED_NAME } from '../../../base/server/loopback.ts';
import { HeldSessions, MAX_SESSIONS } from './heldSessions.ts';
import type { McpSession } from '../mcpSession.ts';

const PATH = '/mcp';
/** Bytes. The gateway accepts 2 MiB of arguments. */
const MAX_BODY = 4 * 1024 * 1024;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 30_000;

export interface HttpServerOptions {
  /** 0 takes a free one. */
  port: number;
  token: string;
  /** A session ends after this time without a request or an open stream. */
  idleMs: number;
  newSession(): McpSession;
  logger: Logger;
  /** See `ListenHttpOptions`. */
  headersTimeoutMs?: number;
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

const allInUse: Refusal = { status: 503, message: `${MAX_SESSIONS} sessions are in use` };

/** Rejects with the error of `listen`, such as `EADDRINUSE`. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { token, idleMs, newSession, logger, headersTimeoutMs = HEADERS_TIMEOUT_MS } = options;
  const timeouts = { headersTimeoutMs, requestTimeoutMs: REQUEST_TIMEOUT_MS };
  const { server, url } = await listenHttp({ name: 'MCP server', port: options.port, ...timeouts, logger });
  const sessions = new HeldSessions({ maxBody: MAX_BODY, idleMs, newSession, logger });

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const refusal = refusalOf(request, token);
    if (refusal) return refuse(request, response, refusal);
    const id = request.headers['mcp-session-id'];
    const one = id === undefined ? await sessions.open() : sessions.find(String(id));
    if (!one) return refuse(request, response, id === undefined ? allInUse : { status: 404, message: 'Session not found' });
    sessions.use(one, response);
    await one.transport.answer(request, response);
  };
  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      logger.error(`answering an MCP request: ${englishOf(error)}`);
      if (response.headersSent) response.destroy();
      else refuse(request, response, { status: 500, message: 'Internal error' });
    });
  });

  return {
    url: url + PATH,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await sessions.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** `Host` comes first, so that a rebound page learns nothing else. */
function refusalOf(request: IncomingMessage, token: string): Refusal | undefined {
  const { headers, url } = request;
  const problem = hostProblem(request);
  if (problem) return { status: problem, message: problem === 400 ? 'There must be one Host' : REFUSED_NAME };
  if (foreignOrigin(request) !== undefined) return { status: 403, message: 'No web page is served' };
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
