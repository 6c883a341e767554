/** The gateway without its transports: connections, sessions, and the parts that connect them. */
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/event.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Logger } from '../base/log.ts';
import { keyOf } from '../base/server/challenge.ts';
import { CloseCode } from '../tap/wire/closeCodes.ts';
import { CallErrorCode } from '../tap/wire/errorCodes.ts';
import type { Consent } from '../tap/wire/gatewayMessages.ts';
import { Time } from '../tap/wire/limits.ts';
import type { GatewayStatus, OwnerEvents, SessionRegistration, TrustRecord } from '../tap/wire/owner/ownerMessages.ts';
import { LineTime } from './emitters/lineTime.ts';
import { Emitters } from './emitters/emitters.ts';
import { Evidence } from './evidence/evidence.ts';
import { judgementRecord } from './evidence/judgementRecord.ts';
import { Ledger } from './evidence/ledger.ts';
import { noRecords, type Records } from './records/records.ts';
import { Hooks } from './hooks/hooks.ts';
import { Owners } from './owners/owners.ts';
import { CompileBudgets } from './limits/compileBudget.ts';
import { OwedAnswers } from './limits/owedAnswers.ts';
import { Diagnostics } from './process/diagnostics.ts';
import { Journals } from './journals/journals.ts';
import { Reconnects } from './sessions/reconnects.ts';
import { Registrar } from './sessions/registrar.ts';
import type { Binding, Provider, Session, SessionOwner } from './sessions/session.ts';
import { Sessions } from './sessions/sessions.ts';
import { Updates } from './sessions/updates.ts';
import { Dispatcher } from './tools/dispatch.ts';
import { readFileResult } from './tools/fileResult.ts';
import { PersistDirs } from './tools/persistDirs.ts';
import { ToolAnnouncer } from './tools/toolAnnouncer.ts';
import { noTracing, type Tracing } from './traces/tracing.ts';
import { CallIds, newIdKey } from './trust/callIds.ts';
import { Consents } from './trust/consents.ts';
import { type Grant, Grants } from './trust/tokenGrants.ts';
import { EarlierTokens } from './trust/earlierTokens.ts';
import { Pairings } from './trust/pairings.ts';
import { Succession } from './trust/succession.ts';
import { TokenHistory } from './trust/tokenHistory.ts';

export interface GatewayOptions {
  clock: Clock;
  logger: Logger;
  version: string;
  /** Key of this installation that marks the ids of calls, so that they are known after a restart. Default: a new key. */
  idKey?: string;
  /** The folder in which providers keep files. */
  home: string;
  /** Where what of a session outlives a gateway that is killed is kept. Default: nothing is. */
  journalsFolder?: string;
  /** How long the calls of an owner that has gone wait for it. Default: `Time.graceMs`. */
  ownerGraceMs?: number;
  /** Where it listens. */
  port?: number;
  /** A file token that was kept. Default: a new one. */
  fileToken?: string;
  /** Where the file token is, for programs that have another one. */
  tokenFile?: string;
  /** The file tokens of the gateways before this one. */
  history?: TokenHistory;
  /** Default: none are kept. */
  records?: Records;
  /** Default: there are none. */
  tracing?: Tracing;
}

/** The parts of a provider's connection that the gateway uses. */
export interface Connection {
  /** The name of its state. In `AwaitAuth` it has not authenticated. */
  readonly state: string;
  /** Set for a web page that is not the gateway's own. */
  readonly origin: string | undefined;
  /** The grant of its token, once it has authenticated. */
  readonly grant: Grant | undefined;
  /** Closes the connection to make room for another. */
  giveWay(): void;
  sessionsChanged(): void;
  /** The provider's last session has ended, and the provider was ready for it. */
  lostLastSession(provider: Provider): void;
  close(code: number, reason: string): void;
}

export class Gateway implements Disposable {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly grants: Grants;
  readonly history: TokenHistory;
  readonly records: Records;
  readonly tracing: Tracing;
  readonly succession: Succession;
  readonly earlierTokens: EarlierTokens;
  readonly callIds: CallIds;
  /** How long something waits for an owner that has gone. */
  readonly ownerGraceMs: number;
  readonly sessions: Sessions;
  readonly emitters: Emitters;
  readonly evidence: Evidence;
  readonly ledger: Ledger;
  readonly owners: Owners;
  readonly announcer: ToolAnnouncer;
  readonly dispatcher: Dispatcher;
  readonly hooks: Hooks;
  readonly updates: Updates;
  readonly reconnects: Reconnects;
  readonly registrar: Registrar;
  readonly pairings: Pairings;
  readonly consents: Consents;
  readonly diagnostics: Diagnostics;
  readonly persistDirs: PersistDirs;
  readonly owedAnswers = new OwedAnswers();
  readonly connections = new Set<Connection>();
  readonly #didTakeOver = new Emitter<void>();
  /** The token of the file is the one of the gateway before this one. */
  readonly onDidTakeOver = this.#didTakeOver.event;
  readonly #attached = new Set<SessionOwner>();
  readonly #providers = new Map<Provider, Connection>();
  /** What each provider was told last. */
  readonly #toldConsent = new WeakMap<Provider, string | undefined>();
  readonly #disposables = new DisposableStore();
  readonly #journals: Journals | undefined;
  #isEnding = false;

  constructor(private readonly options: GatewayOptions) {
    const { clock, logger } = options;
    this.clock = clock;
    this.logger = logger;
    this.grants = new Grants(options.fileToken);
    this.history = options.history ?? new TokenHistory();
    this.records = options.records ?? noRecords;
    this.tracing = options.tracing ?? noTracing;
    this.earlierTokens = new EarlierTokens(this.history, this.grants);
    this.succession = this.#disposables.add(
      new Succession({ clock, history: this.history, port: options.port, take: (record) => this.#takeOver(record) }),
    );
    this.grants.onDidChange(() => this.#tellOwners('trust/changed', this.grants.record));
    this.callIds = new CallIds(options.idKey ?? newIdKey());
    this.diagnostics = new Diagnostics(clock);
    this.persistDirs = new PersistDirs(options.home);
    this.ownerGraceMs = options.ownerGraceMs ?? Time.graceMs;
    const time = new LineTime();
    this.#journals = this.#newJournals(options.journalsFolder, time);
    this.sessions = new Sessions(clock, {
      journals: this.#journals,
      note: (...note) => this.records.note(...note),
      tracing: this.tracing,
    });
    this.emitters = new Emitters({ clock, time, logger });
    this.evidence = new Evidence(() => clock.now());
    this.ledger = new Ledger(clock);
    this.ledger.onDidJudge(({ session, judgement }) => {
      session.owner.notify('goal/judged', { sessionId: session.id, judgement });
      session.note(judgement.kind, judgementRecord(judgement));
    });
    const goesOn = (session: Session) => this.emitters.isWatching(session);
    this.owners = this.#disposables.add(new Owners({ clock, sessions: this.sessions, goesOn, graceMs: this.ownerGraceMs }));
    this.announcer = new ToolAnnouncer(clock);
    this.reconnects = this.#disposables.add(new Reconnects(clock));
    const compileBudgets = new CompileBudgets(() => clock.now());
    const { toolsOf, changed: toolsChanged } = this.announcer;
    this.updates = new Updates({ clock, compileBudgets, toolsChanged, askConsent: (provider) => this.#askConsent(provider) });
    this.registrar = new Registrar({
      sessions: this.sessions,
      reconnects: this.reconnects,
      compileBudgets,
      findProvider: (group, instance) => this.#findProvider(group, instance),
      disconnect: (provider, code, reason) => this.#providers.get(provider)?.close(code, reason),
      add: (provider, sessions) => this.add(provider, sessions),
    });
    this.dispatcher = new Dispatcher({
      clock,
      toolsOf,
      readFile: async (file, provider) =>
        provider.trust === 'external'
          ? { ok: false, error: 'File results are for local providers', errorCode: CallErrorCode.Unauthorized }
          : readFileResult(file, this.persistDirs.pathOf(provider.name)),
    });
    this.hooks = new Hooks({
      clock,
      providerOf: (session, tool) => toolsOf(session).get(tool)?.bindings[0]?.provider.name,
      isActive: ({ provider }) => !provider.needsConsent || this.consents.isGiven(provider.name),
    });
    this.consents = new Consents({
      asked: (provider, wants) => this.#tellOwners('consent/asked', { provider, sessionIds: this.#sessionsOf(provider), wants }),
      decided: (decision) => {
        this.#tellOwners('consent/decided', decision);
        if (decision.allow !== undefined) this.#tellConsent(decision.provider);
      },
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
    this.#disposables.add(
      this.sessions.onWillEnd((session) => {
        if (!this.#outlives(session)) session.journal?.delete();
        this.emitters.stopAll(session);
      }),
    );
    this.#disposables.add(this.sessions.onDidEnd((session) => this.#tearDown(session)));
  }

  /** Disposing the result ends the owner's sessions, except for those that wait for it. */
  attach(owner: SessionOwner): Disposable {
    this.#attached.add(owner);
    owner.notify('trust/changed', this.grants.record);
    for (const pairing of this.pairings.announcements()) owner.notify('pairing/started', pairing);
    for (const { provider, wants } of this.consents.pending)
      owner.notify('consent/asked', { provider, sessionIds: this.#sessionsOf(provider), wants });
    return {
      dispose: () => {
        this.#attached.delete(owner);
        for (const session of this.sessions.all) if (session.owner === owner && !session.isLeft) void this.sessions.end(session);
      },
    };
  }

  /** Called after all checks have passed. */
  add(provider: Provider, sessions: readonly Session[]): void {
    for (const session of sessions) {
      provider.bind(session);
      this.announcer.changed(session);
    }
    this.dispatcher.touch(provider);
  }

  /** Called by the connection when the provider is bound. */
  connected(provider: Provider, connection: Connection): void {
    this.#providers.set(provider, connection);
    const { grant, name } = provider;
    this.grants.bound(grant, name, [...provider.bindings.keys()][0]);
    if (grant.key === 'file') this.history.used(keyOf(this.grants.fileToken), name);
    this.#needConsent(provider);
    this.logger.info(`Provider ${provider.id} (${provider.trust}) is bound to ${provider.bindings.size} session(s)`);
  }

  /** Removes its tools, rules and open questions. Before a rebind its connection stays open. */
  remove(provider: Provider, why: 'disconnected' | 'rebound'): void {
    this.#providers.delete(provider);
    for (const binding of [...provider.bindings.values()]) this.unbind(binding);
    provider.link.lose(why);
  }

  unbind(binding: Binding): void {
    binding.provider.unbind(binding);
    this.sessions.ready(binding);
    this.announcer.changed(binding.session);
  }

  /** What became of the question to the user, as the provider is told; undefined where it needs no consent. Called once for each telling. */
  consentOf(provider: Provider): Consent | undefined {
    if (!provider.needsConsent) return undefined;
    const consent = { decision: this.consents.decisionOn(provider.name), wants: provider.wants };
    const given = consent.wants.length ? consent : undefined;
    this.#toldConsent.set(provider, JSON.stringify(given));
    return given;
  }

  /** Providers of this name lose their hooks and context until the user has decided again. */
  forgetConsent(name: string): void {
    this.consents.forget(name);
    for (const provider of this.#providers.keys()) if (provider.name === name) this.#needConsent(provider);
    this.#tellConsent(name);
  }

  /** For a program whose token is refused. The user is shown that it waits, if the token was one of an earlier gateway. */
  whyRefused(token: string): string {
    const { tokenFile } = this.options;
    const why = this.earlierTokens.refused(token) ? 'the token is of an earlier gateway' : 'the token is not valid';
    if (tokenFile === undefined) return why;
    return `${why}. The one of this gateway is in ${tokenFile}. A terminal that was opened before the gateway has started has an earlier one in TAP_PROVIDER_TOKEN: open another one`;
  }

  /** Ends what the user has granted by a pairing. Its holder may only ask for another pairing. */
  revokePairing(id: string): void {
    this.#revoke((grant) => grant.kind === 'paired' && grant.key === id, 'the user has revoked the pairing');
  }

  /** A token for one provider that runs for this session. Disposing the result revokes it and closes the connections that used it. */
  grantTo(session: Session, providerName: string): { token: string } & Disposable {
    const token = this.grants.issueSpawnToken(session.id, providerName);
    const grant = this.grants.find(token, undefined);
    return {
      token,
      dispose: () => this.#revoke((other) => other === grant, 'the token was revoked'),
    };
  }

  /** Applies a change that the owner reports. */
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
      sessions: this.sessions.all.map((session) => ({
        id: session.id,
        label: session.label,
        idle: session.inbox.isIdle,
        ending: session.ending !== undefined,
        tools: this.announcer.toolsOf(session).size,
        providers: [...session.bindings].map(({ provider }) => provider.id),
        queuedInjects: session.inbox.queued,
        droppedInjects: session.inbox.dropped,
        judged: this.ledger.counts(session),
      })),
      providers: [...this.#providers.keys()].map((provider) => ({
        id: provider.id,
        name: provider.name,
        instance: provider.instance,
        trust: provider.trust,
        sessions: [...provider.bindings.keys()],
        isForAll: provider.isForAll,
        tools: [...provider.base.tools.keys()],
        pendingCalls: provider.link.pending('tool').length,
        needsConsent: provider.needsConsent,
        awaitsConsent: provider.needsConsent && provider.wants.length > 0 && this.consents.decisionOn(provider.name) === 'asked',
        wants: provider.wants,
        metadata: provider.metadata,
        ...(provider.grant.kind === 'paired' && { pairing: provider.grant.key }),
      })),
      pairings: this.#pairings(),
      consents: this.consents.status,
      earlierTokens: this.earlierTokens.waiting,
      emitters: this.emitters.status(),
      records: this.records.status,
      traces: this.tracing.status,
      calls: this.dispatcher.calls,
      connections: this.connections.size,
      queuedCalls: this.dispatcher.queued,
      counters: { ...diagnostics.counters },
      lastErrors: [...diagnostics.lastErrors],
    };
  }

  /** Ends every session, with time for the providers to clean up, and then closes every connection. */
  async shutDown(deadlineMs: number = Time.shutdownMs): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.sessions.all.map((session) => this.sessions.end(session, deadlineMs)));
    await this.emitters.dispose();
    this.dispose();
  }

  dispose(): void {
    for (const connection of [...this.connections]) connection.close(CloseCode.GoingAway, 'the gateway is shutting down');
    void this.emitters.dispose();
    this.#disposables.dispose();
  }

  /** This process is the gateway of its user, and nobody else is. */
  begin(): void {
    this.#journals?.sweep();
  }

  #newJournals(folder: string | undefined, time: LineTime): Journals | undefined {
    const { clock, logger, ownerGraceMs: graceMs } = this;
    if (folder === undefined) return undefined;
    return this.#disposables.add(new Journals({ folder, graceMs, clock, charge: (work) => time.charge(work), logger }));
  }

  /** It goes on at the next gateway if its owner is there to register it. */
  #outlives(session: Session): boolean {
    return this.#isEnding && !session.isLeft;
  }

  /** Asks for the user's consent where the provider needs it. */
  #needConsent(provider: Provider): void {
    if (provider.needsConsent) this.consents.need(provider.name, provider.wants);
  }

  /** After an update of a provider, which may want more or less than before. */
  #askConsent(provider: Provider): void {
    this.#needConsent(provider);
    this.#tellConsent(provider.name);
  }

  /** Tells the providers of this name what has changed for them. */
  #tellConsent(name: string): void {
    for (const provider of this.#providers.keys()) {
      if (provider.name !== name || !provider.needsConsent) continue;
      const told = this.#toldConsent.get(provider);
      const consent = this.consentOf(provider) ?? { decision: this.consents.decisionOn(name), wants: [] };
      if (this.#toldConsent.get(provider) !== told) provider.link.send({ type: 'consent.updated', ...consent });
    }
  }

  #pairings(): GatewayStatus['pairings'] {
    const held = new Set([...this.connections].map(({ grant }) => grant));
    return this.grants.paired.map((grant) => ({ id: grant.key, origin: grant.origin, name: grant.heldBy, connected: held.has(grant) }));
  }

  #sessionsOf(name: string): string[] {
    const ids = [...this.#providers.keys()].filter((provider) => provider.name === name).flatMap(({ bindings }) => [...bindings.keys()]);
    return [...new Set(ids)];
  }

  /** Also closes the connections that use the tokens. */
  #revoke(isMeant: (grant: Grant) => boolean, why: string): void {
    this.grants.revoke(isMeant);
    for (const connection of [...this.connections])
      if (connection.grant && isMeant(connection.grant)) connection.close(CloseCode.GoingAway, why);
  }

  #findProvider(group: string, instance: string): Provider | undefined {
    return [...this.#providers.keys()].find((provider) => provider.group === group && provider.instance === instance);
  }

  #tearDown(session: Session): void {
    this.emitters.ended(session);
    if (this.#outlives(session)) session.journal?.close();
    else session.journal?.delete();
    this.dispatcher.cancelAll(session, this.#isEnding ? 'the gateway has ended' : 'the session has ended');
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
    this.#revokeUnheld((grant) => grant.sessionId === session.id);
  }

  /** What the user has let in at the gateway before this one. Sessions that do not come back end their pairings, as they do when they end. */
  #takeOver(record: TrustRecord): void {
    this.grants.takeOver(record);
    this.history.began(keyOf(record.token), this.options.port ?? 0);
    const isLost = ({ sessionId }: Grant) => sessionId !== undefined && !this.sessions.get(sessionId);
    this.#disposables.add(this.clock.setTimer(() => this.#revokeUnheld(isLost), this.ownerGraceMs));
    this.#didTakeOver.fire();
  }

  /** Pairings that no connection uses at the moment. */
  #revokeUnheld(isMeant: (grant: Grant) => boolean): void {
    const held = new Set([...this.connections].map(({ grant }) => grant));
    this.grants.revoke((grant) => grant.kind === 'paired' && isMeant(grant) && !held.has(grant));
  }

  #tellProviders(session: Session, state: string): void {
    for (const { provider } of [...session.bindings]) provider.link.send({ type: 'session.lifecycle', sessionId: session.id, state });
  }

  #tellOwners<E extends keyof OwnerEvents>(event: E, params: OwnerEvents[E]): void {
    for (const owner of this.#attached) owner.notify(event, params);
  }
}
