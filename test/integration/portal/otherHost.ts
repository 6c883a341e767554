/** Another agent host of a portal, as a process, with a client that knows the token of each new one. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentHostClient, type ChatModel, type DialectName, type SessionModel, whenLive } from '../../../src/ahp/index.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import { TransportError, type TransportFactory } from '../../../src/ahp/client/transport.ts';
import { CuttingTransport } from '../../fakes/cuttingTransport.ts';
import { type HostProcess, startHostProcess } from '../../support/hostProcess.ts';
import { until } from '../../support/until.ts';

/** A session as a client looks on. */
export interface Watched {
  readonly session: SessionModel;
  readonly chat: ChatModel;
}

export class OtherHost {
  /** The code, which is where the host is. */
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-other-')));
  readonly #data: string;
  /** Of the portal. */
  readonly client: AgentHostClient;
  /** Of somebody who looks on, over AHP v1: a session is its only chat. */
  readonly watcher: AgentHostClient;
  #process: HostProcess;
  readonly #line: CuttingTransport;
  #isAway = false;
  readonly #transport: TransportFactory = (url, signal) => connectNodeTransport(undefined, this.token)(url, signal);

  /** `dialects`: what the portal offers. The host prefers AHP 1.0. */
  private constructor(
    data: string,
    process: HostProcess,
    name: string,
    private readonly dialects: readonly DialectName[],
  ) {
    this.#data = data;
    this.#process = process;
    const line = new CuttingTransport(async (url, signal) => {
      if (this.#isAway) throw new TransportError('unreachable', 'the line is cut');
      return this.#transport(url, signal);
    });
    this.#line = line;
    this.client = AgentHostClient.create({ url: this.url, name, transport: line.open, dialects: this.dialects });
    this.watcher = AgentHostClient.create({ url: this.url, transport: this.#transport, dialects: ['v1'] });
  }

  static async start(name: string, dialects: readonly DialectName[] = ['channels', 'v1']): Promise<OtherHost> {
    const data = mkdtempSync(join(tmpdir(), 'tapline-other-data-'));
    return new OtherHost(data, await startHostProcess(['--data', data]), name, dialects);
  }

  get url(): string {
    return this.#process.url;
  }
  get token(): string {
    return this.#process.token;
  }

  /** A client of the portal whose line ends before the frame with this number, and is there again at once. */
  cutBefore(frame: number, name: string): { client: AgentHostClient; line: CuttingTransport } {
    const line = new CuttingTransport(this.#transport, frame);
    const client = AgentHostClient.create({ url: this.url, name, transport: line.open, dialects: this.dialects });
    client.onDidChangeState(({ kind }) => kind === 'reconnecting' && setImmediate(() => client.reconnectNow()));
    return { client, line };
  }

  /** The line of the portal to it is cut, while it works on. */
  goAway(): void {
    this.#isAway = true;
    this.#line.cut();
  }
  comeBack(): void {
    this.#isAway = false;
    this.client.reconnectNow();
  }

  async kill(): Promise<void> {
    await this.#process.stop('SIGKILL');
  }

  /** At the same address, with what it has kept. */
  async startAgain(): Promise<void> {
    this.#process = await startHostProcess(['--data', this.#data, '--port', new URL(this.url).port]);
  }

  /** The session in which this was said last, once it works on it. */
  async working(text: string): Promise<Watched> {
    const { sessions } = this.watcher;
    const followed = new Map<string, Watched>();
    const changed: (() => void)[] = [];
    const event = (listener: () => void) => {
      changed.push(listener);
      return sessions.onDidChange(listener);
    };
    const found = await until(`a session that works on ${text}`, event, () => {
      for (const { resource } of sessions.summaries) {
        if (followed.has(resource)) continue;
        const watched = this.watch(resource);
        followed.set(resource, watched);
        watched.chat.onDidChange(() => changed.forEach((listener) => listener()));
      }
      return [...followed.values()].find(({ chat }) => chat.confirmed?.activeTurn?.message.text === text);
    });
    await whenLive(found.session);
    return found;
  }

  watch(uri: string): Watched {
    return { session: this.watcher.session(uri), chat: this.watcher.chat(uri) };
  }

  async close(): Promise<void> {
    this.client.close();
    this.watcher.close();
    await this.kill();
    for (const folder of [this.folder, this.#data]) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
