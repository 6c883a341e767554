/** The gateway without any transport: who is connected, which sessions there are, and what holds between them. */
import type { Clock } from '../base/clock.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Logger } from '../base/log.ts';
import { Time } from '../tap/wire/limits.ts';
import { CloseCode } from '../tap/wire/closeCodes.ts';
import type { GatewayStatus, OwnerEvents, SessionRegistration } from '../tap/wire/ownerMessages.ts';
import { CallIds, newIdKey } from './tools/callIds.ts';
import { CompileBudgets } from './limits/compileBudget.ts';
import { Consents } from './trust/consents.ts';
import { Diagnostics } from './process/diagnostics.ts';
import { Dispatcher } from './tools/dispatch.ts';
import { readFileResult } from './tools/fileResult.ts';
import { Grants, type Trust } from './trust/grants.ts';
import { Hooks } from './hooks/hooks.ts';
import { Pairings } from './trust/pairings.ts';
import { PersistDirs } from './tools/persistDirs.ts';
import type { Binding, Provider } from './sessions/provider.ts';
import type { ProviderConnection } from './connections/providerConnection.ts';
import { Reconnects } from './trust/reconnects.ts';
import { Registrar } from './sessions/registrar.ts';
import type { Session, SessionOwner } from './sessions/session.ts';
import { Sessions } from './sessions/sessions.ts';
import { ToolAnnouncer } from './tools/toolAnnouncer.ts';
import { Updates } from './hooks/updates.ts';

export interface GatewayOptions {
  clock: Clock;
  logger: Logger;
  version: string;
  /** Of this installation: ids of calls are known by it after a restart. Absent: a new one. */
  idKey?: string;
  /** Folder of files that providers keep. */
  home: string;
}

export class Gateway implements Disposable {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly grants: Grants;
  readonly callIds: CallIds;
  readonly sessions: Sessions;
  readonly announcer: ToolAnnouncer;
  readonly dispatcher: Dispatcher;
  readonly hooks: Hooks;
  readonly updates: Updates;
  readonly reconnects: Reconnects;
  readonly compileBudgets: CompileBudgets;
  readonly registrar = new Registrar(this);
  readonly pairings: Pairings;
  readonly consents: Consents;
  readonly diagnostics: Diagnostics;
  readonly persistDirs: PersistDirs;
  readonly connections = new Set<ProviderConnection>();
  readonly #owners = new Set<SessionOwner>();
  readonly #providers = new Map<Provider, ProviderConnection>();
  readonly #disposables = new DisposableStore();

  constructor(private readonly options: GatewayOptions) {
    const { clock, logger } = options;
    this.clock = clock;
    this.logger = logger;
    this.grants = new Grants();
    this.callIds = new CallIds(options.idKey ?? newIdKey());
    this.diagnostics = new Diagnostics(clock);
    this.persistDirs = new PersistDirs(options.home);
    this.sessions = new Sessions(clock);
    this.announcer = new ToolAnnouncer(clock);
    this.updates = new Updates(this, clock);
    this.reconnects = new Reconnects(clock);
    this.compileBudgets = new CompileBudgets(() => clock.now());
    this.dispatcher = new Dispatcher({
      clock,
      readFile: async (file, provider) =>
        provider.trust === 'external'
          ? { ok: false, error: 'File results are for local providers', errorCode: 'UNAUTHORIZED' }
          : readFileResult(file, this.persistDirs.pathOf(provider.name)),
    });
    this.hooks = new Hooks({ clock, isActive: ({ provider }) => !provider.needsConsent || this.consents.isGiven(provider.name) });
    this.consents = new Consents((provider, wants) => {
      const sessionIds = [...this.#providers.keys()]
        .filter(({ name }) => name === provider)
        .flatMap(({ bindings }) => [...bindings.keys()]);
      this.#tellOwners('consent/asked', { provider, sessionIds, wants: [...wants] });
    });
    this.pairings = new Pairings({
      clock,
      started: (pairing) => this.#tellOwners('pairing/started', pairing),
      ended: (pairingId, outcome) => this.#tellOwners('pairing/ended', { pairingId, outcome }),
    });
    this.#disposables.add(
      this.sessions.onDidChange(() => {
        for (const connection of this.connections) connection.sessionsChanged();
      }),
    );
    this.#disposables.add(this.sessions.onDidEnd((session) => this.#tearDown(session)));
  }

  get owners(): ReadonlySet<SessionOwner> {
    return this.#owners;
  }

  /** Disposing the result ends the owner's sessions. */
  attach(owner: SessionOwner): Disposable {
    this.#owners.add(owner);
    for (const pairing of this.pairings.announcements()) owner.notify('pairing/started', pairing);
    return {
      dispose: () => {
        this.#owners.delete(owner);
        for (const session of this.sessions.all) if (session.owner === owner) void this.sessions.end(session);
      },
    };
  }

  findProvider(trust: Trust, name: string, instance: string): Provider | undefined {
    return [...this.#providers.keys()].find(
      (provider) => provider.trust === trust && provider.name === name && provider.instance === instance,
    );
  }

  /** From the registrar, after all checks. */
  add(provider: Provider, sessions: readonly Session[]): void {
    for (const session of sessions) {
      provider.bind(session);
      this.announcer.changed(session);
    }
    this.dispatcher.touch(provider);
  }

  /** From its connection, once it is bound. */
  connected(provider: Provider, connection: ProviderConnection): void {
    this.#providers.set(provider, connection);
    const { base, startupContext } = provider;
    this.askConsent(provider, [
      ...(base.rules.length || base.transforms.size ? ['hooks'] : []),
      ...(base.context || startupContext ? ['context'] : []),
    ]);
    this.logger.info(`Provider ${provider.id} (${provider.trust}) is bound to ${provider.bindings.size} session(s)`);
  }

  /** Its tools, rules and questions go; before a rebind its connection stays. */
  remove(provider: Provider, why: 'DISCONNECTED' | 'REBOUND'): void {
    this.#providers.delete(provider);
    for (const binding of [...provider.bindings.values()]) this.unbind(binding);
    provider.link.lose(why);
  }

  unbind(binding: Binding): void {
    binding.provider.unbind(binding);
    this.sessions.ready(binding);
    this.announcer.changed(binding.session);
  }

  disconnect(provider: Provider, code: number, reason: string): void {
    this.#providers.get(provider)?.close(code, reason);
  }

  /** For a provider that has nothing but the file token. */
  askConsent(provider: Provider, wants: readonly string[]): void {
    if (provider.needsConsent) this.consents.need(provider.name, wants);
  }

  /** A token for one provider that runs for this session. Disposing the result takes it back, with what came by it. */
  grantTo(session: Session, providerName: string): { token: string } & Disposable {
    const token = this.grants.issueSpawnToken(session.id, providerName);
    const grant = this.grants.find(token, undefined);
    return {
      token,
      dispose: () => {
        this.grants.revoke((other) => other === grant);
        for (const connection of [...this.connections])
          if (connection.grant === grant) connection.close(CloseCode.GoingAway, 'the token was taken back');
      },
    };
  }

  /** What the owner says about a session that it has registered. */
  updateSession(session: Session, change: Partial<SessionRegistration>): void {
    if (this.sessions.update(session, change)) this.#tellProviders(session, 'idle');
    if (change.agentTools) this.announcer.changed(session);
  }

  sessionEvent(session: Session, event: string, data: Record<string, unknown>, byUser: boolean): void {
    if (byUser) session.inbox.userSpoke();
    for (const { provider } of [...session.bindings]) {
      if (provider.subscriptions.has(event) && !provider.link.send({ type: 'session.event', sessionId: session.id, event, data }))
        this.logger.warn(`${JSON.stringify(event)} is too large for the provider ${provider.id} and left out`);
    }
  }

  status(): GatewayStatus {
    const { diagnostics } = this;
    return {
      version: this.options.version,
      pid: process.pid,
      uptimeMs: this.clock.now() - diagnostics.startedAt,
      sessions: this.sessions.all.map(({ id, label, inbox, ending, tools, bindings }) => ({
        id,
        label,
        idle: inbox.isIdle,
        ending: ending !== undefined,
        tools: tools.size,
        providers: [...bindings].map(({ provider }) => provider.id),
        queuedInjects: inbox.queued,
        droppedInjects: inbox.dropped,
      })),
      providers: [...this.#providers.keys()].map((provider) => ({
        id: provider.id,
        name: provider.name,
        instance: provider.instance,
        trust: provider.trust,
        sessions: [...provider.bindings.keys()],
        tools: [...provider.base.tools.keys()],
        pendingCalls: provider.link.pending('tool').length,
        awaitsConsent: provider.needsConsent && this.consents.isPending(provider.name),
        metadata: provider.metadata,
      })),
      connections: this.connections.size,
      queuedCalls: this.dispatcher.queued,
      counters: { ...diagnostics.counters },
      lastErrors: [...diagnostics.lastErrors],
    };
  }

  /** Ends every session, with time for the providers to clean up, then closes every connection. */
  async shutDown(deadlineMs: number = Time.shutdownMs): Promise<void> {
    await Promise.all(this.sessions.all.map((session) => this.sessions.end(session, deadlineMs)));
    this.dispose();
  }

  dispose(): void {
    for (const connection of [...this.connections]) connection.close(CloseCode.GoingAway, 'the gateway is shutting down');
    this.#disposables.dispose();
  }

  #tearDown(session: Session): void {
    this.dispatcher.cancelAll(session, 'the session has ended');
    this.grants.revoke((grant) => grant.kind === 'spawn' && grant.sessionId === session.id);
    for (const binding of [...session.bindings]) {
      const isReady = !session.ending?.waitingFor.has(binding);
      const { provider } = binding;
      provider.unbind(binding);
      if (provider.bindings.size) continue;
      const connection = this.#providers.get(provider);
      if (isReady) connection?.lostLastSession(provider);
      else connection?.close(CloseCode.GoingAway, 'the session has ended');
    }
    const held = new Set([...this.connections].map(({ grant }) => grant));
    this.grants.revoke((grant) => grant.kind === 'paired' && grant.sessionId === session.id && !held.has(grant));
  }

  #tellProviders(session: Session, state: string): void {
    for (const { provider } of [...session.bindings]) provider.link.send({ type: 'session.lifecycle', sessionId: session.id, state });
  }

  #tellOwners<E extends keyof OwnerEvents>(event: E, params: OwnerEvents[E]): void {
    for (const owner of this.#owners) owner.notify(event, params);
  }
}
