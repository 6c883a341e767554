/**
 * A small agent host for tests of the client, without a socket: a memory of states that real reducers keep, and every method replaceable,
 * so that a test can give it one fault.
 */
import { JsonRpcPeer, RpcError } from '../../src/base/jsonRpc.ts';
import { type ActionEnvelope, type ActionOrigin, resourceOf, type StateAction } from '../../src/ahp/v1/actions.ts';
import type { ResourceState } from '../../src/ahp/v1/commands.ts';
import type { ProtocolNotification } from '../../src/ahp/v1/notifications.ts';
import { reducerFor } from '../../src/ahp/v1/reducers/reduceAll.ts';
import { ROOT_URI } from '../../src/ahp/v1/root.ts';
import type { SessionState, SessionSummary } from '../../src/ahp/v1/session.ts';
import type { TerminalState } from '../../src/ahp/v1/terminal.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into whatever a client sent
type Params = any;

export class FakeConnection {
  readonly subscriptions = new Set<string>();
  clientId = '';
  readonly peer: JsonRpcPeer;

  constructor(
    readonly host: FakeHost,
    readonly sendText: (text: string) => void,
    readonly close: (code?: number, reason?: string) => void,
  ) {
    this.peer = new JsonRpcPeer('server', sendText, {
      onRequest: (method, params) => this.#handle(method, params),
      onNotification: (method, params) => void this.#handle(method, params),
    });
  }

  receive(text: string): void {
    this.peer.receive(text);
  }

  sendEnvelope(envelope: ActionEnvelope): void {
    this.peer.notify('action', envelope);
  }

  #handle(method: string, params: Params): unknown {
    this.host.received.push({ connection: this.host.connections.indexOf(this), method, params });
    const handler = this.host.methods[method];
    if (!handler) throw new RpcError(-32603, `Unknown method: ${method}`);
    return handler(params, this);
  }
}

export class FakeHost {
  readonly connections: FakeConnection[] = [];
  readonly received: { connection: number; method: string; params: Params }[] = [];
  readonly states = new Map<string, ResourceState>([[ROOT_URI, { agents: [] }]]);
  summaries: SessionSummary[] = [];
  log: ActionEnvelope[] = [];
  serverSeq = 1;
  readonly #lastClientSeqs = new Map<string, number>();

  /** Replace one for a fault. A method that never settles is a silent one. */
  readonly methods: Record<string, (params: Params, connection: FakeConnection) => unknown> = {
    initialize: ({ clientId, initialSubscriptions = [] }, connection) => {
      connection.clientId = clientId;
      const known = (initialSubscriptions as string[]).filter((uri) => this.states.has(uri) && !uri.startsWith('agenthost-terminal:'));
      return {
        protocolVersion: this.protocolVersion,
        serverSeq: this.serverSeq,
        snapshots: known.map((uri) => this.subscribe(uri, connection)),
      };
    },
    reconnect: ({ clientId, lastSeenServerSeq, subscriptions }, connection) => {
      connection.clientId = clientId;
      for (const uri of subscriptions as string[]) connection.subscriptions.add(uri);
      const actions = this.log.filter(
        (envelope) => envelope.serverSeq > lastSeenServerSeq && connection.subscriptions.has(this.resourceOf(envelope) ?? ''),
      );
      return { type: 'replay', actions };
    },
    subscribe: (params, connection) => {
      const resource = this.namedIn(params);
      if (!this.states.has(resource)) throw new RpcError(-32001, `Session not found: ${resource}`);
      return { snapshot: this.subscribe(resource, connection) };
    },
    unsubscribe: (params, connection) => void connection.subscriptions.delete(this.namedIn(params)),
    listSessions: () => ({ items: this.summaries }),
    authenticate: () => ({}),
    dispatchAction: (params, { clientId }) => {
      const { clientSeq, action } = params;
      const isInOrder = clientSeq > (this.#lastClientSeqs.get(clientId) ?? 0);
      this.#lastClientSeqs.set(clientId, clientSeq);
      const refusal = isInOrder ? undefined : `clientSeq ${clientSeq} is not greater than the last one`;
      this.emit(action, { clientId, clientSeq }, refusal, this.namedIn(params));
    },
  };

  // What another dialect has otherwise.
  protected get protocolVersion(): number | string {
    return 1;
  }
  /** The resource that the params of a request name. */
  protected namedIn(params: Params): string {
    return params.resource;
  }
  protected resourceOf({ action }: ActionEnvelope): string | undefined {
    return resourceOf(action);
  }
  protected reduced(uri: string, state: ResourceState, action: StateAction): ResourceState {
    return reducerFor(uri)(state, action, 0);
  }

  accept(sendText: (text: string) => void, close: (code?: number, reason?: string) => void): FakeConnection {
    const connection = new FakeConnection(this, sendText, close);
    this.connections.push(connection);
    return connection;
  }

  /** The newest connection. */
  get connection(): FakeConnection {
    const connection = this.connections.at(-1);
    if (!connection) throw new Error('nobody has connected');
    return connection;
  }

  subscribe(uri: string, connection: FakeConnection) {
    connection.subscriptions.add(uri);
    return { resource: uri, state: this.states.get(uri), fromSeq: this.serverSeq };
  }

  /** Applies an action, and tells whoever is subscribed. With a `rejectionReason` it is only told. `channel`: where actions do not name it. */
  emit(action: StateAction, origin?: ActionOrigin, rejectionReason?: string, channel?: string): ActionEnvelope {
    const envelope: ActionEnvelope = {
      ...(channel !== undefined && { channel }),
      action,
      serverSeq: ++this.serverSeq,
      ...(origin && { origin }),
      ...(rejectionReason !== undefined && { rejectionReason }),
    };
    const uri = this.resourceOf(envelope) ?? '';
    const state = this.states.get(uri);
    if (state && rejectionReason === undefined) this.states.set(uri, this.reduced(uri, state, action));
    this.log.push(envelope);
    for (const connection of this.connections) if (connection.subscriptions.has(uri)) connection.sendEnvelope(envelope);
    return envelope;
  }

  notify(notification: ProtocolNotification): void {
    this.connection.peer.notify('notification', { notification });
  }

  /** The params of what was received by this method name, in order. */
  paramsOf(method: string): Params[] {
    return this.received.filter((frame) => frame.method === method).map(({ params }) => params);
  }

  /** What was received on the newest connection, as `method` or `method uri`. */
  get order(): string[] {
    const newest = this.connections.length - 1;
    return this.received
      .filter(({ connection }) => connection === newest)
      .map(({ method, params }) => [method, params?.resource ?? params?.action?.type].filter(Boolean).join(' '));
  }
}

export function sessionSummary(resource: string, title = 'a session'): SessionSummary {
  return { resource, provider: 'demo', title, status: 1, createdAt: 1, modifiedAt: 1 };
}
export function sessionState(resource: string, title = 'a session'): SessionState {
  return { summary: sessionSummary(resource, title), lifecycle: 'ready', turns: [] };
}
export function terminalState(): TerminalState {
  return { title: 'sh', content: [], claim: { kind: 'client', clientId: 'somebody' } };
}
