/** Serves providers on a port of 127.0.0.1, to programs that have the token. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { isRecord } from '../base/isRecord.ts';
import type { Logger } from '../base/log.ts';
import { isSame } from '../base/server/challenge.ts';
import { listenHttp } from '../base/server/listenHttp.ts';
import { foreignOrigin, hostProblem } from '../base/server/loopback.ts';
import { bodyText } from '../base/server/requestBody.ts';
import { answerOf, type DialectName } from './dialectMethods.ts';
import type { ServedProvider } from './servedProvider.ts';

/** Bytes, with the whole text of a document. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Clients of ours wait no longer than that. */
const ANSWER_TIMEOUT_MS = 10_000;

type Env = { Bindings: HttpBindings };

export interface OpenCtxServerOptions {
  /** 0 takes a free one. */
  port: number;
  token: string;
  providers: readonly ServedProvider[];
  logger: Logger;
}

/** The addresses of a provider, by dialect. */
export type ServedAddress = { name: string } & Record<DialectName, string>;

export interface OpenCtxServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly providers: readonly ServedAddress[];
  close(): Promise<void>;
}

/** Rejects with the error of `listen`, such as `EADDRINUSE`. */
export async function startOpenCtxServer(options: OpenCtxServerOptions): Promise<OpenCtxServer> {
  const { logger, providers } = options;
  const timeouts = { headersTimeoutMs: HEADERS_TIMEOUT_MS, requestTimeoutMs: REQUEST_TIMEOUT_MS };
  const { server, url } = await listenHttp({ name: 'OpenCtx server', port: options.port, ...timeouts, logger });
  const listener = getRequestListener(appOf(options).fetch, { overrideGlobalObjects: false });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const problem = hostProblem(request);
    if (problem || foreignOrigin(request) !== undefined) response.writeHead(problem ?? 403, { Connection: 'close' }).end();
    else void listener(request, response);
  });
  return {
    url,
    providers: providers.map(({ name, path }) => ({
      name,
      later: `${url}/${path}`,
      // Clients of OpenCtx 0.1 send neither headers nor settings.
      seed: `${url}/0.1/${encodeURIComponent(options.token)}/${path}`,
    })),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function appOf({ token, providers, logger }: OpenCtxServerOptions): Hono<Env> {
  const app = new Hono<Env>();
  const problem = (c: Context<Env>, status: 400 | 401 | 404 | 405 | 413 | 500, message: string) =>
    c.json({ error: { code: status, message } }, status);
  // A parameter takes any word, also the first of a path without a token. So addresses with it come last.
  for (const [dialect, prefix] of [
    ['later', ''],
    ['seed', '/0.1'],
    ['seed', '/0.1/:token'],
  ] as const)
    for (const provider of providers)
      app.all(`${prefix}/${provider.path}`, async (c) => {
        if (c.req.method !== 'POST') return problem(c, 405, 'OpenCtx is spoken with POST.');
        const body = await bodyText(c.req.raw, MAX_BODY_BYTES);
        if (body === undefined) return problem(c, 413, `A request has at most ${MAX_BODY_BYTES} bytes.`);
        const message = parsed(body);
        if (!isRecord(message)) return problem(c, 400, 'The body must be a JSON object.');
        if (!hasToken(c, message, token))
          return problem(
            c,
            401,
            'Send the token as “Authorization: Bearer TOKEN”, as “token” in the settings of the provider, or take the address of 0.1 that was printed.',
          );
        const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
        return c.json(await answerOf(provider, dialect, message, signal, logger));
      });
  app.notFound((c) => problem(c, 404, 'Nothing is here. The server has printed the addresses of its providers.'));
  app.onError((error, c) => {
    logger.error(error);
    return problem(c, 500, 'The server has failed. Its log says why.');
  });
  return app;
}

/** Later clients have no headers to set, and send the settings of a provider with each request. Those of 0.1 send nothing, and have an address with it. */
function hasToken(c: Context<Env>, { settings }: Record<string, unknown>, token: string): boolean {
  const [, bearer] = /^Bearer (\S+)$/i.exec(c.req.header('Authorization') ?? '') ?? [];
  const given = c.req.param('token') ?? bearer ?? (isRecord(settings) ? settings['token'] : undefined);
  return typeof given === 'string' && isSame(given, token);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
