/** Another program on a port of this computer. It pretends to be the server that a client expects there, and records everything that it receives. */
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface ImpostorOptions {
  /** 0: any free one. */
  port?: number;
  /** The real server's: what it is asked is passed on there, and the answers back. */
  relayTo?: number;
  /** What it says to a message of each type; nothing to others. */
  answers?: Record<string, object>;
}

export class Impostor {
  #heard = '';
  #asked = 0;
  readonly #sockets = new Set<WebSocket>();

  static async start({ port = 0, relayTo, answers = {} }: ImpostorOptions = {}): Promise<Impostor> {
    const server = createServer();
    const impostor = new Impostor(server, answers, relayTo);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    return impostor;
  }

  private constructor(
    private readonly server: Server,
    private readonly answers: Record<string, object>,
    private readonly relayTo: number | undefined,
  ) {
    const webSockets = new WebSocketServer({ noServer: true });
    server.on('request', async (asked, response) => {
      this.#hear(asked);
      asked.on('data', (chunk) => (this.#heard += String(chunk)));
      response.writeHead(200, { Connection: 'close', ...(await this.#passedOn(asked)) }).end('{"retired":false}');
    });
    server.on('upgrade', async (asked, socket, head) => {
      this.#hear(asked);
      const headers = await this.#passedOn(asked);
      webSockets.once('headers', (lines) => lines.push(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)));
      webSockets.handleUpgrade(asked, socket, head, (webSocket) => {
        this.#sockets.add(webSocket);
        webSocket.on('error', () => undefined); // the client goes as it likes
        webSocket.on('message', (data) => {
          this.#heard += String(data);
          const answer = this.answers[(JSON.parse(String(data)) as { type: string }).type];
          if (answer) webSocket.send(JSON.stringify(answer));
        });
      });
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }
  get url(): string {
    return `ws://127.0.0.1:${this.port}`;
  }
  /** How many requests came. */
  get asked(): number {
    return this.#asked;
  }
  /** Heads of requests, bodies and messages. */
  get heard(): string {
    return this.#heard;
  }
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #hear({ method, url, rawHeaders }: IncomingMessage): void {
    this.#asked++;
    this.#heard += `${method} ${url} ${rawHeaders.join(' ')}\n`;
  }

  /** The headers with which the real server answers that. */
  async #passedOn({ method, url, headers }: IncomingMessage): Promise<Record<string, string>> {
    const { relayTo } = this;
    if (relayTo === undefined) return {};
    return new Promise((resolve, reject) => {
      const passed = request({
        host: '127.0.0.1',
        port: relayTo,
        method,
        path: url,
        headers: { ...headers, host: `127.0.0.1:${relayTo}` },
      });
      const answer = ({ headers: answered }: IncomingMessage) => {
        passed.destroy();
        const proof = answered['tapline-proof'];
        resolve(proof === undefined ? {} : { 'Tapline-Proof': String(proof) });
      };
      passed.once('response', answer);
      passed.once('upgrade', answer);
      passed.once('error', reject);
      passed.end();
    });
  }
}
