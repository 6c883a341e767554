/** The host as the clients of one era see it. A connection belongs to one face from its handshake on. */
import type { Client } from './state/clients.ts';

export interface Face {
  /** Rejects a client with an `RpcError`. `makeClient` is called when the handshake succeeds. */
  initialize(params: unknown, makeClient: (clientId: string) => Client): unknown;
  /** The same, for a client that comes back. */
  reconnect(params: unknown, makeClient: (clientId: string) => Client): unknown;
  /** Runs a command. Rejects with an `RpcError` for everything that the client can know about. */
  run(method: string, params: unknown, client: Client): unknown;
  /** Takes a notification. Returns what is wrong with it, for the log: the sender gets no response. */
  receive(method: string, params: unknown, client: Client): string | undefined;
  /** The connection has ended. */
  leave(client: Client): void;
}
