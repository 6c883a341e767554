/**
 * How a client and a server on this computer prove to each other that they know a secret, without sending it. The request carries a nonce
 * and the client's proof, the response carries the server's proof. A proof is an HMAC of the nonce and the address of the connection. So a
 * program that passes a request on to the real server, on another port, gets a proof that is worth nothing.
 *
 * The server needs no nonce where it asks for a client's proof: each run of it has a new secret there, so a proof can be replayed to that very process
 * only. The token of providers, which may outlive a gateway, is not proved by them.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { WebSocketServer } from 'ws';
import { WordedError } from '../errors.ts';
import { sha256 } from '../node/sha256.ts';
import { phrase } from '../text/phrase.ts';
import { hostProblem } from './loopback.ts';

/** `<key id>.<nonce>`. The key id is the beginning of the key, and says which secret the client means. */
const CHALLENGE = /^([0-9a-f]{16})\.([\w-]{43})$/;
const CHALLENGE_HEADER = 'Tapline-Challenge';
const PROOF_HEADER = 'Tapline-Proof';
/** The scheme in `Authorization`. */
const SCHEME = 'Tapline';

/** The listener is not the one that was meant: it is another program on the port of a process that has ended, or has another secret. */
export class UnprovenListener extends WordedError {
  override readonly name = 'UnprovenListener';
}

/** The key of a secret: its SHA-256 in hex. Makes the proofs, and stands for the secret where that must not be kept. */
export function keyOf(secret: string): string {
  return sha256(secret);
}

/** Compares in constant time. Hashing makes the lengths equal. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The client's side, for one request. */
export class Challenge {
  readonly #key: string;
  readonly #nonce = randomBytes(32).toString('base64url');
  /** The address that the request was sent to. */
  #address = '';

  constructor(secret: string) {
    if (!secret) throw new Error('there is no secret to prove'); // An empty secret would prove nothing.
    this.#key = keyOf(secret);
  }

  /**
   * Ends the request, with challenge and proof, as soon as it is connected. Fits `finishRequest` of `ws`. When the listener accepts an
   * upgrade without its proof, the request fails with an {@link UnprovenListener} before any other listener is called. For other responses
   * use {@link isMetBy}.
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
        new UnprovenListener(phrase`what listens on ${this.#address} did not prove to be who was meant; it was told nothing`),
      );
    });
  }

  isMetBy({ headers }: IncomingMessage): boolean {
    const proof = headers[PROOF_HEADER.toLowerCase()];
    return typeof proof === 'string' && isSame(proof, proofOf(this.#key, 'server', this.#address, this.#nonce));
  }
}

/** Finds the key that begins with a key id. Undefined when the server has none. */
export type FindKey = (id: string) => string | undefined;

export function onlyKey(secret: string): FindKey {
  const key = keyOf(secret);
  return (id) => (key.startsWith(id) ? key : undefined);
}

/** The server's side: headers for the response, with the server's proof where it was asked for and can be given. */
export function proofHeaders(request: IncomingMessage, findKey: FindKey): Record<string, string> {
  const asked = challengeOf(request, findKey);
  return asked ? { [PROOF_HEADER]: proofOf(asked.key, 'server', asked.address, asked.nonce) } : {};
}

/** Adds the proof to the response of every WebSocket that this server opens. */
export function proveOnUpgrade(webSockets: WebSocketServer, findKey: FindKey): void {
  webSockets.on('headers', (headers, request) => {
    for (const [name, value] of Object.entries(proofHeaders(request, findKey))) headers.push(`${name}: ${value}`);
  });
}

/** True when the client has proved that it knows the secret of that key. */
export function isProven(request: IncomingMessage, findKey: FindKey): boolean {
  const asked = challengeOf(request, findKey);
  const given = request.headers.authorization ?? '';
  return asked !== undefined && isSame(given, `${SCHEME} ${proofOf(asked.key, 'client', asked.address, asked.nonce)}`);
}

function challengeOf(request: IncomingMessage, findKey: FindKey) {
  const { headers, socket } = request;
  if (hostProblem(request)) return undefined; // a page that was rebound to us
  const [, id, nonce] = CHALLENGE.exec(String(headers[CHALLENGE_HEADER.toLowerCase()])) ?? [];
  const key = id === undefined ? undefined : findKey(id);
  return key === undefined || nonce === undefined ? undefined : { key, nonce, address: addressOf(socket.localAddress, socket.localPort) };
}

const addressOf = (address: string | undefined, port: number | undefined) => `${address}:${port}`;

function proofOf(key: string, role: 'client' | 'server', address: string, nonce: string): string {
  return createHmac('sha256', key).update(`${role} ${address} ${nonce}`).digest('base64url');
}
