/**
 * How a client and a server on this computer show each other that they know the same secret, and neither says it. The client's request
 * carries a nonce and the client's proof, the answer carries the server's proof; both are HMACs of the nonce. They hold the address that
 * the connection goes to: a stranger who passes a request on to the real server, on another port, gets a proof that fits nowhere. The
 * server needs no nonce of its own. Each run of it has a new secret, so a client's proof is worth something at the address of that very
 * process only.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { WebSocketServer } from 'ws';
import { isLoopbackHost } from './loopback.ts';

/** `<key id>.<nonce>`: which secret the client means, by the beginning of its key. */
const CHALLENGE = /^([0-9a-f]{16})\.([\w-]{43})$/;
const CHALLENGE_HEADER = 'Tapline-Challenge';
const PROOF_HEADER = 'Tapline-Proof';
/** For `Authorization`. */
const SCHEME = 'Tapline';

/** What listens there is not who was meant: a stranger on the port of a process that has ended, or a server with another secret. */
export class UnprovenListener extends Error {
  override readonly name = 'UnprovenListener';
}

/** Stands for a secret where it must not be kept itself, and makes its proofs: SHA-256, in hex. */
export function keyOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** In constant time; hashing first makes the lengths equal. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The client's side, for one request. */
export class Challenge {
  readonly #key: string;
  readonly #nonce = randomBytes(32).toString('base64url');
  /** Where the request has gone. */
  #address = '';

  constructor(secret: string) {
    if (!secret) throw new Error('there is no secret to prove'); // what everybody knows proves nothing
    this.#key = keyOf(secret);
  }

  /**
   * Ends the request, with challenge and proof, as soon as it is connected. An upgrade that the listener grants without its proof fails with
   * an {@link UnprovenListener}, before anything else hears of it. Any other answer is for {@link isMetBy}. Fits `finishRequest` of `ws`.
   */
  send(request: ClientRequest): void {
    request.once('socket', (socket) => {
      const say = () => {
        this.#address = addressOf(socket.remoteAddress, socket.remotePort);
        request.setHeader(CHALLENGE_HEADER, `${this.#key.slice(0, 16)}.${this.#nonce}`);
        request.setHeader('Authorization', `${SCHEME} ${proofOf(this.#key, 'client', this.#address, this.#nonce)}`);
        request.end();
      };
      if (socket.connecting) socket.once('connect', say);
      else say();
    });
    request.prependListener('upgrade', (response, socket) => {
      if (this.isMetBy(response)) return;
      socket.destroy();
      request.emit(
        'error',
        new UnprovenListener(`what listens on ${this.#address} did not prove to be who was meant; it was told nothing`),
      );
    });
  }

  isMetBy({ headers }: IncomingMessage): boolean {
    const proof = headers[PROOF_HEADER.toLowerCase()];
    return typeof proof === 'string' && isSame(proof, proofOf(this.#key, 'server', this.#address, this.#nonce));
  }
}

/** The key of that beginning, among those that a server has; undefined for any other. */
export type FindKey = (id: string) => string | undefined;

export function onlyKey(secret: string): FindKey {
  const key = keyOf(secret);
  return (id) => (key.startsWith(id) ? key : undefined);
}

/** The server's side: headers for the answer to a request, its proof where it was asked for one that it can give. */
export function proofHeaders(request: IncomingMessage, findKey: FindKey): Record<string, string> {
  const asked = challengeOf(request, findKey);
  return asked ? { [PROOF_HEADER]: proofOf(asked.key, 'server', asked.address, asked.nonce) } : {};
}

/** The same on the 101 of every WebSocket that this server opens. */
export function proveOnUpgrade(webSockets: WebSocketServer, findKey: FindKey): void {
  webSockets.on('headers', (headers, request) => {
    for (const [name, value] of Object.entries(proofHeaders(request, findKey))) headers.push(`${name}: ${value}`);
  });
}

/** The client has proved that it knows the secret of that key. */
export function isProven(request: IncomingMessage, findKey: FindKey): boolean {
  const asked = challengeOf(request, findKey);
  const given = new RegExp(`^${SCHEME} (\\S+)$`).exec(request.headers.authorization ?? '')?.[1];
  return asked !== undefined && given !== undefined && isSame(given, proofOf(asked.key, 'client', asked.address, asked.nonce));
}

function challengeOf({ headers, socket }: IncomingMessage, findKey: FindKey) {
  if (!isLoopbackHost(headers.host, Number(socket.localPort))) return undefined; // a page that was rebound to us
  const [, id, nonce] = CHALLENGE.exec(String(headers[CHALLENGE_HEADER.toLowerCase()])) ?? [];
  const key = id === undefined ? undefined : findKey(id);
  return key === undefined || nonce === undefined ? undefined : { key, nonce, address: addressOf(socket.localAddress, socket.localPort) };
}

const addressOf = (address: string | undefined, port: number | undefined) => `${address}:${port}`;

function proofOf(key: string, role: 'client' | 'server', address: string, nonce: string): string {
  return createHmac('sha256', key).update(`${role} ${address} ${nonce}`).digest('base64url');
}
