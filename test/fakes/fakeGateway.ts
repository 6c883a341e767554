/** A gateway in memory with a clock that stands still, providers that write down what they hear, and an owner that does the same. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nullLogger } from '../../src/base/log.ts';
import { Gateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import type { Grant } from '../../src/gateway/trust/tokenGrants.ts';
import { ProviderConnection } from '../../src/gateway/connections/providerConnection.ts';
import { CannotAnswer, type Session, type SessionOwner } from '../../src/gateway/sessions/session.ts';
import type { OwnerQuestion, QuestionParams, QuestionResult, SessionAnswers } from '../../src/tap/wire/owner/ownerQuestions.ts';
import type { ProviderTransport } from '../../src/gateway/sessions/providerTransport.ts';
import type { GatewayMessage, GatewayMessageType } from '../../src/tap/wire/gatewayMessages.ts';
import { isLargerThan, Limit } from '../../src/tap/wire/limits.ts';
import type { OwnerEvents, SessionRegistration, ToolOutcome, TrustRecord } from '../../src/tap/wire/owner/ownerMessages.ts';
import { FakeClock } from './fakeClock.ts';
import { atRest } from './eventually.ts';

type Heard<T extends GatewayMessageType> = Extract<GatewayMessage, { type: T }>;

export class FakeProvider implements ProviderTransport {
  readonly heard: GatewayMessage[] = [];
  closedWith: { code: number; reason: string } | undefined;
  /** Whether it answers pings. */
  alive = true;
  readonly connection: ProviderConnection;

  constructor(gateway: Gateway, options: { origin?: string; grant?: Grant } = {}) {
    this.connection = new ProviderConnection(gateway, this, options);
  }

  send(message: GatewayMessage): boolean {
    const text = JSON.stringify(message);
    if (isLargerThan(Limit.messageBytes, text)) return false;
    if (!this.closedWith) this.heard.push(JSON.parse(text) as GatewayMessage);
    return true;
  }
  close(code: number, reason: string): void {
    this.closedWith ??= { code, reason };
  }
  async isAlive(): Promise<boolean> {
    return this.alive;
  }

  say(message: object | string): this {
    const frame = typeof message === 'string' ? message : JSON.stringify(message);
    this.connection.receiveFrame(frame, Buffer.byteLength(frame));
    return this;
  }
  all<T extends GatewayMessageType>(type: T): Heard<T>[] {
    return this.heard.filter((message): message is Heard<T> => message.type === type);
  }
  last<T extends GatewayMessageType>(type: T): Heard<T> {
    const found = this.all(type).at(-1);
    assert.ok(found, `no ${type} among ${JSON.stringify(this.heard)}`);
    return found;
  }
  /** Codes of the errors so far. */
  get errors(): string[] {
    return this.all('error').map(({ code }) => code);
  }
  forget(): this {
    this.heard.length = 0;
    return this;
  }
}

export class FakeOwner implements SessionOwner {
  readonly events: { event: string; params: unknown }[] = [];
  /** What it was told for the next gateway. */
  readonly trust: TrustRecord[] = [];
  /** Of its sessions, what it is asked. */
  answers: SessionAnswers = {};
  constructor(readonly name = 'a window') {}

  async ask<Q extends OwnerQuestion>(question: Q, params: QuestionParams<Q>): Promise<QuestionResult<Q>> {
    const answer = this.answers[question] as ((params: QuestionParams<Q>) => QuestionResult<Q>) | undefined;
    if (!answer) throw new CannotAnswer(question);
    return answer(params);
  }

  notify<E extends keyof OwnerEvents>(event: E, params: OwnerEvents[E]): void {
    if (event === 'trust/changed') this.trust.push(params as TrustRecord);
    else this.events.push({ event, params });
  }
  all<E extends keyof OwnerEvents>(event: E): OwnerEvents[E][] {
    return this.events.filter((entry) => entry.event === event).map(({ params }) => params as OwnerEvents[E]);
  }
  last<E extends keyof OwnerEvents>(event: E): OwnerEvents[E] {
    const found = this.all(event).at(-1);
    assert.ok(found, `no ${event} among ${JSON.stringify(this.events)}`);
    return found;
  }
}

export class FakeGateway {
  readonly clock = new FakeClock();
  readonly home = mkdtempSync(join(tmpdir(), 'tapline-gateway-'));
  readonly gateway: Gateway;
  readonly owner = new FakeOwner();

  constructor(options: Partial<GatewayOptions> = {}) {
    this.gateway = new Gateway({ clock: this.clock, logger: nullLogger, version: 'test', home: this.home, ...options });
    this.gateway.attach(this.owner);
  }

  dispose(): void {
    this.gateway.dispose();
    rmSync(this.home, { recursive: true });
  }

  session(sessionId: string, registration: Partial<SessionRegistration> = {}): Session {
    return this.gateway.sessions.register(this.owner, {
      sessionId,
      label: `label of ${sessionId}`,
      cwd: `/code/${sessionId}`,
      ...registration,
    });
  }
  /** A peer that has said nothing yet. */
  peer(options: { origin?: string; grant?: Grant } = {}): FakeProvider {
    return new FakeProvider(this.gateway, options);
  }
  /** Authenticated with this token; the file token if left out. */
  authenticated(token = this.gateway.grants.fileToken, origin?: string): FakeProvider {
    return this.peer({ origin }).say({ type: 'auth', token });
  }
  spawned(sessionId: string): FakeProvider {
    return this.authenticated(this.gateway.grants.issueSpawnToken(sessionId));
  }
  internal(): FakeProvider {
    return this.authenticated(this.gateway.grants.ownerSecret);
  }
  external(origin?: string): FakeProvider {
    return this.authenticated(this.gateway.grants.issuePairedToken(origin).token, origin);
  }
  /** Lets 10 ms pass, in which announcements and acknowledgements go out. */
  settle(): void {
    this.clock.advance(10);
  }
  /** The names of the tools that a session is offered. */
  tools(sessionId: string): string[] {
    const session = this.gateway.sessions.get(sessionId);
    return session ? [...this.gateway.announcer.toolsOf(session).keys()] : [];
  }
  call(sessionId: string, tool: string, args: unknown = {}, onProgress?: (message: string) => void) {
    const session = this.gateway.sessions.get(sessionId);
    assert.ok(session);
    const call = this.gateway.dispatcher.call({ session, tool, args, onProgress });
    let outcome: ToolOutcome | undefined;
    void call.outcome.then((value) => (outcome = value));
    return {
      cancel: (reason: string) => call.cancel(reason),
      /** Undefined: not ended. */
      async outcome(): Promise<ToolOutcome | undefined> {
        await atRest();
        return outcome;
      },
      /** The error code; `ok` when it succeeded. */
      async code(): Promise<string | undefined> {
        await atRest();
        return outcome && (outcome.ok ? 'ok' : outcome.errorCode);
      },
    };
  }
}

export const hello = (fields: object = {}) => ({ type: 'hello', name: 'provider', protocolVersion: 2, ...fields });
export const tool = (name = 'greet', fields: object = {}) => ({ name, description: `does ${name}`, parameters: {}, ...fields });
