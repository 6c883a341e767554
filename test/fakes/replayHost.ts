/** Plays the host's side of a recorded connection over a real socket: waits for each recorded frame of the client, then sends what the host sent. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { TranscriptFrame } from '../support/transcript.ts';

interface Message {
  id?: unknown;
  method?: string;
}

export class ReplayHost {
  readonly url: string;
  /** What the client sent that was not the next recorded frame. */
  readonly unexpected: string[] = [];
  #cursor = 0;
  #isHeld = false;
  #socket: WebSocket | undefined;
  /** Ids of this run by those of the recording. */
  readonly #ids = new Map<unknown, unknown>();
  readonly #subscribes = new Set<unknown>();

  static async start(frames: readonly TranscriptFrame[]): Promise<ReplayHost> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    return new ReplayHost(server, frames);
  }

  private constructor(
    private readonly server: WebSocketServer,
    private readonly frames: readonly TranscriptFrame[],
  ) {
    this.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('connection', (socket) => {
      this.#socket = socket;
      socket.on('message', (data) => this.#receive(JSON.parse((data as Buffer).toString('utf8')) as Message));
    });
  }

  /** The recorded frame of the client that is waited for; undefined while frames of the host are held back, and at the end. */
  get awaited(): TranscriptFrame | undefined {
    return this.frames[this.#cursor]?.dir === 'c2s' ? this.frames[this.#cursor] : undefined;
  }

  get isAtEnd(): boolean {
    return this.#cursor >= this.frames.length;
  }

  /** Goes on after the answer to a `subscribe`, which holds everything back so that its state can be compared. */
  release(): void {
    this.#isHeld = false;
    this.#send();
  }

  async close(): Promise<void> {
    this.#socket?.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #receive({ id, method }: Message): void {
    const recorded = this.awaited?.message;
    if (recorded?.method !== method) {
      // A client lets go of what is gone.
      if (method === 'unsubscribe') return;
      this.unexpected.push(String(method));
      return;
    }
    this.#cursor++;
    if (recorded?.id !== undefined) this.#ids.set(recorded.id, id);
    if (method === 'subscribe') this.#subscribes.add(recorded?.id);
    this.#send();
  }

  #send(): void {
    for (let frame = this.frames[this.#cursor]; frame?.dir === 's2c' && !this.#isHeld; frame = this.frames[++this.#cursor]) {
      const { id, method } = frame.message;
      const isAnswer = method === undefined && this.#ids.has(id);
      this.#socket?.send(isAnswer ? JSON.stringify({ ...frame.message, id: this.#ids.get(id) }) : frame.raw);
      if (isAnswer && this.#subscribes.has(id)) this.#isHeld = true;
      if (this.#isHeld) {
        this.#cursor++;
        return;
      }
    }
  }
}
