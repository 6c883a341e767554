/** A provider's connection to the gateway: frames in both directions, and the requests that wait for an answer. */
import { TimeoutError } from '../../base/errors.ts';
import { Answers } from './providerAnswers.ts';
import type { GatewayEndpoint, ProviderOptions } from './providerApi.ts';
import { GatewayError } from './providerErrors.ts';
import { isCutOff } from '../wire/closeCodes.ts';
import { ErrorCode } from '../wire/errorCodes.ts';
import type { GatewayMessage } from '../wire/gatewayMessages.ts';
import { isLargerThan, Limit } from '../wire/limits.ts';
import { parseGatewayFrame } from '../wire/parsing/parseGatewayFrame.ts';
import type { ProviderInput } from '../wire/providerMessages.ts';

const ANSWER_TIMEOUT_MS = 10_000;

const GONE = 'the connection to the gateway has ended';

interface Waiting {
  type: ProviderInput['type'];
  resolve(message: GatewayMessage): void;
  reject(error: Error): void;
  timer: ReturnType<typeof setTimeout>;
}
export interface GatewayLinkEvents {
  heard(message: GatewayMessage): void;
  /** Called once, when the connection has ended. `code`: of the gateway's end. */
  lost(code?: number): void;
  trouble(error: unknown): void;
}

export class GatewayLink {
  readonly answers: Answers;
  readonly #waiting = new Map<string, Waiting>();
  #requests = 0;
  #isOpen = true;
  #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly endpoint: GatewayEndpoint,
    options: ProviderOptions,
    private readonly events: GatewayLinkEvents,
  ) {
    const { socket, token } = endpoint;
    this.answers = new Answers(options, (message) => this.say(message), events.trouble);
    this.expect('an answer of the gateway to `auth`');
    socket.addEventListener('open', () => this.say(token === undefined ? { type: 'auth', mode: 'pair' } : { type: 'auth', token }));
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
    socket.addEventListener('error', (event) => {
      // Browsers hide the reason from pages. 'close' follows.
      const said = 'message' in event && typeof event.message === 'string' ? event.message : '';
      if (this.#isOpen) events.trouble(new Error(`the connection to the gateway failed${said && `: ${said}`}`));
    });
    socket.addEventListener('close', ({ code, reason }) => {
      if (this.#isOpen && isCutOff(code)) events.trouble(new Error(`the gateway has closed the connection (${code}): ${reason}`));
      this.#lost(code);
    });
  }

  /**
   * Sends a message; dropped when the connection has ended. Throws a {@link GatewayError} for a message that is too large, and a TypeError
   * for one that is not JSON.
   */
  say(message: ProviderInput): void {
    const text = JSON.stringify(message);
    const limit = message.type === 'tool.result' ? Limit.toolResultBytes : Limit.messageBytes;
    if (isLargerThan(limit, text)) throw new GatewayError(ErrorCode.PayloadTooLarge, `a ${message.type} may have at most ${limit} bytes`);
    if (this.#isOpen) this.endpoint.socket.send(text);
  }

  /** Sends a request with an id and resolves with the gateway's answer to it. */
  ask(toMessage: (id: string) => ProviderInput): Promise<GatewayMessage> {
    const id = `r-${++this.#requests}`;
    return new Promise((resolve, reject) => {
      const message = toMessage(id);
      this.say(message);
      if (!this.#isOpen) throw new Error(GONE);
      const giveUp = () => this.#end(id)?.reject(new TimeoutError(`the answer to ${message.type}`, ANSWER_TIMEOUT_MS));
      this.#waiting.set(id, { type: message.type, resolve, reject, timer: setTimeout(giveUp, ANSWER_TIMEOUT_MS) });
    });
  }

  /** Starts a deadline. A gateway that does not do `what` in time is disconnected. */
  expect(what: string): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => {
      this.events.trouble(new TimeoutError(what, ANSWER_TIMEOUT_MS));
      this.close();
    }, ANSWER_TIMEOUT_MS);
  }
  /** Ends the deadline. */
  came(): void {
    clearTimeout(this.#deadline);
  }

  close(): void {
    this.endpoint.socket.close(1000);
    this.#lost();
  }

  #receive(frame: string): void {
    if (!this.#isOpen) return;
    const parsed = parseGatewayFrame(frame);
    if (!parsed.ok) {
      // A newer gateway may send other types.
      if (parsed.bad.code !== ErrorCode.UnknownType) this.events.trouble(new Error(`a message of the gateway: ${parsed.bad.problem}`));
      return;
    }
    const { message } = parsed;
    try {
      if (!this.#settles(message)) this.events.heard(message);
    } catch (error) {
      this.events.trouble(error);
    }
  }

  /** True when the message answers a request of ours. */
  #settles(message: GatewayMessage): boolean {
    switch (message.type) {
      case 'ack':
        this.#end(message.requestId)?.resolve(message);
        return true;
      case 'stream.history':
        this.#end(message.queryId)?.resolve(message);
        return true;
      case 'error': {
        // An `error` for a query has no id. Queries are answered in order, so it is the oldest.
        const query = [...this.#waiting].find(([, { type }]) => type === 'stream.query' && type === message.replyTo)?.[0];
        const waiting = this.#end(message.requestId ?? query ?? '');
        waiting?.reject(new GatewayError(message.code, message.message));
        return waiting !== undefined;
      }
      default:
        return false;
    }
  }

  #end(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    clearTimeout(waiting?.timer);
    this.#waiting.delete(id);
    return waiting;
  }

  #lost(code?: number): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#deadline);
    this.answers.end(GONE);
    for (const id of [...this.#waiting.keys()]) this.#end(id)?.reject(new Error(GONE));
    this.events.lost(code);
  }
}
