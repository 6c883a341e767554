/** Shared by the gateway's integration tests: a real server, a session owner, and providers that send raw frames. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket, type ClientOptions } from 'ws';
import { systemClock } from '../../../src/base/clock.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import { Emitter } from '../../../src/base/event.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { until } from '../../support/until.ts';
import { type GatewayServer, type GatewayServerOptions, startGatewayServer } from '../../../src/gateway/gatewayServer.ts';
import type { GatewayMessage, GatewayMessageType } from '../../../src/tap/wire/gatewayMessages.ts';
import { type OwnedSession, OwnerClient, type OwnerEvent } from '../../../src/tap/owner/ownerClient.ts';
import type { OwnerEvents } from '../../../src/tap/wire/owner/ownerMessages.ts';
import type { ProviderHandle, ProviderState } from '../../../src/tap/provider/providerApi.ts';

const WAIT_MS = 5_000;

export class TestGateway {
  readonly home = mkdtempSync(join(tmpdir(), 'tapline-gateway-'));
  #server: GatewayServer | undefined;
  readonly #clients: { dispose(): void }[] = [];

  get server(): GatewayServer {
    assert.ok(this.#server, 'the gateway was started');
    return this.#server;
  }
  async start(options: Partial<GatewayServerOptions> = {}): Promise<void> {
    const { home } = this;
    this.#server = await startGatewayServer({ port: 0, clock: systemClock, logger: nullLogger, version: 'test', home, ...options });
  }
  async stop(): Promise<void> {
    for (const client of this.#clients) client.dispose();
    await this.#server?.close(0);
    rmSync(this.home, { recursive: true });
  }
  async owner(key?: string): Promise<TestOwner> {
    const owner = new TestOwner({ url: this.server.url, token: this.server.gateway.grants.ownerSecret }, key);
    this.#clients.push(owner);
    try {
      await owner.connected();
      return owner;
    } catch (error) {
      owner.dispose(); // it would go on trying
      throw error;
    }
  }
  /** An open socket that has said nothing. */
  async peer(options: ClientOptions = {}): Promise<RawProvider> {
    const peer = await RawProvider.open(this.server.url, options);
    this.#clients.push(peer);
    return peer;
  }
  async authenticated(token = this.server.gateway.grants.fileToken): Promise<RawProvider> {
    const peer = await this.peer();
    peer.say({ type: 'auth', token });
    await peer.next('sessions');
    return peer;
  }
  async bound(fields: object): Promise<RawProvider> {
    const peer = await this.authenticated();
    peer.say({ type: 'hello', name: 'provider', protocolVersion: 2, ...fields });
    await peer.next('hello.ack');
    return peer;
  }
}

export class TestOwner {
  readonly client: OwnerClient;
  readonly events: OwnerEvent[] = [];
  readonly #heard = new Emitter<OwnerEvent>();

  constructor(endpoint: { url: string; token: string } | (() => Promise<{ url: string; token: string }>), key?: string, isTrusted = true) {
    const find = typeof endpoint === 'function' ? endpoint : async () => endpoint;
    this.client = new OwnerClient({
      name: 'test',
      find,
      logger: nullLogger,
      random: () => 0,
      isTrusted: () => isTrusted,
      ...(key !== undefined && { key }),
    });
    this.client.onEvent((event) => {
      this.events.push(event);
      this.#heard.fire(event);
    });
  }

  /** Connected to a gateway that runs as a process. */
  static async of({ url, secret }: { url: string; secret: string }): Promise<TestOwner> {
    const owner = new TestOwner({ url, token: secret });
    await owner.connected();
    return owner;
  }

  dispose(): void {
    this.client.dispose();
  }
  async connected(timeoutMs = WAIT_MS): Promise<void> {
    await until('the owner link', this.client.onDidChangeState, () => this.client.state.kind === 'connected', timeoutMs);
  }
  /** Waits for the newest such event that fits. */
  async next<E extends keyof OwnerEvents>(
    event: E,
    fits: (params: OwnerEvents[E]) => boolean = () => true,
    timeoutMs = WAIT_MS,
  ): Promise<OwnerEvents[E]> {
    const find = () => this.events.findLast((heard) => heard.event === event && fits(heard.params as OwnerEvents[E]));
    await until(`${event} for the owner`, this.#heard.event, () => find() !== undefined, timeoutMs);
    return find()?.params as OwnerEvents[E];
  }
  last<E extends keyof OwnerEvents>(event: E): OwnerEvents[E] {
    return this.events.findLast((heard) => heard.event === event)?.params as OwnerEvents[E];
  }
  /** Registers a session and waits until the gateway knows it. */
  async session(sessionId: string, neededCalls?: () => string[]): Promise<OwnedSession> {
    const session = this.client.addSession({ sessionId, label: `label of ${sessionId}` }, neededCalls);
    await this.next('tools/changed', ({ sessionId: id }) => id === sessionId);
    return session;
  }
  tools(sessionId: string, names: string[], timeoutMs?: number): Promise<unknown> {
    const fits = ({ sessionId: id, tools }: OwnerEvents['tools/changed']) =>
      id === sessionId && names.join() === tools.map(({ name }) => name).join();
    return this.next('tools/changed', fits, timeoutMs);
  }
}

export class RawProvider {
  readonly heard: GatewayMessage[] = [];
  /** Code of the close frame. */
  closeCode: number | undefined;
  closeReason: string | undefined;
  readonly #changed = new Emitter<void>();

  static async open(url: string, options: ClientOptions = {}): Promise<RawProvider> {
    const socket = new WebSocket(url, { perMessageDeflate: false, ...options });
    const provider = new RawProvider(socket);
    await withTimeout(
      new Promise<void>((resolve, reject) => {
        socket.once('open', () => resolve());
        socket.once('error', reject);
      }),
      WAIT_MS,
      'opening a connection',
    );
    return provider;
  }

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => {
      this.heard.push(JSON.parse(String(data)) as GatewayMessage);
      this.#changed.fire();
    });
    socket.on('close', (code, reason) => {
      this.closeCode = code;
      this.closeReason = String(reason);
      this.#changed.fire();
    });
    socket.on('error', () => this.#changed.fire()); // 'close' follows and says what happened
  }

  say(message: object | string): this {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
    return this;
  }
  /** Waits for the oldest such message that was not taken yet, and takes it. */
  async next<T extends GatewayMessageType>(type: T, timeoutMs = WAIT_MS): Promise<Extract<GatewayMessage, { type: T }>> {
    const at = () => this.heard.findIndex((message) => message.type === type);
    await until(`${type} among ${JSON.stringify(this.heard).slice(0, 500)}`, this.#changed.event, () => at() >= 0, timeoutMs);
    return this.heard.splice(at(), 1)[0] as Extract<GatewayMessage, { type: T }>;
  }
  /** Waits for a message of one of these types without taking it. */
  async any(...types: GatewayMessageType[]): Promise<void> {
    await until(types.join(' or '), this.#changed.event, () => this.heard.some(({ type }) => types.includes(type)), WAIT_MS);
  }
  async closed(timeoutMs = WAIT_MS): Promise<number> {
    await until('the end of a connection', this.#changed.event, () => this.closeCode !== undefined, timeoutMs);
    return this.closeCode as number;
  }
  dispose(): void {
    this.socket.terminate();
  }
}

/** A provider of the SDK. */
export async function reached(handle: ProviderHandle, kind: ProviderState['kind']): Promise<void> {
  await until(`the provider: ${kind}`, handle.onDidChangeState, () => handle.state.kind === kind, WAIT_MS);
}
