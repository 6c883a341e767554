/** The HTTP server of a portal, on loopback. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { listenHttp } from '../../base/server/listenHttp.ts';
import { bodyText } from '../../base/server/requestBody.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { Access, needsToken, type Refusal } from '../door/access.ts';
import { askPageDoor, pageDoorPaths } from '../door/pageDoor.ts';
import { requestTarget } from '../door/requestTarget.ts';
import type { OpenPage } from '../pages/openPage.ts';
import type { WatchedGateway } from '../pages/towerPage.ts';
import { portalPages } from '../pages/portalPages.ts';
import type { Portal } from '../portal.ts';
import { OPENING } from '../../views/portal/wire/pageSessionWire.ts';
import { type PageName, pagePaths, SOCKET } from '../../views/portal/wire/pageWire.ts';
import { StoreUnavailableError } from '../store/sharedStore.ts';
import { noQuery, type PortalContext, type PortalEnv, problemAnswer } from './routeAnswers.ts';
import { addApiRoutes, type ApiRoutesOptions } from './apiRoutes.ts';
import type { EndStreams } from './attentionHandlers.ts';
import { PageSockets } from '../pages/pageSocket.ts';
import { addPages, type PagesOptions } from './pages/pages.ts';

export const MAX_BODY_BYTES = 4 * 1024 * 1024;
const HEADERS_TIMEOUT_MS = 5_000;
/** For the whole request with its body, and not for the answer. */
const REQUEST_TIMEOUT_MS = 30_000;

/** For every answer: nothing is kept by a browser, and nothing is taken for what it is not. */
const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };

export interface PortalServerOptions extends Pick<ApiRoutesOptions, 'repoRoot' | 'testFolder' | 'onStop'>, PagesOptions {
  portal: Portal;
  /** 0: any free one. */
  port: number;
  /** Whoever can reach the port may use the portal. */
  withoutToken?: boolean;
  /** One that stays the same over restarts. Absent: a new one. */
  token?: string;
  logger: Logger;
  clock?: Clock;
  /** Looks at the gateway of this user, for pages that need a token. Absent: no page sees what is there. */
  gateway?: () => WatchedGateway;
  /** See `ListenHttpOptions`. */
  headersTimeoutMs?: number;
}

export class PortalServer {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly #access: Access;
  readonly #server: Server;
  #endStreams: EndStreams = async () => undefined;
  #sockets: PageSockets | undefined;

  private constructor({ server, port, url }: { server: Server; port: number; url: string }, access: Access) {
    this.#server = server;
    this.#access = access;
    this.port = port;
    this.url = url;
  }

  /** Rejects with the error of `listen` (`EADDRINUSE`) when the port cannot be had. */
  static async listen(options: PortalServerOptions): Promise<PortalServer> {
    const access = new Access(options.withoutToken === true, options.token, options.clock);
    const { port, logger, headersTimeoutMs = HEADERS_TIMEOUT_MS } = options;
    const timeouts = { headersTimeoutMs, requestTimeoutMs: REQUEST_TIMEOUT_MS };
    const listening = await listenHttp({ name: 'portal’s server', port, hasUpgrades: true, ...timeouts, logger });
    const { server } = listening;
    const portal = new PortalServer(listening, access);
    const { app, paths } = portal.#app(options);
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      const target = requestTarget(request.url ?? '');
      const refusal = access.originRefusal(request, target !== undefined && paths.has(target.path));
      if (refusal || !target) return refuse(response, refusal ?? wrongPath);
      // What was judged is what is routed.
      request.url = target.path + target.query;
      return void listener(request, response);
    });
    const open = portalPages({
      ...{ hosts: options.portal.hosts, attention: options.portal.attention, logger, clock: options.clock ?? systemClock },
      gateway: options.withoutToken ? undefined : options.gateway,
    });
    const pages = new Map<string, OpenPage>(Object.entries(open).map(([name, page]) => [`${pagePaths[name as PageName]}/${SOCKET}`, page]));
    portal.#sockets = new PageSockets(server, listening.port, { access, pages, clock: options.clock ?? systemClock, logger });
    return portal;
  }

  /** Goes into `Authorization: Bearer`, or into the query of the page that is opened first. Undefined: none is needed. Never log it. */
  get token(): string | undefined {
    return this.#access.token;
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#sockets?.close();
    await this.#endStreams();
    this.#server.closeAllConnections();
    await closed;
  }

  #app(options: PortalServerOptions): { app: Hono<PortalEnv>; paths: ReadonlySet<string> } {
    const app = new Hono<PortalEnv>();
    const access = this.#access;
    let paths: ReadonlySet<string> = new Set();
    app.use(async (c, next) => {
      // A HEAD of the live interface would lose what it read.
      if (!['GET', 'POST'].includes(c.req.method)) return problemAnswer(405, 'MethodNotAllowed', 'Use GET or POST.');
      const given = c.req.path === '/' ? c.req.query('token') : undefined;
      if (given !== undefined && access.sessions) {
        if (!access.isToken(given)) return refused(needsToken);
        // The token leaves the address, so that it is neither bookmarked nor shared. What stands there instead is good once.
        return c.redirect(`/?${OPENING}=${access.sessions.offer()}`, 303);
      }
      // The files of pages are the same everywhere. What they show comes later, with a session.
      if (paths.has(c.req.path) || pageDoorPaths.has(c.req.path)) return next();
      const refusal = access.tokenRefusal(c.env.incoming, this.port);
      if (refusal) return refused(refusal);
      if (c.req.path.startsWith('/api/')) noQuery(c);
      return next();
    });
    app.use(async (c, next) => {
      const body = await bodyText(c.req.raw, MAX_BODY_BYTES);
      if (body === undefined) return problemAnswer(413, 'BodyTooLarge', `At most ${MAX_BODY_BYTES} bytes.`);
      c.set('body', body);
      return next();
    });
    app.on('POST', [...pageDoorPaths], (c) => {
      const said = askPageDoor(access, this.port, c.req.path, c.env.incoming, c.get('body'));
      if ('refusal' in said) return refused(said.refusal);
      return said.answer ? c.json(said.answer) : c.body(null, 204);
    });
    const changeRefusal = (c: PortalContext) => access.changeRefusal(c.env.incoming);
    this.#endStreams = addApiRoutes(app, options.portal, { clock: systemClock, changeRefusal, ...options });
    paths = addPages(app, options);
    app.onError((error) => {
      if (error instanceof HTTPException) return error.getResponse();
      if (error instanceof StoreUnavailableError) return problemAnswer(503, 'StoreUnavailable', error.message);
      options.logger.error(error);
      return problemAnswer(500, 'InternalError', 'The portal has failed. Its log says why.');
    });
    return { app, paths };
  }
}

const wrongPath: Refusal = { status: 400, error: 'BadRequest', message: 'The path can be read in more than one way.' };

const refused = ({ status, error, message }: Refusal) => problemAnswer(status, error, message);

function refuse(response: ServerResponse, { status, error, message }: Refusal): void {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' }).end(JSON.stringify({ error, message }));
}
