/** One connection of a provider, over any transport: handles its messages according to the state of the connection. */
import { englishOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Refusals } from '../../base/connection/refusals.ts';
import { CloseCode } from '../../tap/wire/closeCodes.ts';
import { ErrorCode, ProviderError } from '../../tap/wire/errorCodes.ts';
import { Limit, PROTOCOL_VERSION, Time } from '../../tap/wire/limits.ts';
import type { GatewayMessage, GatewayMessageType } from '../../tap/wire/gatewayMessages.ts';
import type { BadMessage, Parsed } from '../../tap/wire/parsing/parseFrame.ts';
import { parseProviderFrame, parseProviderMessage } from '../../tap/wire/parsing/parseMessage.ts';
import {
  type Hello,
  type ProviderMessage,
  providerMessages,
  type ProviderMessages,
  type ProviderMessageType,
} from '../../tap/wire/providerMessages.ts';
import { whyFull } from './admission.ts';
import { type ConnectionState, legalMessages, nextStep } from './providerState.ts';
import { FrameBudget, type FrameVerdict } from './frameBudget.ts';
import type { Connection, Gateway } from '../gateway.ts';
import { Rate } from '../limits/rate.ts';
import { type Answer, ProviderLink, type Question } from '../sessions/providerLink.ts';
import { push, queryStreams } from '../sessions/pushes.ts';
import type { Claim } from '../sessions/reconnects.ts';
import type { Provider } from '../sessions/session.ts';
import { findConflict, toError } from '../sessions/toolConflict.ts';
import type { ProviderTransport } from '../sessions/providerTransport.ts';
import type { Grant } from '../trust/tokenGrants.ts';

const fatal: ReadonlySet<ErrorCode> = new Set([ErrorCode.AuthFailed, ErrorCode.UnsupportedVersion]);
/** Messages that a provider must answer. */
const asks: ReadonlySet<GatewayMessageType> = new Set(['tool.call', 'tool.cancel', 'gate.check', 'transform.request']);
export interface ProviderConnectionOptions {
  /** Set for a web page that is not the gateway's own. */
  origin?: string;
  /** For a provider in the gateway's own process, which needs no token. */
  grant?: Grant;
}

export class ProviderConnection implements Connection {
  #state: ConnectionState = { kind: 'AwaitAuth' };
  readonly link: ProviderLink;
  #providerId: string | undefined;
  #deadline: Disposable | undefined;
  /** Whether its token is valid is not known yet. */
  #decision: Disposable | undefined;
  #sessionsTimer: Disposable | undefined;
  #sessionsSentAt = -Infinity;
  /** The list of sessions has changed while an older peer was being pinged. */
  #missedSessions = false;
  #hasSaidHello = false;
  readonly #rebinds = new Rate(Limit.rebindsPerMinute, 60_000);
  readonly #budget = new FrameBudget();
  readonly #refusals = new Refusals();
  /** Since it connected, or since it is being paired. */
  #framesBeforeAuth = 0;

  constructor(
    private readonly gateway: Gateway,
    private readonly transport: ProviderTransport,
    private readonly options: ProviderConnectionOptions = {},
  ) {
    const send = (message: GatewayMessage) => this.#send(message);
    this.link = new ProviderLink({ send, isAlive: (timeoutMs) => transport.isAlive(timeoutMs) }, gateway.callIds);
    gateway.connections.add(this);
    if (options.grant) this.#authenticated(options.grant);
    else this.#deadline = gateway.clock.setTimer(() => this.#authTimedOut(), Time.authMs);
  }

  get state(): ConnectionState['kind'] {
    return this.#state.kind;
  }

  /** Set for a web page that is not the gateway's own. */
  get origin(): string | undefined {
    return this.options.origin;
  }

  /** The grant of its token, once it has authenticated. */
  get grant(): Grant | undefined {
    return 'grant' in this.#state ? this.#state.grant : undefined;
  }

  /** Handles one frame. `bytes` is its size on the wire; `text` may be empty for a frame that is too large to be read. Never throws. */
  receiveFrame(text: string, bytes: number): void {
    const verdict = this.#spend(bytes);
    if (verdict === 'end') return;
    if (!this.grant) return this.#receiveFromStranger(text, bytes);
    const owes = this.gateway.owedAnswers.has(this.grant);
    // An answer must get through, however much came before it.
    if (verdict !== 'fine' && !owes) return this.#tooFast(verdict);
    const parsed = parseProviderFrame(text, bytes);
    if (owes && parsed.ok && this.#wasAskedFor(parsed.message)) this.#budget.giveBack();
    else if (verdict !== 'fine') return this.#tooFast(verdict);
    this.#receive(parsed);
  }

  /** Of a peer that has not authenticated little is read. */
  #receiveFromStranger(text: string, bytes: number): void {
    if (bytes > Limit.bytesBeforeAuth) {
      this.#error(ErrorCode.PayloadTooLarge, `a message before authentication has at most ${Limit.bytesBeforeAuth} bytes`);
      return this.close(CloseCode.Refused, 'too much before authentication');
    }
    const before = this.#state.kind;
    this.#receive(parseProviderFrame(text, bytes));
    if (this.#state.kind !== before) this.#framesBeforeAuth = 0;
    else if (++this.#framesBeforeAuth >= Limit.framesBeforeAuth) this.close(CloseCode.Refused, 'too many messages before authentication');
  }

  /** Handles a frame without a message (a ping or a pong). */
  receiveControl(): void {
    this.#tooFast(this.#spend(0));
  }

  /** Handles a message of a provider in the same process. Never throws. */
  receiveMessage(message: Record<string, unknown>): void {
    this.#receive(parseProviderMessage(message));
  }

  /** Called when the transport has ended. */
  closed(): void {
    const state = this.#state;
    if (state.kind === 'Disconnected') return;
    this.#state = { kind: 'Disconnected' };
    this.gateway.connections.delete(this);
    this.#deadline?.dispose();
    this.#decision?.dispose();
    this.#sessionsTimer?.dispose();
    if (state.kind === 'AwaitPairing') this.gateway.pairings.abandon(state.pairing);
    this.gateway.reconnects.disconnected(this.link);
    if (state.kind === 'Bound') this.gateway.remove(state.provider, 'disconnected');
    this.link.close();
  }

  /** Closes the connection from our side. */
  close(code: number, reason: string): void {
    if (this.#state.kind === 'Disconnected') return;
    this.closed();
    this.transport.close(code, reason);
  }

  /**
   * Tells the peer the changed list of sessions. A bound peer is never sent `sessions`, because core clients would answer with a new hello.
   */
  sessionsChanged(): void {
    const state = this.#state;
    if (state.kind === 'Bound' || state.kind === 'Unbound') {
      this.transport.send(this.gateway.sessions.listFor(state.grant, 'sessions.updated'));
    } else if (state.kind === 'AwaitHello') {
      const wait = this.#sessionsSentAt + Time.sessionsAgainMs - this.gateway.clock.now();
      if (wait <= 0 || state.grant.kind === 'local') this.#sendSessions(state.grant);
      else this.#sessionsTimer ??= this.gateway.clock.setTimer(() => this.#sendLateSessions(), wait);
    } else if (state.kind === 'Rebinding') {
      this.#missedSessions = true;
    }
  }

  /** The provider's last session has ended, and the provider was ready for it. A provider for all sessions waits for the next one. */
  lostLastSession(provider: Provider): void {
    const state = this.#state;
    if (state.kind !== 'Bound' || state.provider !== provider || provider.isForAll) return;
    this.gateway.remove(provider, 'rebound');
    this.#state = { kind: 'Unbound', grant: state.grant };
  }

  /** Closes this connection, which has not authenticated, to make room for another. */
  giveWay(): void {
    const why = 'too many connections have not authenticated';
    this.#error(ErrorCode.RateLimited, why);
    this.close(CloseCode.Refused, why);
  }

  /** No place is free. */
  turnAway(why: string): void {
    this.#error(ErrorCode.RateLimited, why);
    this.close(CloseCode.TryAgainLater, why);
  }

  #spend(bytes: number): FrameVerdict {
    if (this.#state.kind === 'Disconnected') return 'end';
    const verdict = this.#budget.take(this.gateway.clock.now(), bytes);
    if (verdict === 'end') this.close(CloseCode.Flooding, 'far too many messages');
    return verdict;
  }

  #tooFast(verdict: FrameVerdict): void {
    if (verdict !== 'over') return;
    this.#error(ErrorCode.RateLimited, `more than ${Limit.framesPerSecond} messages a second; send none for a while`);
  }

  #send(message: GatewayMessage): boolean {
    const wasSent = this.transport.send(message);
    if (wasSent && this.grant && asks.has(message.type)) this.gateway.owedAnswers.add(this.grant);
    return wasSent;
  }

  /** True for an answer that the peer owes, also for a late one or one to a question of an earlier connection. */
  #wasAskedFor(message: ProviderMessage): boolean {
    if (!this.grant || !isAnswer(message)) return false;
    const { id, kind } = answerOf(message);
    const found = this.link.find(id, kind);
    if (found === 'never') return false;
    return this.gateway.owedAnswers.take(this.grant) || found !== 'late';
  }

  #receive(parsed: Parsed<ProviderMessage>): void {
    if (this.#state.kind === 'Disconnected') return;
    this.gateway.diagnostics.count('messages');
    if (!parsed.ok) return this.#refuse(parsed.bad);
    this.#refusals.reset();
    const { message } = parsed;
    if (!legalMessages[this.#state.kind].has(message.type)) {
      // The call had ended before the state changed.
      if (isAnswer(message) || message.type === 'tool.progress' || message.type === 'tool.ask') return;
      const { kind } = this.#state;
      const why = `${message.type} is not allowed in the state ${kind}: ${nextStep[kind]}`;
      return this.#error(ErrorCode.Unauthorized, why, { replyTo: message.type });
    }
    try {
      this.#handle(message);
    } catch (error) {
      this.#failed(error, message);
    }
  }

  #handle(message: ProviderMessage): void {
    switch (message.type) {
      case 'auth':
        return this.#auth(message);
      case 'auth.confirm':
        return this.#confirm(message.code);
      case 'hello':
        return this.#hello(message);
      case 'goodbye':
        return this.close(1000, 'goodbye');
      default:
        if (this.#state.kind === 'Bound') this.#handleBound(message, this.#state.provider);
    }
  }

  #handleBound(message: Exclude<ProviderMessage, { type: 'auth' | 'auth.confirm' | 'hello' | 'goodbye' }>, provider: Provider): void {
    const { gateway } = this;
    switch (message.type) {
      case 'tool.result':
        gateway.dispatcher.touch(provider);
        return this.#answer(message);
      case 'gate.result':
      case 'transform.result':
        return this.#answer(message);
      case 'tool.progress':
        return this.link.peek(message.id)?.progress?.(message.message);
      case 'tool.ask':
        return this.link.peek(message.id)?.asked?.(message);
      case 'push':
        gateway.dispatcher.touch(provider);
        return push(provider, message, gateway.clock);
      case 'tools.update':
      case 'hooks.update':
      case 'context.update':
      case 'filter.set':
        return gateway.updates.apply(provider, message);
      case 'stream.query':
        if (this.transport.send({ type: 'stream.history', queryId: message.queryId, streams: queryStreams(provider, message) })) return;
        throw new ProviderError(ErrorCode.PayloadTooLarge, `the history is larger than ${Limit.messageBytes} bytes; ask for less`);
      case 'session.ready':
        return this.#sessionReady(provider, message.sessionId);
      case 'shutdown.ready':
        return gateway.sessions.ready(provider.bindingOf(message.sessionId));
    }
  }

  #auth(auth: ProviderMessages['auth']): void {
    const { gateway, origin } = this;
    // The newest counts.
    this.#decision?.dispose();
    this.#decision = undefined;
    const { token, mode, reconnectToken, name, instance } = auth;
    const full = whyFull(gateway.connections, origin);
    if (full !== undefined) return this.turnAway(full);
    if (token !== undefined) {
      const grant = gateway.grants.find(token, origin);
      if (!grant && this.#awaitsDecision(auth, token)) return;
      // A page gets no path of this computer.
      if (!grant)
        throw new ProviderError(ErrorCode.AuthFailed, origin === undefined ? gateway.whyRefused(token) : 'the token is not valid');
      return this.#authenticated(grant);
    }
    if (mode === 'pair') {
      const pairing = gateway.pairings.request(origin, (why) => this.#pairingFailed(why));
      this.#deadline?.dispose();
      this.#state = { kind: 'AwaitPairing', pairing };
      const prompt = 'Enter the pairing code that is shown in your session';
      const tries = pairing.triesLeft === Limit.pairingTries ? '' : ` (the last one was wrong; ${pairing.triesLeft} more)`;
      this.transport.send({ type: 'auth.pairing', prompt: `${prompt}${tries}` });
      return;
    }
    const claim = reconnectToken && name ? gateway.reconnects.find(reconnectToken, { name, instance }, undefined) : undefined;
    // A reconnect token replaces the original token here, so the peer must have the same origin, and the original grant must still be
    // valid.
    if (!reconnectToken || !claim || claim.provider.grant.origin !== origin || !gateway.grants.holds(claim.provider.grant))
      throw new ProviderError(ErrorCode.AuthFailed, 'the reconnect token is not valid');
    gateway.reconnects.use(reconnectToken);
    this.#authenticated(claim.provider.grant, claim);
  }

  /** The token may be passed on in a moment; then it is looked at again. */
  #awaitsDecision(auth: ProviderMessages['auth'], token: string): boolean {
    this.#decision = this.gateway.succession.awaits(token, () => this.#receive({ ok: true, message: auth }));
    return this.#decision !== undefined;
  }

  #confirm(code: string): void {
    if (this.#state.kind !== 'AwaitPairing') return;
    // The code stays valid for when there is a place.
    const full = whyFull(this.gateway.connections, this.origin);
    if (full !== undefined) throw new ProviderError(ErrorCode.RateLimited, full);
    const { pairing } = this.#state;
    const result = this.gateway.pairings.confirm(pairing, code);
    // A new connection of the same origin has the tries that are left.
    if (result === 'wrong')
      throw new ProviderError(ErrorCode.AuthFailed, `the code is wrong; ${pairing.triesLeft} more tries on a new connection`);
    if (result !== 'paired') return;
    const { token, grant } = this.gateway.grants.issuePairedToken(pairing.origin);
    this.#authenticated(grant, undefined, token);
  }

  #pairingFailed(why: string): void {
    if (this.#state.kind !== 'AwaitPairing') return;
    this.#error(ErrorCode.AuthFailed, `pairing: ${why}`, { replyTo: 'auth.confirm' });
    this.close(CloseCode.Refused, 'not paired');
  }

  #authTimedOut(): void {
    this.#error(ErrorCode.AuthFailed, `no auth within ${Time.authMs / 1000} s: send it with your token as the first message`);
    this.close(CloseCode.Refused, 'no auth in time');
  }

  #authenticated(grant: Grant, claim?: Claim, token?: string): void {
    this.#deadline?.dispose();
    this.#state = { kind: 'AwaitHello', grant, claim };
    this.#sendSessions(grant, token);
  }

  #sendSessions(grant: Grant, token?: string): void {
    this.#sessionsSentAt = this.gateway.clock.now();
    this.transport.send({ ...this.gateway.sessions.listFor(grant, 'sessions'), ...(token !== undefined && { token }) });
  }

  #sendLateSessions(): void {
    this.#sessionsTimer = undefined;
    if (this.#state.kind === 'AwaitHello') this.#sendSessions(this.#state.grant);
  }

  #hello(hello: Hello): void {
    const state = this.#state;
    if (state.kind !== 'AwaitHello' && state.kind !== 'Bound' && state.kind !== 'Unbound') return;
    if (this.#hasSaidHello && !this.#rebinds.take(this.gateway.clock.now()))
      throw new ProviderError(ErrorCode.RateLimited, `more than ${Limit.rebindsPerMinute} further hello messages a minute`);
    this.#hasSaidHello = true;
    const { grant } = state;
    if (!this.gateway.earlierTokens.mayBind(grant, hello.name))
      throw new ProviderError(ErrorCode.AuthFailed, 'the token is of an earlier gateway, and let in under another name');
    // The old registration is removed completely before the new one is checked.
    if (state.kind === 'Bound') this.gateway.remove(state.provider, 'rebound');
    const onFailure: ConnectionState = state.kind === 'AwaitHello' ? state : { kind: 'Unbound', grant };
    this.#state = { kind: 'Rebinding', grant };
    const fail = (error: unknown) => {
      if (this.#state.kind !== 'Rebinding') return;
      this.#state = onFailure;
      this.#failed(error, hello);
      this.#catchUp();
    };
    try {
      const claim = state.kind === 'AwaitHello' ? state.claim : undefined;
      const registered = this.gateway.registrar.register({ hello, grant, link: this.link, providerId: this.#providerId, claim });
      if (registered instanceof Promise) void registered.then((provider) => this.#bound(provider, grant)).catch(fail);
      else this.#bound(registered, grant);
    } catch (error) {
      fail(error);
    }
  }

  #bound(provider: Provider, grant: Grant): void {
    if (this.#state.kind !== 'Rebinding') return this.gateway.remove(provider, 'disconnected'); // closed while an older peer was being pinged
    this.#providerId = provider.id;
    this.#state = { kind: 'Bound', grant, provider };
    this.gateway.connected(provider, this);
    const persistDir = provider.trust === 'external' ? undefined : this.#persistDir(provider);
    const consent = this.gateway.consentOf(provider);
    const sessionIds = [...provider.bindings.keys()];
    const [sessionId, ...more] = sessionIds;
    this.transport.send({
      type: 'hello.ack',
      protocolVersion: PROTOCOL_VERSION,
      providerId: provider.id,
      ...(!more.length && { sessionId }),
      ...(provider.usesAdvancedFields && { reconnectToken: this.gateway.reconnects.issue(provider) }),
      ...(persistDir !== undefined && { persistDir }),
      ...(grant.kind === 'spawn' && { isForAll: false }),
      ...(consent && { consent }),
    });
    for (const id of sessionIds) this.transport.send({ type: 'session.lifecycle', sessionId: id, state: 'started' });
    this.#catchUp();
  }

  #catchUp(): void {
    if (!this.#missedSessions) return;
    this.#missedSessions = false;
    this.sessionsChanged();
  }

  /** Without a folder the provider works, except for file results. */
  #persistDir(provider: Provider): string | undefined {
    try {
      return this.gateway.persistDirs.create(provider.name);
    } catch (error) {
      this.gateway.logger.warn(`no folder for the provider ${provider.id}: ${englishOf(error)}`);
      return undefined;
    }
  }

  #sessionReady(provider: Provider, sessionId: string): void {
    const { gateway } = this;
    if (provider.bindings.has(sessionId)) return;
    const session = provider.isForAll ? gateway.sessions.usableBy(provider.grant).find(({ id }) => id === sessionId) : undefined;
    if (!session)
      throw new ProviderError(ErrorCode.InvalidSession, `session.ready: not for session ${JSON.stringify(sessionId)}`, sessionId);
    const conflict = findConflict(session, provider, provider.base.tools);
    if (conflict) throw toError(conflict, session);
    gateway.add(provider, [session]);
    this.transport.send({ type: 'session.lifecycle', sessionId, state: 'started' });
  }

  #answer(message: Answer): void {
    const { id, kind } = answerOf(message);
    const question = this.link.take(id, kind);
    if (question === 'late') return;
    if (question !== 'never') return question.answered(message);
    this.#refuse({
      code: ErrorCode.InvalidJson,
      problem: `${message.type}: this id was never issued`,
      unreadable: kind === 'tool',
      replyTo: message.type,
    });
  }

  #failed(error: unknown, message: ProviderMessage): void {
    const requestId = 'requestId' in message ? message.requestId : undefined;
    const asked = 'sessionId' in message ? message.sessionId : undefined;
    if (error instanceof ProviderError)
      return this.#error(error.code, error.message, { replyTo: message.type, requestId, sessionId: error.sessionId ?? asked });
    this.gateway.logger.error(`${message.type}: ${error instanceof Error ? (error.stack ?? error.message) : englishOf(error)}`);
    this.#error(ErrorCode.InvalidJson, 'the message could not be handled', { replyTo: message.type, requestId });
  }

  /** An unreadable message may have been an answer, so the call that waits for it must not go on waiting. */
  #refuse(bad: BadMessage): void {
    const { code, replyTo, requestId, id } = bad;
    const problem = `${bad.problem}${isOutOfTurn(replyTo, this.#state.kind) ? `; and ${nextStep[this.#state.kind]}` : ''}`;
    this.#error(code, problem, { replyTo, requestId }, this.#refusals.next(problem));
    if (this.#state.kind !== 'Bound') return;
    const wrong = { code, message: problem };
    if (replyTo === 'tool.result' && id !== undefined) {
      if (this.link.peek(id)) return this.link.lose(wrong, [id]);
      if (this.gateway.callIds.wasIssued(id, 'tool')) return;
    }
    if (!bad.unreadable && replyTo !== 'tool.result') return;
    const pending = this.link.pending('tool');
    if (pending.length === 1) this.link.lose(wrong, pending);
    else if (pending.length > 1) this.close(CloseCode.Refused, 'several calls are pending, and the message does not say which it answers');
  }

  /** The only session that this connection belongs to; undefined where there are several or none. */
  #onlySession(): string | undefined {
    const state = this.#state;
    if (state.kind !== 'Bound') return this.grant?.sessionId;
    const [only, ...more] = state.provider.bindings.keys();
    return more.length ? undefined : only;
  }

  /** `told`: the message that the peer is sent; null sends nothing. */
  #error(
    code: ErrorCode,
    message: string,
    about: { replyTo?: string; requestId?: string; sessionId?: string } = {},
    told: string | null = message,
  ): void {
    const state = this.#state;
    const provider = state.kind === 'Bound' ? state.provider : undefined;
    this.gateway.diagnostics.error(code, message, provider?.name, this.#onlySession());
    const given = Object.fromEntries(Object.entries({ ...about, providerId: this.#providerId }).filter(([, value]) => value !== undefined));
    if (told !== null) this.transport.send({ type: 'error', code, message: told, ...given });
    if (fatal.has(code)) this.close(CloseCode.Refused, code);
  }
}

/** Of a message that cannot be read, as far as its type could. */
function isOutOfTurn(type: string | undefined, state: ConnectionState['kind']): boolean {
  const known = type as ProviderMessageType;
  return type !== undefined && Object.hasOwn(providerMessages, type) && !legalMessages[state].has(known);
}

function isAnswer(message: ProviderMessage): message is Answer {
  return message.type === 'tool.result' || message.type === 'gate.result' || message.type === 'transform.result';
}

function answerOf(answer: Answer): { id: string; kind: Question['kind'] } {
  if (answer.type === 'tool.result') return { id: answer.id, kind: 'tool' };
  return { id: answer.callId, kind: answer.type === 'gate.result' ? 'gate' : 'transform' };
}
