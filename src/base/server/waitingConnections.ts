import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps at most `max` connections that have no request in progress: that say nothing, or are still sending their headers. Of more, the one
 * that has waited longest ends. So a peer that opens many does not keep others out, as a limit for all connections would.
 * `hasUpgrades`: whoever starts the server takes them. Otherwise Node answers them like other requests.
 */
export function boundWaiting(server: Server, max: number, hasUpgrades: boolean): void {
  /** The one that has waited longest comes first. */
  const waiting = new Set<Socket>();
  /** Requests in progress. One connection may send the next before it has the answer. */
  const requests = new WeakMap<Socket, number>();
  const wait = (socket: Socket) => {
    waiting.add(socket);
    for (const longest of waiting) {
      if (waiting.size <= max) break;
      waiting.delete(longest);
      longest.destroy();
    }
  };
  server.on('connection', (socket: Socket) => {
    wait(socket);
    socket.once('close', () => waiting.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    waiting.delete(socket);
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (requests.get(socket) ?? 1) - 1;
      requests.set(socket, left);
      if (left === 0 && !socket.destroyed) wait(socket);
    });
  });
  // A WebSocket has limits of its own.
  if (hasUpgrades) server.on('upgrade', ({ socket }: IncomingMessage) => waiting.delete(socket));
}
