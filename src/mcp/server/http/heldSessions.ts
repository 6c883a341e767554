/** The sessions of the clients of the HTTP server. They are bounded, and one client does not take those of all others. */
import type { ServerResponse } from 'node:http';
import { isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { systemClock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { Logger } from '../../../base/log.ts';
import { printable } from '../../printable.ts';
import type { McpSession } from '../mcpSession.ts';
import { ResumableTransport } from './resumableTransport.ts';

export const MAX_SESSIONS = 50;
/** All clients have the same token, so a client is known by what it calls itself. */
export const MAX_OF_CLIENT = 25;
const NAME_LENGTH = 100;
const REFUSED = -32000;

export interface HeldSessionsOptions {
  /** Bytes of a request. */
  maxBody: number;
  /** A session ends after this time without a request or an open stream. */
  idleMs: number;
  newSession(): McpSession;
  logger: Logger;
}

export interface HeldSession {
  readonly session: McpSession;
  readonly transport: ResumableTransport;
  /** What the client calls itself. Undefined until it has sent `initialize`. */
  client: string | undefined;
  /** The client has said that it has the answer to `initialize`. */
  isReady: boolean;
  /** The requests and streams that have not ended. */
  readonly open: Set<ServerResponse>;
  idle: Disposable | undefined;
}

export class HeldSessions {
  /** The one that was used last comes last. */
  readonly #held = new Set<HeldSession>();

  constructor(private readonly options: HeldSessionsOptions) {}

  find(id: string): HeldSession | undefined {
    return [...this.#held].find(({ transport }) => transport.sessionId === id);
  }

  /** A new one, for which another makes room where there are too many. Undefined: all are in use. */
  async open(): Promise<HeldSession | undefined> {
    if (this.#held.size >= MAX_SESSIONS && !this.#makeRoom([...this.#held])) return undefined;
    const transport = new ResumableTransport(this.options.maxBody);
    const one: HeldSession = {
      session: this.options.newSession(),
      transport,
      client: undefined,
      isReady: false,
      open: new Set(),
      idle: undefined,
    };
    this.#held.add(one);
    one.session.onDidClose(() => this.#forget(one));
    await one.session.connect(transport);
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      const problem = this.#problemOf(one, message);
      if (problem === undefined) return onmessage?.(message, extra);
      const refused = transport.send({ jsonrpc: '2.0', id: problem.id, error: { code: REFUSED, message: problem.message } });
      void refused.catch(() => undefined).then(() => one.session.close());
    };
    return one;
  }

  /** For the time of a request, or of the stream that answers it. */
  use(one: HeldSession, response: ServerResponse): void {
    one.open.add(response);
    one.idle?.dispose();
    this.#touch(one);
    response.once('close', () => {
      one.open.delete(response);
      if (!this.#held.has(one)) return;
      this.#touch(one);
      // The request did not initialize a session.
      if (one.transport.sessionId === undefined) void one.session.close();
      else if (one.open.size === 0) one.idle = systemClock.setTimer(() => void one.session.close(), this.options.idleMs);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#held].map(({ session }) => session.close()));
  }

  /** Why a client gets no session. Takes note of what it says of itself. */
  #problemOf(one: HeldSession, message: JSONRPCMessage): { id: string | number; message: string } | undefined {
    if ('method' in message && message.method === 'notifications/initialized') one.isReady = true;
    if (one.client !== undefined || !isInitializeRequest(message)) return undefined;
    const client = printable(message.params.clientInfo.name, NAME_LENGTH);
    const others = [...this.#held].filter((other) => other.client === client);
    one.client = client;
    if (others.length < MAX_OF_CLIENT || this.#makeRoom(others)) return undefined;
    this.options.logger.warn(`“${client}” gets no more sessions: ${MAX_OF_CLIENT} are in use`);
    // The transport has taken it for a request with an id.
    const { id } = message as unknown as { id: string | number };
    return { id, message: `${MAX_OF_CLIENT} sessions of “${client}” are in use. End one of them first.` };
  }

  /**
   * Ends one of these that is not in use: first one that has not sent `initialize`, even if it is still sending, then one whose client
   * never took the answer, then the one that was not used for longest. Many clients leave without ending their session.
   */
  #makeRoom(among: readonly HeldSession[]): boolean {
    const unused = among.filter(({ open }) => open.size === 0);
    const given = among.find(({ client }) => client === undefined) ?? unused.find(({ isReady }) => !isReady) ?? unused[0];
    if (!given) return false;
    this.options.logger.info(`A session of “${given.client ?? 'an unknown client'}” has made room for another one`);
    this.#forget(given);
    void given.session.close();
    // What was still being sent is not waited for.
    for (const response of given.open) response.destroy();
    return true;
  }

  #touch(one: HeldSession): void {
    if (this.#held.delete(one)) this.#held.add(one);
  }

  #forget(one: HeldSession): void {
    one.idle?.dispose();
    this.#held.delete(one);
  }
}
