/** The WebSockets of the portal's pages. Each is the port of one page, and ends with it. */
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../base/clock.ts';
import { englishOf } from '../../base/errors.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { PeerSocket } from '../../base/server/socket/peerSocket.ts';
import { fromPage, PAGE_NOT_FOUND, MAX_PAGE_MESSAGE_BYTES, SIGN_OF_LIFE_MS, type ToPage } from '../../views/portal/wire/pageWire.ts';
import { PAGE_PROTOCOL } from '../../views/portal/wire/pageSessionWire.ts';
import type { Access } from '../door/access.ts';
import type { OpenPage, SocketPagePort } from './openPage.ts';
import { requestTarget } from '../door/requestTarget.ts';

export const MAX_SOCKETS = 64;
/** Bytes that wait for a page. It gets lists one after the other, so more wait only where one list is that long. */
const MAX_BUFFERED = 64 * 1024 * 1024;
/** A page of a person sends a few messages a second, and some dozens when it is shown. */
export const MAX_MESSAGES = 1_000;
const PER_MS = 10_000;

export const PageClose = {
  BadMessage: 4000,
  TooMany: 4001,
  TooSlow: 4002,
  Unresponsive: 4003,
  NotFound: PAGE_NOT_FOUND,
  Failed: 4005,
} as const;

export interface PageSocketsOptions {
  access: Access;
  /** By the path of the WebSocket. */
  pages: ReadonlyMap<string, OpenPage>;
  clock: Clock;
  logger: Logger;
}

export class PageSockets {
  readonly #options: PageSocketsOptions;
  readonly #port: number;
  readonly #webSockets = new WebSocketServer({
    ...{ noServer: true, perMessageDeflate: false, clientTracking: false, maxPayload: MAX_PAGE_MESSAGE_BYTES },
    // What comes after its name is the session of the page, and is not said again.
    handleProtocols: (given) => given.has(PAGE_PROTOCOL) && PAGE_PROTOCOL,
  });
  readonly #open = new Set<WebSocket>();

  constructor(server: Server, port: number, options: PageSocketsOptions) {
    this.#options = options;
    this.#port = port;
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => this.#upgrade(request, socket, head));
  }

  close(): void {
    for (const socket of this.#open) socket.terminate();
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { access, pages, logger } = this.#options;
    const onError = (error: Error) => logger.debug(`a page that was not open yet: ${englishOf(error)}`);
    socket.on('error', onError);
    const refuse = (status: number) => {
      const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Connection: close', 'Content-Length: 0'];
      socket.end(`${lines.join('\r\n')}\r\n\r\n`, () => socket.destroy());
    };
    const target = requestTarget(request.url ?? '');
    // What was judged is what is opened.
    const open = target && pages.get(target.path);
    const refusal = access.socketRefusal(request, this.#port);
    if (refusal) return refuse(refusal.status);
    if (!open) return refuse(404);
    if (this.#open.size >= MAX_SOCKETS) return refuse(503);
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      socket.off('error', onError);
      this.#open.add(webSocket);
      webSocket.once('close', () => this.#open.delete(webSocket));
      this.#accept(webSocket, socket, (port) => open(new URLSearchParams(target.query), port));
    });
  }

  #accept(webSocket: WebSocket, stream: Duplex, open: (port: SocketPagePort) => Disposable | undefined): void {
    const { clock, logger } = this.#options;
    const listeners = new Set<(value: unknown) => void>();
    let received = 0;
    let since = clock.now();
    const peer = new PeerSocket(webSocket, {
      ...{ stream, clock, logger, who: 'a page of the portal', maxBuffered: MAX_BUFFERED, closeCodes: PageClose },
      onMessage: (data, isBinary) => {
        if (clock.now() - since > PER_MS) [received, since] = [0, clock.now()];
        if (++received > MAX_MESSAGES) return peer.close(PageClose.TooMany, 'too many messages');
        const given = isBinary ? undefined : parsed(data);
        if (!given) return peer.close(PageClose.BadMessage, 'this is no message of a page');
        try {
          for (const listener of listeners) listener(given.message);
        } catch (error) {
          return failed(error);
        }
        return tell({ seen: given.n });
      },
      onEnd: () => {
        life.dispose();
        host?.dispose();
        host = undefined;
      },
    });
    const tell = (told: ToPage) => peer.send(JSON.stringify(told));
    const port: SocketPagePort = {
      tell,
      post: (messages) => peer.sendWhole(JSON.stringify({ messages } satisfies ToPage)),
      end: (reason) => peer.close(PageClose.NotFound, reason),
      onMessage(listener) {
        listeners.add(listener);
        return toDisposable(() => listeners.delete(listener));
      },
    };
    // Whatever a page has asked for, the portal and its other pages go on.
    const failed = (error: unknown) => {
      logger.error(`A page of the portal has failed: ${englishOf(error)}`);
      peer.close(PageClose.Failed, 'the page has failed');
    };
    const signOfLife = () => {
      tell({});
      life = clock.setTimer(signOfLife, SIGN_OF_LIFE_MS);
    };
    let life = clock.setTimer(signOfLife, SIGN_OF_LIFE_MS);
    let host: Disposable | undefined;
    try {
      host = open(port);
    } catch (error) {
      return failed(error);
    }
    if (!host) peer.close(PageClose.NotFound, 'there is no such page');
  }
}

function parsed(data: unknown): { n: number; message: unknown } | undefined {
  try {
    const { data: given } = fromPage.safeParse(JSON.parse(String(data)));
    return given && { n: given.n, message: given.message };
  } catch {
    return undefined;
  }
}
