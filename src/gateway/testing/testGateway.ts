/**
 * `tapline/provider/testing`: a gateway with a session, for the tests of a provider. It is the gateway that users have, in the process of
 * the test and without sockets: it checks names, schemas, arguments, results and limits in the same way.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { TimeoutError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { nullLogger } from '../../base/log.ts';
import type { HookDecision, OfferedTool, OwnerEvents, PromptParts, ToolOutcome } from '../../tap/wire/owner/ownerMessages.ts';
import { type ResultBlock, resultContent } from '../../tap/wire/resultContent.ts';
import { Gateway } from '../gateway.ts';
import { CannotAnswer, type Session, type SessionOwner } from '../sessions/session.ts';
import { MemorySocket } from './memorySocket.ts';

const OFFER_TIMEOUT_MS = 2_000;

export interface TestGatewayOptions {
  /** The user's answer to rules, changes of prompts and context. Default: `allow`. `ask`: they have not answered. */
  consent?: 'allow' | 'deny' | 'ask';
}

export interface CallOptions {
  /** Cancels the call. */
  signal?: AbortSignal;
  /** Default: the session that is there from the start. */
  session?: string;
}

export interface CallResult {
  /** What the model reads, in its order. */
  content: ResultBlock[];
  structuredContent?: Record<string, unknown>;
  /** The JSON that the provider has sent. */
  data: unknown;
  progress: string[];
}

/** A call has failed, at the provider or at the gateway. */
export class ToolCallError extends Error {
  override readonly name = 'ToolCallError';
  constructor(
    /** The provider's own code where it gave one, such as `NOT_FOUND`. */
    readonly code: string,
    message: string,
    readonly retryable: boolean,
    readonly progress: readonly string[],
  ) {
    super(message);
  }
}

export type SurfacedPush = OwnerEvents['push/surfaced'];

export interface TestGateway {
  /** For the option `connect` of a provider. */
  connect(this: void): { socket: MemorySocket['socket']; token: string } | undefined;
  /** Waits for the tool and calls it. Rejects with a {@link ToolCallError}. */
  call(tool: string, args?: Record<string, unknown>, options?: CallOptions): Promise<CallResult>;
  /** Waits until all of these are offered, and resolves with all tools of the session. */
  tools(names?: readonly string[], session?: string): Promise<OfferedTool[]>;
  /** What the rules of the providers say of a call that the agent is about to make. */
  check(tool: string, args: unknown, session?: string): Promise<HookDecision>;
  /** What the providers make of sections of the system message, and what they add to it. */
  prompt(sections: Record<string, string>, session?: string): Promise<PromptParts>;
  /** Tells the providers of an event that they have subscribed to. */
  event(event: string, data?: Record<string, unknown>, session?: string): void;
  /** Waits for a push with this text that is shown or begins a turn. */
  pushed(event: string): Promise<SurfacedPush>;
  /** Begins another session. */
  addSession(id: string): void;
  /** Resolves when all providers are ready for its end. */
  endSession(id: string): Promise<void>;
  /** Ends all sessions and connections. A provider that still runs closes itself. */
  close(): Promise<void>;
}

export const DEMO_SESSION = 'demo';

export function createTestGateway({ consent = 'allow' }: TestGatewayOptions = {}): TestGateway {
  return new InProcessGateway(consent);
}

class InProcessGateway implements TestGateway, SessionOwner {
  readonly name = 'test';
  readonly #home = mkdtempSync(join(tmpdir(), 'tapline-test-gateway-'));
  readonly #gateway = new Gateway({ clock: systemClock, logger: nullLogger, version: 'test', home: this.#home });
  readonly #pushes: SurfacedPush[] = [];
  readonly #changed = new Emitter<void>();
  readonly #attached = this.#gateway.attach(this);
  #isClosed = false;

  constructor(private readonly consent: 'allow' | 'deny' | 'ask') {
    this.addSession(DEMO_SESSION);
  }

  /** Of the gateway, as to the owner of a session. */
  notify<E extends keyof OwnerEvents>(event: E, params: OwnerEvents[E]): void {
    if (event === 'push/surfaced') this.#pushes.push(params as SurfacedPush);
    if (event === 'consent/asked' && this.consent !== 'ask') {
      const { provider } = params as OwnerEvents['consent/asked'];
      this.#gateway.consents.answer(provider, this.consent === 'allow');
    }
    this.#changed.fire();
  }

  /** There is no agent behind its sessions. */
  async ask(question: string): Promise<never> {
    throw new CannotAnswer(`nobody answers ${question} here`);
  }

  readonly connect = () =>
    this.#isClosed ? undefined : { socket: new MemorySocket(this.#gateway).socket, token: this.#gateway.grants.fileToken };

  async call(tool: string, args: Record<string, unknown> = {}, { signal, session }: CallOptions = {}): Promise<CallResult> {
    await this.tools([tool], session);
    const progress: string[] = [];
    const call = this.#gateway.dispatcher.call({
      session: this.#session(session),
      tool,
      args,
      onProgress: (message) => progress.push(message),
    });
    const cancel = () => call.cancel(String(signal?.reason ?? 'cancelled'));
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel);
    try {
      return resultOf(await call.outcome, progress);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  async tools(names: readonly string[] = [], session?: string): Promise<OfferedTool[]> {
    const offered = () => this.#gateway.announcer.offerOf(this.#session(session)).tools;
    const missing = () => names.filter((name) => !offered().some((tool) => tool.name === name));
    await this.#until(`the offer of ${names.join(', ')}`, () => missing().length === 0);
    return offered();
  }

  async check(tool: string, args: unknown, session?: string): Promise<HookDecision> {
    return this.#gateway.hooks.evaluate(this.#session(session), { tool, args });
  }

  async prompt(sections: Record<string, string>, session?: string): Promise<PromptParts> {
    return this.#gateway.hooks.transform(this.#session(session), sections);
  }

  event(event: string, data: Record<string, unknown> = {}, session?: string): void {
    this.#gateway.sessionEvent(this.#session(session), event, data, false);
  }

  async pushed(event: string): Promise<SurfacedPush> {
    const find = () => this.#pushes.find((push) => push.event === event);
    await this.#until(`the push ${JSON.stringify(event)}`, () => find() !== undefined);
    return find() as SurfacedPush;
  }

  addSession(id: string): void {
    this.#gateway.sessions.register(this, { sessionId: id, label: id });
  }

  endSession(id: string): Promise<void> {
    return this.#gateway.sessions.end(this.#session(id));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#gateway.shutDown(0);
    this.#attached.dispose();
    rmSync(this.#home, { recursive: true, force: true });
  }

  #session(id = DEMO_SESSION): Session {
    const session = this.#gateway.sessions.get(id);
    if (!session) throw new Error(`there is no session ${JSON.stringify(id)}`);
    return session;
  }

  /** Rejects with what the gateway has refused meanwhile, because that is mostly why, and with what `isSo` throws. */
  async #until(what: string, isSo: () => boolean): Promise<void> {
    if (isSo()) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        watch.dispose();
        const refused = this.#gateway.status().lastErrors.at(-1);
        const { message } = new TimeoutError(what, OFFER_TIMEOUT_MS);
        reject(new Error(refused ? `${message}. The gateway has refused something: ${refused.code}: ${refused.message}` : message));
      }, OFFER_TIMEOUT_MS);
      const watch = this.#changed.event(() => {
        try {
          if (!isSo()) return;
          resolve();
        } catch (error) {
          reject(error as Error);
        }
        clearTimeout(timer);
        watch.dispose();
      });
    });
  }
}

function resultOf(outcome: ToolOutcome, progress: string[]): CallResult {
  if (!outcome.ok) {
    const { error, errorCode, details } = outcome;
    throw new ToolCallError(details?.errorCode ?? errorCode, error, details?.retryable ?? false, progress);
  }
  if ('data' in outcome) return { ...resultContent(outcome.data, JSON.stringify), data: outcome.data, progress };
  const { mimeType, base64 } = outcome.file;
  return { content: [{ type: 'resource', resource: { uri: 'file:///result', mimeType, blob: base64 } }], data: outcome.file, progress };
}
