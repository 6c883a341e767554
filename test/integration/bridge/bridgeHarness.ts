/** The bridge between real processes: our own host with the demo agent, the gateway as the extension starts it, and providers of the SDK. No VS Code. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import { HookServer } from '../../../src/ahp/client/hookServer.ts';
import { hooksMeta } from '../../../src/ahp/hookRequests.ts';
import type { Transport, TransportFactory } from '../../../src/ahp/client/transport.ts';
import type { DialectName } from '../../../src/ahp/dialects/dialect.ts';
import type { CommandParams } from '../../../src/ahp/v1/commands.ts';
import { type DaemonRecord, readDaemonRecord } from '../../../src/base/daemon/daemonLock.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { taplineHome } from '../../../src/base/node/taplineHome.ts';
import { Bridge, type BridgedHost } from '../../../src/extension/bridge/bridge.ts';
import { GatewayDaemon } from '../../../src/extension/bridge/gateway/bundledGateway.ts';
import { ModelHostSession } from '../../../src/extension/bridge/hosted/modelHostSession.ts';
import { SessionBridge } from '../../../src/extension/bridge/session/sessionBridge.ts';
import { OwnerClient } from '../../../src/tap/owner/ownerClient.ts';
import type { Storage } from '../../../src/extension/bridge/storage/storage.ts';
import { ToolQuestions } from '../../../src/extension/questions/toolQuestions.ts';
import { type HeldIdentity, holdIdentity } from '../../../src/extension/hosts/windowIdentity.ts';
import type { ProviderHandle } from '../../../src/tap/provider/providerApi.ts';
import { createProvider, type NodeProviderOptions } from '../../../src/tap/provider/providerNode.ts';
import { MemoryStorage } from '../../fakes/memoryStorage.ts';
import { eventually } from '../../fakes/eventually.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { GatewayHome } from '../../support/gatewayProcess.ts';
import { type HostProcess, startHostProcess } from '../../support/hostProcess.ts';
import { untilGone } from '../../support/processes.ts';
import { V1Client } from '../../support/v1Client.ts';
import { DemoConversation } from '../host/demoHarness.ts';

const root = join(import.meta.dirname, '../../..');
export const HOST_ID = 'host';
export const WAIT_MS = 15_000;

/** One window: its connection to the host, its bridge, and a user who looks at a session. */
export class TestWindow {
  readonly warnings: string[] = [];
  /** What tools ask. The test answers in place of the dialogs. */
  readonly questions = new ToolQuestions();
  hasTraces = false;
  #bridge: Bridge;

  private constructor(
    readonly client: AgentHostClient,
    private readonly hooks: HookServer,
    private readonly line: { transport?: Transport },
    private readonly daemon: GatewayDaemon,
    readonly storage: Storage,
    private readonly held?: HeldIdentity,
  ) {
    this.#bridge = this.#newBridge();
  }

  /** `host`: the one that runs now, asked for at each connection. With the storage of a window that was closed it is that window, loaded again. */
  static async open(
    host: () => Pick<HostProcess, 'url' | 'token'>,
    daemon: GatewayDaemon,
    storage: Storage = new MemoryStorage(),
    isAskedFirst = true,
    dialects?: readonly DialectName[],
  ): Promise<TestWindow> {
    const held = await holdIdentity({ storage, folder: join(taplineHome(), 'windows'), waitMs: 0, logger: nullLogger });
    const line: { transport?: Transport } = {};
    const transport: TransportFactory = async (_url, signal) => {
      const { url, token } = host();
      return (line.transport = await connectNodeTransport(undefined, token)(url, signal));
    };
    const hooks = new HookServer();
    const { clientId } = held.identity;
    const options = {
      url: 'ws://127.0.0.1',
      clientId,
      clientSeqAfter: Date.now(),
      transport,
      ...(isAskedFirst && { meta: hooksMeta, onHostRequest: hooks.answer }),
      ...(dialects && { dialects }),
    };
    return new TestWindow(await AgentHostClient.connect({ dialects: ['v1'], ...options }), hooks, line, daemon, storage, held);
  }

  /** Over a connection that the test has made. Without `hooks` it is one that the host does not ask. */
  static over(client: AgentHostClient, daemon: GatewayDaemon, hooks = new HookServer()): TestWindow {
    return new TestWindow(client, hooks, {}, daemon, new MemoryStorage());
  }

  get bridge(): Bridge {
    return this.#bridge;
  }

  look(uri: string): void {
    this.#bridge.open({ hostId: HOST_ID, uri });
    this.#bridge.setForeground({ hostId: HOST_ID, uri });
  }
  session(uri: string): SessionBridge {
    const session = this.#bridge.get({ hostId: HOST_ID, uri });
    if (!session) throw new Error(`${uri} is not in the bridge`);
    return session;
  }
  async lending(uri: string, kind: SessionBridge['lending']['kind']): Promise<void> {
    await eventually(
      () => this.session(uri).lending.kind === kind,
      `${kind}, and it is ${JSON.stringify(this.session(uri).lending)}`,
      WAIT_MS,
    );
  }

  /** The bridge of a window that was loaded again. The connection to the host stays: of some hosts it does, for a while. */
  reload(): void {
    this.#bridge.dispose();
    this.#bridge = this.#newBridge();
  }

  /** The connection to the host is lost; the client makes another. */
  cutHost(): void {
    this.line.transport?.close(4000, 'cut by the test');
  }

  close(): void {
    this.#bridge.dispose();
    this.client.close();
    this.held?.dispose();
  }

  #newBridge(): Bridge {
    const host: BridgedHost = {
      openSession: (uri) => new ModelHostSession(this.client, uri, this.hooks),
      isRunning: () => false,
    };
    const bridge = new Bridge({
      host: (id) => (id === HOST_ID ? host : undefined),
      findGateway: () => this.daemon.find(),
      ask: (...asked) => this.questions.ask(...asked),
      parts: { OwnerClient, SessionBridge },
      traces: () => ({ isOn: this.hasTraces, hasContent: false }),
      ...(this.held && { ownerKey: this.held.identity.ownerKey }),
      storage: this.storage,
      logger: { ...nullLogger, warn: (text: string) => void this.warnings.push(text) },
    });
    bridge.setOn(true, '');
    return bridge;
  }
}

export class BridgeTest {
  readonly home = new GatewayHome();
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-bridge-')));
  host: HostProcess | undefined;
  daemon!: GatewayDaemon;
  window!: TestWindow;
  /** Of AHP v1, at a connection of its own: not the client under test. */
  user!: V1Client;
  readonly #windows: TestWindow[] = [];
  readonly #providers: ProviderHandle[] = [];
  readonly #environment = new Map(Object.keys(this.home.env).map((name) => [name, process.env[name]]));
  #sessions = 0;

  /** `isAskedFirst`: false for a window as it is at hosts that ask nobody. */
  async start({ isAskedFirst = true, dialects }: { isAskedFirst?: boolean; dialects?: readonly DialectName[] } = {}): Promise<void> {
    this.startWithoutHost();
    await this.#startHost();
    this.window = await this.openWindow(undefined, isAskedFirst, dialects);
  }

  /** The gateway comes with the first session. */
  startWithoutHost(): void {
    Object.assign(process.env, this.home.env);
    this.daemon = new GatewayDaemon(root, nullLogger, ['--port', '0', '--idle-seconds', '5']);
  }

  async stop(): Promise<void> {
    for (const provider of this.#providers) provider.close();
    for (const window of this.#windows) window.close();
    (this.user as V1Client | undefined)?.close();
    await endDaemons(this.home.lockFile);
    await this.host?.stop('SIGKILL');
    for (const [name, value] of this.#environment) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    this.home.remove();
    rmSync(this.folder, { recursive: true, maxRetries: 5, retryDelay: 100 });
  }

  async openWindow(storage?: Storage, isAskedFirst?: boolean, dialects?: readonly DialectName[]): Promise<TestWindow> {
    const window = await TestWindow.open(() => this.runningHost, this.daemon, storage, isAskedFirst, dialects);
    this.#windows.push(window);
    return window;
  }

  /** A new session that this window shows, lent what there is. */
  async session(params: Partial<CommandParams<'createSession'>> = {}, window = this.window): Promise<DemoConversation> {
    const conversation = await this.unbridged(params);
    window.look(conversation.uri);
    await window.lending(conversation.uri, 'lending');
    await eventually(() => conversation.subscription.state?.activeClient, 'the host has taken the tools');
    return conversation;
  }

  /** A session that no window shows. */
  async unbridged(params: Partial<CommandParams<'createSession'>> = {}): Promise<DemoConversation> {
    const session = `demo:/${++this.#sessions}`;
    await this.user.request('createSession', {
      session,
      provider: 'demo',
      workingDirectory: pathToFileURL(this.folder).href,
      model: { id: 'demo-fast' },
      ...params,
    });
    const conversation = this.watch(session);
    await conversation.until('the session', ({ lifecycle }) => lifecycle === 'ready');
    return conversation;
  }

  /** A session as the user sees it. `turns`: how many he has begun in it. */
  watch(uri: string, turns = 0): DemoConversation {
    return new DemoConversation(this.user, uri, turns);
  }

  provider(name: string, options: NodeProviderOptions): ProviderHandle {
    const provider = createProvider(name, { onError: () => undefined, ...options });
    this.#providers.push(provider);
    return provider;
  }

  get gateway(): DaemonRecord {
    const record = readDaemonRecord(this.home.lockFile);
    if (!record) throw new Error('no gateway runs');
    return record;
  }

  get runningHost(): HostProcess {
    if (!this.host) throw new Error('no host runs');
    return this.host;
  }

  async #startHost(): Promise<void> {
    this.host = await startHostProcess(['--data', join(this.folder, 'sessions'), '--return-seconds', '5']);
    this.user = await V1Client.connect(this.host);
  }

  /** Another one takes up its sessions. What the user watches has to be watched again. */
  async killHost(): Promise<void> {
    await this.runningHost.stop('SIGKILL');
    await this.#startHost();
  }

  /** And the windows have noticed. */
  async killGateway(): Promise<void> {
    const { pid } = this.gateway;
    const noticed = this.#windows.flatMap(({ bridge: { owner } }) => {
      if (owner?.state.kind !== 'connected') return [];
      return [new Promise<void>((resolve) => owner.onDidChangeState(() => resolve()))];
    });
    process.kill(pid, 'SIGKILL');
    await untilGone(pid);
    await withTimeout(Promise.all(noticed), WAIT_MS, 'the loss of the gateway');
  }
}

/** The names of the tools that a session's agent is told of, without the gateway's own. */
export function announced({ state }: DemoConversation): string[] {
  return (state.activeClient?.tools ?? []).map(({ name }) => name).filter((name) => !name.startsWith('tap_'));
}

/** In any order: that of providers which connect at the same time is not given. */
export async function untilAnnounced(chat: DemoConversation, ...names: string[]): Promise<void> {
  await eventually(() => announced(chat).sort().join() === names.sort().join(), `${names.join() || 'no tools'} announced`, WAIT_MS);
}
