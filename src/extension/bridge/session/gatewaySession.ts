/* eslint-disable texts/translated -- for the model */
/** A session as the gateway has it: registered or not, with the tools of its providers. It outlives the gateway that it is registered at. */
import { said } from '../../../base/text/phrase.ts';
import type { Clock } from '../../../base/clock.ts';
import { englishOf, withTimeout } from '../../../base/errors.ts';
import { Emitter } from '../../../base/event.ts';
import { type Disposable, DisposableStore } from '../../../base/lifecycle.ts';
import type { Logger } from '../../../base/log.ts';
import type { OwnedSession, OwnerClient, OwnerEvent } from '../../../tap/owner/ownerClient.ts';
import type { SessionAnswers } from '../../../tap/wire/owner/ownerQuestions.ts';
import type { OfferedTool, SessionRegistration, ToolOutcome } from '../../../tap/wire/owner/ownerMessages.ts';
import { CallError, UNREACHABLE } from './callRelay.ts';

/** How long a call waits for a gateway that is away, and how long the tools stay offered without it. */
const GATEWAY_WAIT_MS = 10_000;
const END_MS = 5_000;
/** How long a host that asks first waits for a decision: less than it would. */
const DECISION_MS = 12_000;

/** What the gateway is told of a session. */
export type SessionFacts = Required<Pick<SessionRegistration, 'label' | 'foreground' | 'idle'>> & Pick<SessionRegistration, 'cwd'>;
const pushEvents = ['push/surfaced', 'push/dropped', 'push/inject'] as const;
export type Push = Extract<OwnerEvent, { event: (typeof pushEvents)[number] }>;
const isPush = (event: OwnerEvent): event is Push => (pushEvents as readonly string[]).includes(event.event);

export interface GatewaySessionOptions {
  /** The same in every window, and after each reload. */
  sessionId: string;
  owner: OwnerClient;
  /** The calls of this window, and of the one before, that the gateway is to keep. */
  neededCalls(): string[] | undefined;
  answers: SessionAnswers;
  clock: Clock;
  logger: Logger;
}

export class GatewaySession implements Disposable {
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  /** `offered`, or the connection to the gateway, changed. */
  readonly onDidChange = this.#didChange.event;
  readonly #push = this.#store.add(new Emitter<Push>());
  readonly onPush = this.#push.event;
  #owned: OwnedSession | undefined;
  #told: SessionFacts | undefined;
  #offered: readonly OfferedTool[] | undefined;
  /** The gateway that runs now has the session, and `offered` is what it has said. */
  #isRegistered = false;
  #withoutGateway: Disposable | undefined;

  constructor(private readonly options: GatewaySessionOptions) {
    const { owner } = options;
    this.#store.add(owner.onEvent((event) => this.#receive(event)));
    this.#store.add(owner.onDidChangeState(() => this.#followConnection()));
    this.#followConnection();
  }

  /** Undefined until the gateway has the session. */
  get offered(): readonly OfferedTool[] | undefined {
    return this.#offered;
  }
  /** The session while this window wants the gateway to have it. Another object when it was given up meanwhile. */
  get owned(): OwnedSession | undefined {
    return this.#owned;
  }
  /** The same, while the gateway that runs now has it of this window. */
  get registered(): OwnedSession | undefined {
    return this.#isRegistered ? this.#owned : undefined;
  }
  /** Why the gateway cannot be reached; absent while that is not known. */
  get error(): string | undefined {
    const { state } = this.options.owner;
    return state.kind === 'waiting' ? said(state.error) : undefined;
  }

  /** Registers the session, or tells what has changed of it; undefined: ends it. */
  follow(facts: SessionFacts | undefined): void {
    if (!facts) return this.end();
    const told = this.#told;
    if (!this.#owned || !told) {
      this.#told = facts;
      const { owner, sessionId, neededCalls, answers } = this.options;
      this.#owned = owner.addSession({ sessionId, ...facts }, neededCalls, answers);
      return;
    }
    const changed = Object.entries(facts).filter(([key, value]) => told[key as keyof SessionFacts] !== value);
    if (changed.length > 0) this.#tell(Object.fromEntries(changed));
  }

  /** A turn is about to begin, on the gateway's word. */
  setBusy(): void {
    this.#tell({ idle: false });
  }

  end(): void {
    this.#end(false);
  }

  /** This window, or the next one, may come back to the session for calls that run. */
  leave(): void {
    this.#end(true);
  }

  #end(keepCalls: boolean): void {
    const owned = this.#owned;
    this.#owned = undefined;
    this.#told = undefined;
    this.#offered = undefined;
    this.#isRegistered = false;
    owned?.end(END_MS, keepCalls).catch((error: unknown) => this.options.logger.debug(`Ending a session: ${englishOf(error)}`));
  }

  event(...event: Parameters<OwnedSession['event']>): void {
    this.#owned?.event(...event);
  }

  /** Undefined while the gateway is away, or does not have the session. Rejects like a request of the owner link. */
  async ask<T>(question: (owned: OwnedSession) => Promise<T>): Promise<T | undefined> {
    if (!this.#isRegistered || !this.#owned) return undefined;
    return withTimeout(question(this.#owned), GATEWAY_WAIT_MS, 'asking the gateway');
  }

  /** The same, and waits for a gateway that is being started again. Undefined, or an error, after {@link DECISION_MS} at most. */
  async askSoon<T>(question: (owned: OwnedSession) => Promise<T>): Promise<T | undefined> {
    const over = new AbortController();
    const asking = async () => {
      const owned = this.registered ?? (await this.#until(() => this.registered, over.signal));
      return owned && (await question(owned));
    };
    try {
      return await withTimeout(asking(), DECISION_MS, 'asking the gateway');
    } finally {
      over.abort();
    }
  }

  call(...call: Parameters<OwnedSession['call']>): ReturnType<OwnedSession['call']> {
    if (!this.#owned) throw new CallError('The session is not with the gateway any more.', 'DISCONNECTED');
    return this.#owned.call(...call);
  }

  /** Of a call that was made before. Undefined when the gateway does not have it, or cannot be reached in time. */
  async resume(...call: Parameters<OwnedSession['resume']>): Promise<ToolOutcome | undefined> {
    const [, signal = new AbortController().signal] = call;
    for (;;) {
      const owned = this.registered ?? (await this.#until(() => this.registered, signal));
      if (!owned) return undefined;
      try {
        return await owned.resume(...call);
      } catch (error) {
        // Otherwise the connection was lost meanwhile, and there may be another soon.
        if (this.registered === owned) throw error;
      }
    }
  }

  /** Also while another client has the session. Lost without a connection: the next registration does not name the call. */
  settled(keptAs: string): void {
    const { owner, sessionId } = this.options;
    owner.notify('tool/settled', { sessionId, callId: keptAs });
  }

  /** Waits for a gateway, or a provider, that is being started again. Rejects with a {@link CallError} for the model when that takes too long. */
  async tool(name: string, signal: AbortSignal): Promise<OfferedTool> {
    const find = () => (this.#isRegistered ? this.#offered?.find((tool) => tool.name === name) : undefined);
    const tool = find() ?? (await this.#until(find, signal));
    if (tool) return tool;
    throw this.#isRegistered
      ? new CallError(`There is no tool ${name} any more: its provider has gone.`, 'NOT_FOUND')
      : new CallError(UNREACHABLE, 'DISCONNECTED');
  }

  dispose(): void {
    this.#withoutGateway?.dispose();
    this.#store.dispose();
  }

  /** Refused while the gateway does not have the session yet: it is told with the registration. */
  #tell(change: Partial<SessionFacts>): void {
    if (!this.#told) return;
    this.#told = { ...this.#told, ...change };
    this.#owned?.update(change).catch((error: unknown) => this.options.logger.debug(`Updating a session: ${englishOf(error)}`));
  }

  #receive(event: OwnerEvent): void {
    if (!this.#owned || !('sessionId' in event.params) || event.params.sessionId !== this.#owned.id) return;
    if (isPush(event)) this.#push.fire(event);
    if (event.event !== 'tools/changed') return;
    this.#offered = event.params.tools;
    this.#isRegistered = true;
    this.#didChange.fire();
  }

  /** The tools stay for a moment: a gateway that was killed is there again soon. */
  #followConnection(): void {
    const { owner, clock } = this.options;
    if (owner.state.kind === 'connected') {
      this.#withoutGateway?.dispose();
      this.#withoutGateway = undefined;
    } else {
      this.#isRegistered = false;
      this.#withoutGateway ??= clock.setTimer(() => {
        this.#offered = this.#offered && [];
        this.#didChange.fire();
      }, GATEWAY_WAIT_MS);
    }
    this.#didChange.fire();
  }

  /** Undefined when it is not there in time, or not wanted any more. */
  #until<T>(find: () => T | undefined, signal: AbortSignal): Promise<T | undefined> {
    return new Promise((resolve) => {
      const end = (found: T | undefined) => {
        listening.dispose();
        timer.dispose();
        signal.removeEventListener('abort', abort);
        resolve(found);
      };
      const abort = () => end(undefined);
      const listening = this.onDidChange(() => {
        const found = find();
        if (found) end(found);
      });
      const timer = this.options.clock.setTimer(abort, GATEWAY_WAIT_MS);
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}
