/** The test's end of `test/fixtures/terminalProvider.mjs`: hears what the provider is called with, and says what it answers. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Emitter } from '../../src/base/event.ts';
import { until } from './until.ts';

const program = join(import.meta.dirname, '../fixtures/terminalProvider.mjs');
const WAIT_MS = 20_000;

export interface TerminalCall {
  number: number;
  args: unknown;
  sessionId: string;
}
type Said =
  | { kind: 'started'; url?: string; hasToken: boolean }
  | { kind: 'state'; state: string }
  | ({ kind: 'call' } & TerminalCall)
  | { kind: 'pushed' }
  | { kind: 'error'; message: string };

export class TerminalProvider {
  /** Since the program was started: a call that is made twice is here twice. */
  readonly calls: TerminalCall[] = [];
  started: { url?: string; hasToken: boolean } | undefined;
  state = '';
  #pushes = 0;
  readonly #errors: string[] = [];
  readonly #heard = new Emitter<void>();
  #socket: Socket | undefined;

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.#socket = socket;
      socket.on('error', () => undefined); // it was killed
      createInterface({ input: socket }).on('line', (text) => this.#hear(JSON.parse(text) as Said));
    });
  }

  static async listen(): Promise<TerminalProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TerminalProvider(server);
  }

  /** What a user types to start it. */
  get command(): string {
    return `"${process.execPath}" "${program}" ${(this.server.address() as AddressInfo).port}`;
  }

  /** The call of that number, counted from 1. */
  async call(number: number): Promise<TerminalCall> {
    await this.until(() => this.calls.length >= number, `call ${number}`);
    return this.calls[number - 1]!;
  }
  end(call: TerminalCall, value: unknown): void {
    this.#say({ end: call.number, value });
  }
  /** Resolves when the gateway has it. */
  async push(push: { level: 'inject'; prompt: string; sessionId: string }): Promise<void> {
    const before = this.#pushes;
    this.#say({ push });
    await this.until(() => this.#pushes > before, 'the push');
  }

  async until(holds: () => unknown, what: string): Promise<void> {
    await until(what, this.#heard.event, () => Boolean(holds()), WAIT_MS).catch((error: unknown) => {
      throw new Error([String(error), `the provider is “${this.state}”`, ...this.#errors].join('; '));
    });
  }

  /** Ends the program too. */
  async stop(): Promise<void> {
    this.#socket?.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #hear(said: Said): void {
    if (said.kind === 'started') this.started = said;
    else if (said.kind === 'state') this.state = said.state;
    else if (said.kind === 'call') this.calls.push(said);
    else if (said.kind === 'pushed') this.#pushes++;
    else this.#errors.push(said.message);
    this.#heard.fire();
  }

  #say(message: object): void {
    this.#socket?.write(`${JSON.stringify(message)}\n`);
  }
}
