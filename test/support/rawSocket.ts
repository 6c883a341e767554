/** A TCP connection that sends whatever it is told, and reads HTTP heads and WebSocket frames: for what no proper client would send. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { withTimeout } from '../../src/base/errors.ts';

const WAIT_MS = 10_000;
export const Opcode = { Continuation: 0, Text: 1, Binary: 2, Close: 8, Ping: 9, Pong: 10 } as const;

export interface RawFrame {
  opcode: number;
  payload: Buffer;
}
interface FrameOptions {
  fin?: boolean;
  /** 1 to 7. */
  reserved?: number;
  masked?: boolean;
  /** Said in the header in place of the payload's own. */
  length?: bigint;
}

/** One frame as a client sends it. */
export function encodeFrame(opcode: number, payload: Buffer | string, options: FrameOptions = {}): Buffer {
  const { fin = true, reserved = 0, masked = true } = options;
  const body = Buffer.from(payload);
  const length = options.length ?? BigInt(body.length);
  const first = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  const bit = masked ? 0x80 : 0;
  const head =
    length < 126n
      ? Buffer.from([first, bit | Number(length)])
      : length < 65_536n
        ? Buffer.from([first, bit | 126, Number(length >> 8n), Number(length & 0xffn)])
        : Buffer.concat([Buffer.from([first, bit | 127]), bigEndian(length)]);
  if (!masked) return Buffer.concat([head, body]);
  const mask = randomBytes(4);
  for (let at = 0; at < body.length; at++) body[at]! ^= mask[at % 4]!;
  return Buffer.concat([head, mask, body]);
}

function bigEndian(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

/** What a client asks with; `undefined` leaves a header out. */
export function upgradeRequest(port: number, headers: Record<string, string | undefined> = {}, line = 'GET / HTTP/1.1'): string {
  const all = {
    Host: `127.0.0.1:${port}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `${[line, ...lines].join('\r\n')}\r\n\r\n`;
}

export class RawSocket {
  #received = Buffer.alloc(0);
  #hasEnded = false;
  #changed: () => void = () => undefined;

  static async connect(port: number, host = '127.0.0.1'): Promise<RawSocket> {
    const socket = connect(port, host);
    await withTimeout(
      new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve);
        socket.once('error', reject);
      }),
      WAIT_MS,
      'a TCP connection',
    );
    return new RawSocket(socket);
  }

  /** Connected, and upgraded like any proper client. */
  static async open(port: number): Promise<RawSocket> {
    const socket = await RawSocket.connect(port);
    socket.write(upgradeRequest(port));
    const head = await socket.head();
    if (!head.startsWith('HTTP/1.1 101 ')) throw new Error(`no upgrade: ${head}`);
    return socket;
  }

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#changed();
    });
    const end = () => {
      this.#hasEnded = true;
      this.#changed();
    };
    socket.on('end', end);
    socket.on('close', end);
    socket.on('error', end); // its reset is what tests wait for
  }

  write(data: Buffer | string): this {
    this.socket.write(data);
    return this;
  }
  send(opcode: number, payload: Buffer | string, options?: FrameOptions): this {
    return this.write(encodeFrame(opcode, payload, options));
  }
  say(message: object): this {
    return this.send(Opcode.Text, JSON.stringify(message));
  }
  dispose(): void {
    this.socket.destroy();
  }

  /** The head of an HTTP answer. */
  async head(): Promise<string> {
    const at = await this.#until(() => this.#received.indexOf('\r\n\r\n'), 'the head of an answer');
    const head = this.#received.subarray(0, at).toString('latin1');
    this.#received = this.#received.subarray(at + 4);
    return head;
  }
  /** The status of an HTTP answer; 0: the connection ended without one. */
  async status(): Promise<number> {
    await this.#until(() => (this.#hasEnded ? 0 : this.#received.indexOf('\r\n\r\n')), 'an answer, or the end');
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.#received.toString('latin1'))?.[1] ?? 0);
  }
  /** The next frame of the other side. */
  async frame(): Promise<RawFrame> {
    await this.#until(() => (this.#frameEnd() === undefined ? -1 : 0), 'a frame');
    const end = this.#frameEnd() as number;
    const [first = 0, second = 0] = this.#received;
    const start = 2 + (second === 126 ? 2 : second === 127 ? 8 : 0);
    const payload = this.#received.subarray(start, end);
    this.#received = this.#received.subarray(end);
    return { opcode: first & 0xf, payload };
  }
  /** The next message of this type. */
  async next(type: string): Promise<Record<string, unknown>> {
    for (;;) {
      const { opcode, payload } = await this.frame();
      if (opcode === Opcode.Close) throw new Error(`closed with ${payload.readUInt16BE()} while waiting for ${type}`);
      const message = opcode === Opcode.Text ? (JSON.parse(payload.toString()) as Record<string, unknown>) : {};
      if (message.type === type) return message;
    }
  }
  /** The code of the close frame; undefined: the connection ended without one. What comes before is passed over. */
  async closeCode(): Promise<number | undefined> {
    for (;;) {
      await this.#until(() => (this.#hasEnded || this.#frameEnd() !== undefined ? 0 : -1), 'the end');
      if (this.#frameEnd() === undefined) return undefined;
      const { opcode, payload } = await this.frame();
      if (opcode === Opcode.Close) return payload.readUInt16BE();
    }
  }
  async ended(): Promise<void> {
    await this.#until(() => (this.#hasEnded ? 0 : -1), 'the end of a connection');
  }

  /** Where the first frame ends, when all of it is here. */
  #frameEnd(): number | undefined {
    const { length } = this.#received;
    if (length < 2) return undefined;
    const second = this.#received[1]! & 0x7f;
    if (second < 126) return length >= 2 + second ? 2 + second : undefined;
    const start = second === 126 ? 4 : 10;
    if (length < start) return undefined;
    const end = start + (second === 126 ? this.#received.readUInt16BE(2) : Number(this.#received.readBigUInt64BE(2)));
    return length >= end ? end : undefined;
  }

  async #until(find: () => number, what: string): Promise<number> {
    await withTimeout(
      new Promise<void>((resolve) => {
        this.#changed = () => {
          if (find() >= 0 || this.#hasEnded) resolve();
        };
        this.#changed();
      }),
      WAIT_MS,
      what,
    );
    const found = find();
    if (found < 0) throw new Error(`the connection ended before ${what}`);
    return found;
  }
}
