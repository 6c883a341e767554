/**
 * A port over a WebSocket that is opened again whenever it is cut. What the user does meanwhile waits, up to a limit; what only says how
 * the page stands does not, because the page says it again.
 */
import * as l10n from '../../base/l10n.ts';
import { type Backoff, backoffDelay } from '../../base/connection/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { PAGE_NOT_FOUND, SIGN_OF_LIFE_MS, type ToPage } from '../../views/portal/wire/pageWire.ts';
import type { PortListener, PortMessage } from './pagePort.ts';

const BACKOFF: Backoff = { firstMs: 300, longestMs: 15_000 };
const CONNECT_TIMEOUT_MS = 10_000;
const SILENT_MS = 2.5 * SIGN_OF_LIFE_MS;
export const MAX_WAITING = 100;
/** Characters. */
export const MAX_WAITING_LENGTH = 4_000_000;

const CUT = l10n.t('The connection to the portal was cut before it said whether this has come.');
const FULL = l10n.t('The portal cannot be reached, and no more can wait for it.');
const NOT_FOUND = l10n.t('The portal has no such session. If it is started again with the host of the session, this page shows it.');
const NOT_SHOWN = l10n.t('The portal does not show this session any more.');
const AWAY = l10n.t('The portal cannot be reached. Trying again…');
const REFUSED = l10n.t(
  'The portal was started again and does not know this browser any more. Open the address that it printed, and this page goes on.',
);
const LEFT = l10n.t('The page was left before the portal could be reached. Nothing was sent.');
const NOT_DONE = l10n.t('The portal cannot be reached, and this is not kept for later. Nothing was done.');

/** As much of a browser's `WebSocket` as is used. */
export interface Socket {
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'close', listener: (event: { code?: number }) => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

export interface SocketPortOptions {
  clock: Clock;
  connect(): Socket;
  /** The portal is there and takes nothing of this browser, which a WebSocket cannot tell from a portal that is away. */
  isRefused(): Promise<boolean>;
  /** Messages that are not for the server, by type. */
  here: Readonly<Record<string, (message: Readonly<Record<string, unknown>>) => void>>;
  /** What the server says that is not for the page. */
  told(told: Pick<ToPage, 'problem' | 'open'>): void;
}

interface Waiting {
  message: PortMessage;
  text: string;
}

const OPEN = 1;
const READY = { type: 'ready' };

export class SocketPort {
  readonly #options: SocketPortOptions;
  #listener: PortListener | undefined;
  #socket: Socket | undefined;
  #timer: Disposable | undefined;
  #attempt = 0;
  /** The page has been told the first things over this connection, so that it has asked for what it shows. */
  #isTold = false;
  /** Over some connection. */
  #wasTold = false;
  #sent = 0;
  /** Sent over this connection and not confirmed, by number. */
  readonly #unconfirmed = new Map<number, PortMessage>();
  #waiting: Waiting[] = [];
  #problem: string | undefined;

  constructor(options: SocketPortOptions) {
    this.#options = options;
  }

  listen(listener: PortListener): void {
    this.#listener = listener;
    this.#connect();
  }

  post(message: PortMessage): void {
    const here = this.#options.here[message.type];
    // Whenever there is a connection, this goes over it first.
    if (message.type === 'ready') return undefined;
    if (here) return here({ ...message });
    const kind = kindOf(message);
    if (this.#socket?.readyState === OPEN && (this.#isTold || kind === 'state')) return this.#send(message, JSON.stringify(message));
    if (kind === 'state') return undefined;
    if (kind === 'request') return this.#unsent(message, AWAY, false);
    if (kind === 'now') return this.#unsent(message, NOT_DONE, false);
    return this.#wait(message);
  }

  /** The page is about to go, and with it what waits, and what was sent a moment ago. */
  leave(): void {
    const unconfirmed = [...this.#unconfirmed.values()];
    this.#unconfirmed.clear();
    for (const message of unconfirmed) if (kindOf(message) === 'deed') this.#unsent(message, CUT, true);
    for (const { message } of this.#waiting.splice(0)) this.#unsent(message, LEFT, false);
  }

  /** Tries at once to reach the portal, where it cannot be reached. */
  connectNow(): void {
    if (this.#problem === undefined || this.#socket) return;
    this.#attempt = 0;
    this.#connect();
  }

  #wait(message: PortMessage): void {
    const text = JSON.stringify(message);
    const length = this.#waiting.reduce((sum, one) => sum + one.text.length, text.length);
    if (this.#waiting.length >= MAX_WAITING || length > MAX_WAITING_LENGTH) return this.#unsent(message, FULL, false);
    this.#waiting.push({ message, text });
  }

  #send(message: PortMessage, text: string): void {
    const n = ++this.#sent;
    if (kindOf(message) !== 'state') this.#unconfirmed.set(n, message);
    // As `fromPage` has it. The message may be long, and is made to text once.
    this.#socket?.send(`{"n":${n},"message":${text}}`);
  }

  #connect(): void {
    this.#timer?.dispose();
    const socket = this.#options.connect();
    this.#socket = socket;
    this.#isTold = false;
    this.#sent = 0;
    const heard = (ms: number) => {
      this.#timer?.dispose();
      this.#timer = this.#options.clock.setTimer(() => this.#lost(socket), ms);
    };
    heard(CONNECT_TIMEOUT_MS);
    socket.addEventListener('open', () => {
      if (this.#socket !== socket) return socket.close();
      heard(SILENT_MS);
      this.#send(READY, JSON.stringify(READY));
    });
    socket.addEventListener('message', ({ data }) => {
      if (this.#socket !== socket) return;
      heard(SILENT_MS);
      this.#receive(JSON.parse(String(data)) as ToPage);
    });
    socket.addEventListener('close', ({ code }) => this.#lost(socket, this.#problemOf(code)));
  }

  #receive({ seen, messages = [], ...told }: ToPage): void {
    this.#options.told(told);
    if (seen !== undefined) for (const n of this.#unconfirmed.keys()) if (n <= seen) this.#unconfirmed.delete(n);
    if (messages.length === 0) return;
    const isFirst = !this.#isTold;
    if (isFirst) {
      this.#attempt = 0;
      this.#tellProblem(undefined);
    }
    for (const message of messages) this.#listener?.receive(message);
    // The page has asked by now for what it shows, so that what it does there is not refused.
    this.#isTold = true;
    this.#wasTold = true;
    if (isFirst) for (const { message, text } of this.#waiting.splice(0)) this.#send(message, text);
  }

  #lost(socket: Socket, problem = AWAY): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.#timer?.dispose();
    socket.close();
    // It stays so until there is a connection again.
    const stays = problem === AWAY && this.#problem === REFUSED;
    this.#tellProblem(stays ? REFUSED : problem);
    if (problem === AWAY) void this.#lookWhy();
    const unconfirmed = [...this.#unconfirmed.values()];
    this.#unconfirmed.clear();
    for (const message of unconfirmed) {
      // A draft that is kept twice is the same.
      if (kindOf(message) === 'draft') this.#wait(message);
      else this.#unsent(message, CUT, true);
    }
    this.#attempt++;
    this.#timer = this.#options.clock.setTimer(() => this.#connect(), backoffDelay(this.#attempt, BACKOFF));
  }

  async #lookWhy(): Promise<void> {
    const isRefused = await this.#options.isRefused();
    if (isRefused && this.#problem === AWAY) this.#tellProblem(REFUSED);
  }

  #problemOf(code: number | undefined): string {
    if (code !== PAGE_NOT_FOUND) return AWAY;
    return this.#wasTold ? NOT_SHOWN : NOT_FOUND;
  }

  #tellProblem(problem: string | undefined): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#listener?.link(problem);
  }

  #unsent(message: PortMessage, reason: string, isUnknown: boolean): void {
    this.#listener?.unsent({ message, reason, isUnknown });
  }
}

type Kind = 'state' | 'request' | 'draft' | 'now' | 'deed';

/** A question of the shell goes with the connection. */
const STATES: readonly unknown[] = ['ready', 'focus', 'context', 'watch', 'unwatch', 'answerQuestion'];
/** Done to what is there at that moment. Later a program may ask something else, and a number may be that of another action. */
const NOW: readonly unknown[] = ['typeIntoTerminal', 'resolveUnknown'];

function kindOf(message: PortMessage): Kind {
  const { type, message: inner } = message as PortMessage & { message?: PortMessage };
  const what = type === 'inSession' ? inner?.type : type;
  if (STATES.includes(what)) return 'state';
  if (NOW.includes(what)) return 'now';
  return what === 'request' || what === 'draft' ? what : 'deed';
}
