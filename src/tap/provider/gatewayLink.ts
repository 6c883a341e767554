/** One connection to the gateway, as a provider has it: frames in and out, and what waits for an answer on it. */
import { TimeoutError } from '../../base/errors.ts';
import { isCutOff } from '../wire/closeCodes.ts';
import type { GatewayMessage } from '../wire/gatewayMessages.ts';
import { isLargerThan, Limit } from '../wire/limits.ts';
import { parseGatewayFrame } from '../wire/parseGatewayFrame.ts';
import { Answers } from './providerAnswers.ts';
import type { GatewayEndpoint, ProviderOptions } from './providerApi.ts';
import { GatewayError } from './providerErrors.ts';
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
  /** Once. */
  lost(): void;
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
      // A browser does not tell pages what it was. 'close' follows.
      const said = 'message' in event && typeof event.message === 'string' ? event.message : '';
      if (this.#isOpen) events.trouble(new Error(`the connection to the gateway failed${said && `: ${said}`}`));
    });
    socket.addEventListener('close', ({ code, reason }) => {
      if (this.#isOpen && isCutOff(code)) events.trouble(new Error(`the gateway has cut off the connection (${code}): ${reason}`));
      this.#lost();
    });
  }

  /** Said in vain when the link has ended. Throws a {@link GatewayError} for what is too large, and a TypeError for what is no JSON. */
  say(message: ProviderInput): void {
    const text = JSON.stringify(message);
    const limit = message.type === 'tool.result' ? Limit.toolResultBytes : Limit.messageBytes;
    if (isLargerThan(limit, text)) throw new GatewayError('PAYLOAD_TOO_LARGE', `a ${message.type} may have ${limit} bytes`);
    if (this.#isOpen) this.endpoint.socket.send(text);
  }

  /** Says what the gateway answers by its id, and waits for that. */
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

  /** A gateway that does not do `what` in time is left. */
  expect(what: string): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => {
      this.events.trouble(new TimeoutError(what, ANSWER_TIMEOUT_MS));
      this.close();
    }, ANSWER_TIMEOUT_MS);
  }
  /** It has done so. */
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
      // A newer gateway may say more.
      if (parsed.bad.code !== 'UNKNOWN_TYPE') this.events.trouble(new Error(`a message of the gateway: ${parsed.bad.problem}`));
      return;
    }
    const { message } = parsed;
    try {
      if (!this.#settles(message)) this.events.heard(message);
    } catch (error) {
      this.events.trouble(error);
    }
  }

  /** True for the answer to a question of ours. */
  #settles(message: GatewayMessage): boolean {
    switch (message.type) {
      case 'ack':
        this.#end(message.requestId)?.resolve(message);
        return true;
      case 'stream.history':
        this.#end(message.queryId)?.resolve(message);
        return true;
      case 'error': {
        // A query that is refused is told without its id; they are answered in order.
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

  #lost(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#deadline);
    this.answers.end(GONE);
    for (const id of [...this.#waiting.keys()]) this.#end(id)?.reject(new Error(GONE));
    this.events.lost();
  }
}
