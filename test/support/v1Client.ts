/**
 * A client of AHP v1, in April's words alone: one connection, April's reducers, nothing of the client that is under test elsewhere. It
 * neither reconnects nor shows what is pending.
 */
import assert from 'node:assert/strict';
import { parseHostUrl } from '../../src/ahp/client/connection/hostUrl.ts';
import { connectNodeTransport } from '../../src/ahp/client/nodeTransport.ts';
import type { Settlement } from '../../src/ahp/client/resources/subscription.ts';
import type { Transport, TransportFactory } from '../../src/ahp/client/transport.ts';
import { type ActionEnvelope, resourceOf, type StateAction } from '../../src/ahp/v1/actions.ts';
import { type Command, type CommandParams, type CommandResult, PROTOCOL_VERSION, type ResourceState } from '../../src/ahp/v1/commands.ts';
import type { ProtocolNotification } from '../../src/ahp/v1/notifications.ts';
import { reduceAll, reducerFor } from '../../src/ahp/v1/reducers/reduceAll.ts';
import { ROOT_URI, type RootState } from '../../src/ahp/v1/root.ts';
import type { SessionState } from '../../src/ahp/v1/session.ts';
import type { TerminalState } from '../../src/ahp/v1/terminal.ts';
import { Emitter } from '../../src/base/event.ts';
import { JsonRpcPeer, RpcError, RpcErrorCode } from '../../src/base/jsonRpc.ts';

const REQUEST_MS = 30_000;

export interface V1ClientOptions {
  readonly url: string;
  readonly token?: string;
  readonly clientId?: string;
  /** `_meta` of its `initialize`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Answers the host's requests. Absent: they are refused. */
  readonly onHostRequest?: (method: string, params: unknown) => unknown;
  readonly transport?: TransportFactory;
}

export type V1Status = { readonly kind: 'loading' | 'live' } | { readonly kind: 'failed'; readonly error: { readonly message: string } };

/** A resource as the host has it. */
export class V1Resource<S extends ResourceState = ResourceState> {
  state: S | undefined;
  status: V1Status = { kind: 'loading' };
  readonly #change = new Emitter<StateAction | undefined>();
  /** With the action, if it is one. */
  readonly onDidChange = this.#change.event;
  #fromSeq = 0;
  /** Before the snapshot. */
  readonly #early: ActionEnvelope[] = [];

  constructor(readonly uri: string) {}

  load(state: S, fromSeq: number): void {
    this.state = state;
    this.#fromSeq = fromSeq;
    this.status = { kind: 'live' };
    this.#change.fire(undefined);
    for (const envelope of this.#early.splice(0)) this.receive(envelope);
  }
  fail(message: string): void {
    this.status = { kind: 'failed', error: { message } };
    this.#change.fire(undefined);
  }
  receive(envelope: ActionEnvelope): void {
    if (!this.state) {
      this.#early.push(envelope);
      return;
    }
    const { action, serverSeq } = envelope;
    if (serverSeq <= this.#fromSeq) return;
    this.state = reduceAll(reducerFor(this.uri), this.state as ResourceState, [action], Date.now()) as S;
    this.#change.fire(action);
  }
}

export class V1Client {
  readonly clientId: string;
  hostMeta: Readonly<Record<string, unknown>> = {};
  readonly #notification = new Emitter<ProtocolNotification>();
  readonly onNotification = this.#notification.event;
  readonly #peer: JsonRpcPeer;
  readonly #resources = new Map<string, V1Resource>();
  readonly #unsettled = new Map<number, (settlement: Settlement) => void>();
  #clientSeq = 0;

  static async connect(options: V1ClientOptions): Promise<V1Client> {
    const address = parseHostUrl(options.url, options.token)?.connect ?? options.url;
    const transport = await (options.transport ?? connectNodeTransport())(address, new AbortController().signal);
    const client = new V1Client(transport, options);
    const root = client.#resource<RootState>(ROOT_URI);
    const initialize = { protocolVersion: PROTOCOL_VERSION, clientId: client.clientId, initialSubscriptions: [ROOT_URI] };
    const answer = await client.request('initialize', { ...initialize, ...(options.meta && { _meta: options.meta }) });
    client.hostMeta = (answer as { _meta?: Readonly<Record<string, unknown>> })._meta ?? {};
    for (const { state, fromSeq } of answer.snapshots) root.load(state as RootState, fromSeq);
    return client;
  }

  private constructor(
    private readonly transport: Transport,
    { clientId = crypto.randomUUID(), onHostRequest = refuse }: V1ClientOptions,
  ) {
    this.clientId = clientId;
    this.#peer = new JsonRpcPeer('client', (text) => transport.send(text), {
      onRequest: onHostRequest,
      onNotification: (method, params) => {
        if (method === 'action') this.#receive(params as ActionEnvelope);
        if (method === 'notification') this.#notification.fire((params as { notification: ProtocolNotification }).notification);
      },
    });
    transport.onMessage((text) => this.#peer.receive(text));
    transport.onClose(() => {
      this.#peer.dispose(new Error('the connection was lost'));
      for (const settle of this.#unsettled.values()) settle({ kind: 'unknown', reason: 'the connection was lost' });
    });
  }

  async request<M extends Command>(method: M, params: CommandParams<M>, timeoutMs = REQUEST_MS): Promise<CommandResult<M>> {
    return (await this.#peer.request(method, params, timeoutMs)) as CommandResult<M>;
  }
  /** A request of an extension of ours. */
  async requestOwn(method: `tapline/${string}`, params: object): Promise<void> {
    await this.#peer.request(method, params, REQUEST_MS);
  }

  /** Settles with the echo. A resource that is not subscribed would have none. */
  dispatch(uri: string, action: StateAction): { readonly settled: Promise<Settlement> } {
    assert.ok(this.#resources.has(uri), `${uri} is not subscribed`);
    const clientSeq = ++this.#clientSeq;
    const settled = new Promise<Settlement>((resolve) => this.#unsettled.set(clientSeq, resolve));
    this.#peer.notify('dispatchAction', { clientSeq, action });
    return { settled };
  }

  /** Readers of one resource share it. */
  subscribe<S extends ResourceState = ResourceState>(uri: string): V1Resource<S> {
    const known = this.#resources.get(uri) as V1Resource<S> | undefined;
    if (known && known.status.kind !== 'failed') return known;
    const resource = this.#resource<S>(uri);
    this.request('subscribe', { resource: uri }).then(
      ({ snapshot }) => resource.load(snapshot.state as S, snapshot.fromSeq),
      (error: unknown) => resource.fail(String(error)),
    );
    return resource;
  }
  subscribeRoot(): V1Resource<RootState> {
    return this.subscribe(ROOT_URI);
  }
  subscribeSession(uri: string): V1Resource<SessionState> {
    return this.subscribe(uri);
  }
  subscribeTerminal(uri: string): V1Resource<TerminalState> {
    return this.subscribe(uri);
  }

  unsubscribe(uri: string): void {
    this.#resources.delete(uri);
    this.#peer.notify('unsubscribe', { resource: uri });
  }

  close(): void {
    this.transport.close();
  }

  #resource<S extends ResourceState>(uri: string): V1Resource<S> {
    const resource = new V1Resource<S>(uri);
    this.#resources.set(uri, resource as unknown as V1Resource);
    return resource;
  }

  #receive(envelope: ActionEnvelope): void {
    const { action, origin, rejectionReason } = envelope;
    if (rejectionReason === undefined) this.#resources.get(resourceOf(action) ?? '')?.receive(envelope);
    if (origin?.clientId !== this.clientId) return;
    const settle = this.#unsettled.get(origin.clientSeq);
    this.#unsettled.delete(origin.clientSeq);
    settle?.(rejectionReason === undefined ? { kind: 'confirmed' } : { kind: 'rejected', reason: rejectionReason });
  }
}

function refuse(method: string): never {
  throw new RpcError(RpcErrorCode.MethodNotFound, `this client does not serve ${method}`);
}
