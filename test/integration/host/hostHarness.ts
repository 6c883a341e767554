/** What the host's integration tests share: a scripted (fake) agent and a client of raw frames over a real socket. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import { WebSocket, type ClientOptions } from 'ws';
import type { ActionEnvelope, StateAction } from '../../../src/ahp/v1/actions.ts';
import type { Command, CommandParams, CommandResult, InitializeResult, Snapshot } from '../../../src/ahp/v1/commands.ts';
import type { ProtocolNotification } from '../../../src/ahp/v1/notifications.ts';
import { ROOT_URI } from '../../../src/ahp/v1/root.ts';
import type { SessionState } from '../../../src/ahp/v1/session.ts';
import type { AgentInfo } from '../../../src/ahp/channels/root.ts';
import { Emitter } from '../../../src/base/event.ts';
import { nullLogger } from '../../../src/base/log.ts';
import type { Agent, AgentChat, AgentChatHost, AgentTurn } from '../../../src/host/agents/agent.ts';
import { startHostServer, type HostServer, type HostServerOptions } from '../../../src/host/server/hostServer.ts';
import { sharedDir, sharedJson } from '../../support/shared.ts';

const WAIT_MS = 5000;

type ResolvedConfig = Awaited<ReturnType<Agent['resolveSessionConfig']>>;

/** A fake agent whose turns do what the test says. */
export class ScriptedAgent implements Agent {
  info: AgentInfo = {
    provider: 'scripted',
    displayName: 'Scripted',
    description: 'A fake agent of the tests',
    models: ['one', 'two'].map((id) => ({ id, provider: 'scripted', name: id })),
  };
  readonly #didChangeInfo = new Emitter<AgentInfo>();
  readonly onDidChangeInfo = this.#didChangeInfo.event;
  onTurn: (turn: AgentTurn, host: AgentChatHost) => Promise<void> = async (turn) => turn.markdown(`re: ${turn.message.text}`);
  onCreate: (host: AgentChatHost) => Promise<void> = async () => undefined;
  config: ResolvedConfig = { schema: { type: 'object', properties: {} }, values: {} };
  acceptedToken = 'good';
  /** Resources whose tokens were taken back. */
  readonly forgotten: string[] = [];
  readonly truncations: (string | undefined)[] = [];
  disposedSessions = 0;

  setInfo(info: Partial<AgentInfo>): void {
    this.info = { ...this.info, ...info };
    this.#didChangeInfo.fire(this.info);
  }
  async resolveSessionConfig(params: { config?: Record<string, unknown> }): Promise<ResolvedConfig> {
    return { schema: this.config.schema, values: { ...this.config.values, ...params.config } };
  }
  async sessionConfigCompletions({ property, query }: { property: string; query?: string }) {
    return [{ value: `${property}:${query}`, label: 'a completion' }];
  }
  async authenticate(_resource: string, token: string): Promise<boolean> {
    return token === this.acceptedToken;
  }
  forgetToken(resource: string): void {
    this.forgotten.push(resource);
  }
  async createChat(host: AgentChatHost): Promise<AgentChat> {
    await this.onCreate(host);
    return {
      runTurn: (turn) => this.onTurn(turn, host),
      truncate: (turnId) => void this.truncations.push(turnId),
      dispose: () => void this.disposedSessions++,
    };
  }
  dispose(): void {
    this.#didChangeInfo.dispose();
  }
}

/** A promise and what settles it. */
export function gate<T = void>(): { promise: Promise<T>; open: (value: T) => void } {
  let open: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => (open = resolve));
  return { promise, open };
}

export class TestHost {
  readonly agent = new ScriptedAgent();
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-host-')));
  readonly directoryUri = pathToFileURL(this.directory).href;
  readonly #clients: RawClient[] = [];
  #server: HostServer | undefined;
  #created = 0;

  get server(): HostServer {
    assert.ok(this.#server, 'the host was started');
    return this.#server;
  }

  async start(options: Partial<HostServerOptions> = {}): Promise<void> {
    this.#server = await startHostServer({ agents: [this.agent], logger: nullLogger, defaultDirectory: this.directoryUri, ...options });
  }
  async stop(): Promise<void> {
    for (const client of this.#clients) client.socket.terminate();
    await this.#server?.close();
    rmSync(this.directory, { recursive: true });
    for (const client of this.#clients) client.assertConforms();
  }

  /** An open socket that has said nothing yet. */
  async open(): Promise<RawClient> {
    const client = await RawClient.open(`${this.server.url}?tkn=${this.server.token}`);
    this.#clients.push(client);
    return client;
  }
  /** A client that has said hello and listens to the root. */
  async connect(clientId = 'client-a', initialSubscriptions = [ROOT_URI]): Promise<RawClient> {
    const client = await this.open();
    await client.initialize(clientId, initialSubscriptions);
    return client;
  }
  /** Creates a session, subscribes to it and waits until it is ready. */
  async session(client: RawClient, params: Partial<CommandParams<'createSession'>> = {}): Promise<string> {
    const session = `scripted:/session-${++this.#created}`;
    await client.request('createSession', { session, provider: 'scripted', workingDirectory: this.directoryUri, ...params });
    await client.subscribed(session);
    return session;
  }
}

/** Checks against the strict schema of the protocol; without it (it is not part of this repository) nothing is checked. */
const shared = sharedDir();
const ajv = shared === undefined ? undefined : new Ajv({ strict: false });
if (shared !== undefined) {
  const schema = sharedJson(shared, 'spec/agent-host-v1/ahp-v1.strict.schema.json') as { definitions: Record<string, object> };
  // The schema lists the single bits; a status is any combination of them.
  schema.definitions.SessionStatus = { type: 'integer' };
  ajv?.addSchema(schema, 'ahp');
}

function assertValid(definition: string, value: unknown): void {
  assert.ok(
    !ajv || ajv.validate(`ahp#/definitions/${definition}`, value),
    `${definition}: ${ajv?.errorsText()} in ${JSON.stringify(value)}`,
  );
}

const resultDefinitions: Readonly<Record<string, string>> = {
  initialize: 'InitializeResult',
  reconnect: 'ReconnectResult',
  subscribe: 'SubscribeResult',
  listSessions: 'ListSessionsResult',
  fetchTurns: 'FetchTurnsResult',
  authenticate: 'AuthenticateResult',
  resolveSessionConfig: 'ResolveSessionConfigResult',
  sessionConfigCompletions: 'SessionConfigCompletionsResult',
  resourceRead: 'ResourceReadResult',
  resourceWrite: 'ResourceWriteResult',
};

interface Frame {
  id?: number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

export class RawClient {
  readonly frames: Frame[] = [];
  clientId = '';
  closed: { code: number; reason: string } | undefined;
  #nextId = 1;
  readonly #asked = new Map<number, string>();
  #clientSeq = 0;
  readonly #waits = new Set<() => void>();

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => {
      this.frames.push(JSON.parse(String(data)) as Frame);
      this.#wake();
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
      this.#wake();
    });
  }

  /** Rejects with the status when the upgrade is refused. */
  static open(url: string, options: ClientOptions = {}): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, options);
      const client = new RawClient(socket);
      socket.once('open', () => resolve(client));
      socket.once('unexpected-response', (_request, response) => {
        response.resume();
        reject(new Error(`status ${response.statusCode}`));
      });
      socket.on('error', reject);
    });
  }

  /** The first value that `find` gives for what has been received, now or soon. */
  async until<T>(what: string, find: () => T | undefined | false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waits.delete(attempt);
        reject(new Error(`waited for ${what}; the last frames: ${JSON.stringify(this.frames.slice(-8), null, 1)}`));
      }, WAIT_MS);
      const attempt = () => {
        const found = find();
        if (found === undefined || found === false) return;
        clearTimeout(timer);
        this.#waits.delete(attempt);
        resolve(found);
      };
      this.#waits.add(attempt);
      attempt();
    });
  }

  /** Everything that the host has sent has the form that the protocol gives it. A refused action comes back as malformed as it was. */
  assertConforms(): void {
    for (const { id, method, params, result } of this.frames) {
      const asked = this.#asked.get(id ?? 0);
      const definition = asked === undefined ? undefined : resultDefinitions[asked];
      if (definition !== undefined && result !== undefined) {
        const { actions } = result as { actions?: ActionEnvelope[] };
        assertValid(
          definition,
          actions ? { ...(result as object), actions: actions.filter((envelope) => !envelope.rejectionReason) } : result,
        );
      }
      if (method === 'notification') assertValid('ProtocolNotification', params?.notification);
      if (method === 'action' && params?.rejectionReason === undefined) assertValid('ActionEnvelope', params);
    }
  }

  /** The whole answer, result or error. */
  async ask(method: string, params?: unknown): Promise<Frame> {
    const id = this.#nextId++;
    this.#asked.set(id, method);
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.until(`the answer to ${method}`, () => this.frames.find((frame) => frame.id === id && frame.method === undefined));
  }
  async request<M extends Command>(method: M, params: CommandParams<M>): Promise<CommandResult<M>> {
    const { result, error } = await this.ask(method, params);
    assert.equal(error, undefined, `${method}: ${error?.message}`);
    return result as CommandResult<M>;
  }
  /** The error that a request must be answered with. */
  async refusal(method: string, params?: unknown): Promise<{ code: number; message: string; data?: unknown }> {
    const { error, result } = await this.ask(method, params);
    assert.ok(error, `${method} was not refused: ${JSON.stringify(result)}`);
    return error;
  }
  async initialize(clientId: string, initialSubscriptions: string[]): Promise<InitializeResult> {
    this.clientId = clientId;
    return this.request('initialize', { protocolVersion: 1, clientId, initialSubscriptions });
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }
  notify(method: string, params: unknown): void {
    this.send({ jsonrpc: '2.0', method, params });
  }
  /** Dispatches and answers with the echo. */
  async dispatch(action: StateAction | Record<string, unknown>): Promise<ActionEnvelope> {
    const clientSeq = this.post(action);
    return this.until(`the echo of ${String(action.type)}`, () => this.echo(clientSeq));
  }
  /** Dispatches without waiting; answers with the `clientSeq`. */
  post(action: StateAction | Record<string, unknown>): number {
    const clientSeq = ++this.#clientSeq;
    this.notify('dispatchAction', { clientSeq, action });
    return clientSeq;
  }
  echo(clientSeq: number): ActionEnvelope | undefined {
    return this.envelopes().find(({ origin }) => origin?.clientId === this.clientId && origin.clientSeq === clientSeq);
  }

  envelopes(): ActionEnvelope[] {
    return this.frames.filter(({ method }) => method === 'action').map(({ params }) => params as unknown as ActionEnvelope);
  }
  actions(type: string): Record<string, unknown>[] {
    return this.envelopes().flatMap(({ action }) => (action.type === type ? [action as unknown as Record<string, unknown>] : []));
  }
  notifications(): ProtocolNotification[] {
    return this.frames.flatMap(({ method, params }) => (method === 'notification' ? [params?.notification as ProtocolNotification] : []));
  }
  /** Waits for the `count`th action of a type. */
  async action(type: string, count = 1): Promise<Record<string, unknown>> {
    return this.until(`${type} (${count})`, () => this.actions(type)[count - 1]);
  }

  async snapshot(resource: string): Promise<Snapshot> {
    return (await this.request('subscribe', { resource })).snapshot;
  }
  async sessionState(session: string): Promise<SessionState> {
    return (await this.snapshot(session)).state as SessionState;
  }
  /** Subscribes to a session and waits until it is no longer being created. */
  async subscribed(session: string): Promise<void> {
    if ((await this.sessionState(session)).lifecycle !== 'creating') return;
    await this.until('the end of creation', () =>
      this.envelopes().find(
        ({ action }) => (action.type === 'session/ready' || action.type === 'session/creationFailed') && action.session === session,
      ),
    );
  }
  /** Everything that was sent before this has been handled when it resolves. */
  async settled(): Promise<void> {
    await this.request('listSessions', {});
  }
  async whenClosed(): Promise<{ code: number; reason: string }> {
    return this.until('the end of the connection', () => this.closed);
  }

  #wake(): void {
    for (const wait of [...this.#waits]) wait();
  }
}
