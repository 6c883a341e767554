/** The demo agent in a real host over a real socket, driven and observed by a client of AHP v1, or by ours. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgentHostClient, type AgentHostClientOptions } from '../../../src/ahp/client/agentHostClient.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import type { CommandParams, ResourceState } from '../../../src/ahp/v1/commands.ts';
import type { ResponsePart, SessionAction, SessionState, Turn } from '../../../src/ahp/v1/session.ts';
import type { ToolCallState } from '../../../src/ahp/v1/toolCall.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { DemoAgent } from '../../../src/host/agents/demo/demoAgent.ts';
import type { Wait } from '../../../src/host/agents/demo/pace.ts';
import { startHostServer, type HostServer, type HostServerOptions } from '../../../src/host/server/hostServer.ts';
import { V1Client, type V1ClientOptions, type V1Resource } from '../../support/v1Client.ts';

const WAIT_MS = 30_000;

/** Time that passes when the test says so. Pauses of less than a second do not wait at all. */
export class ManualTime {
  /** From now on words wait too. */
  holdWords = false;
  readonly #held = new Set<() => void>();
  readonly #arrivals = new Set<() => void>();

  readonly wait: Wait = (ms, signal) => {
    signal.throwIfAborted();
    if (ms < 1000 && !this.holdWords) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#held.delete(release);
        reject(signal.reason as Error);
      };
      const release = () => {
        this.#held.delete(release);
        signal.removeEventListener('abort', abort);
        resolve();
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#held.add(release);
      for (const arrived of [...this.#arrivals]) arrived();
    });
  };

  /** Lets what waits go on; waits until something does. */
  async tick(): Promise<void> {
    if (this.#held.size === 0) {
      await withTimeout(
        new Promise<void>((resolve) => {
          const arrived = () => {
            this.#arrivals.delete(arrived);
            resolve();
          };
          this.#arrivals.add(arrived);
        }),
        WAIT_MS,
        'something that waits',
      );
    }
    for (const release of [...this.#held]) release();
  }
}

export class DemoHost {
  readonly time = new ManualTime();
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-demo-')));
  /** The sessions' working directory. */
  readonly directory = realpathSync(mkdtempSync(join(this.base, 'work-')));
  readonly #clients: { close(): void }[] = [];
  #server: HostServer | undefined;
  #sessions = 0;

  async start(options: Partial<HostServerOptions> = {}): Promise<V1Client> {
    const agent = new DemoAgent({ logger: nullLogger, wait: this.time.wait });
    this.#server = await startHostServer({
      agents: [agent],
      logger: nullLogger,
      defaultDirectory: pathToFileURL(this.directory).href,
      clientReturnMs: 50,
      ...options,
    });
    return await this.connect();
  }
  /** Ends the host and starts it again with these options. */
  async restart(options: Partial<HostServerOptions>): Promise<V1Client> {
    for (const client of this.#clients.splice(0)) client.close();
    await this.#server?.close();
    return this.start(options);
  }
  /** With the token. */
  get address(): string {
    assert.ok(this.#server);
    return `${this.#server.url}/?tkn=${this.#server.token}`;
  }
  /** A client of AHP v1. */
  async connect(options: Partial<V1ClientOptions> = {}): Promise<V1Client> {
    return this.#closedInTheEnd(await V1Client.connect({ ...this.#at, ...options }));
  }
  /** Our client, which speaks AHP 1.0 where it is not told otherwise. */
  async client(options: Partial<AgentHostClientOptions> = {}): Promise<AgentHostClient> {
    return this.#closedInTheEnd(await AgentHostClient.connect({ ...this.#at, transport: connectNodeTransport(), ...options }));
  }
  async session(client: V1Client, params: Partial<CommandParams<'createSession'>> = {}): Promise<DemoConversation> {
    const session = `demo:/${++this.#sessions}`;
    await client.request('createSession', {
      session,
      provider: 'demo',
      workingDirectory: pathToFileURL(this.directory).href,
      model: { id: 'demo-fast' },
      ...params,
    });
    const conversation = new DemoConversation(client, session);
    await conversation.until('the session', ({ lifecycle }) => lifecycle === 'ready');
    return conversation;
  }
  async stop(): Promise<void> {
    for (const client of this.#clients) client.close();
    await this.#server?.close();
    rmSync(this.base, { recursive: true });
  }
  get #at(): Pick<HostServer, 'url' | 'token'> {
    assert.ok(this.#server);
    return { url: this.#server.url, token: this.#server.token };
  }
  #closedInTheEnd<C extends { close(): void }>(client: C): C {
    this.#clients.push(client);
    return client;
  }
}

/** The first state that `find` finds something in. */
export function untilState<S extends ResourceState, T>(
  subscription: V1Resource<S>,
  what: string,
  find: (state: S) => T | undefined | false | null,
): Promise<T> {
  let stop = () => undefined as void;
  const found = new Promise<T>((resolve, reject) => {
    const look = () => {
      try {
        const result = subscription.state && find(subscription.state);
        if (result) resolve(result as T);
      } catch (error) {
        reject(error);
      }
    };
    const listening = subscription.onDidChange(look);
    stop = () => listening.dispose();
    look();
  });
  return withTimeout(found, WAIT_MS, what)
    .catch((error: unknown) => {
      throw new Error(`${String(error)}; the state: ${JSON.stringify(subscription.state, null, 1)?.slice(-3000)}`, { cause: error });
    })
    .finally(stop);
}

type ActionBody<T> = T extends SessionAction ? Omit<T, 'session'> : never;

export class DemoConversation {
  readonly #subscription: V1Resource<SessionState>;
  #turns: number;

  /** `turns`: how many were sent before, in another run. */
  constructor(
    readonly client: V1Client,
    readonly uri: string,
    turns = 0,
  ) {
    this.#turns = turns;
    this.#subscription = client.subscribeSession(uri);
  }

  get state(): SessionState {
    assert.ok(this.#subscription.state);
    return this.#subscription.state;
  }
  get subscription(): V1Resource<SessionState> {
    return this.#subscription;
  }
  until<T>(what: string, find: (state: SessionState) => T | undefined | false | null): Promise<T> {
    return untilState(this.#subscription, what, find);
  }

  /** Dispatches, and fails when the host refuses. */
  async dispatch(action: ActionBody<SessionAction>): Promise<void> {
    const settlement = await withTimeout(this.refusable(action), WAIT_MS, `the echo of ${action.type}`);
    assert.deepEqual(settlement, { kind: 'confirmed' });
  }
  refusable(action: ActionBody<SessionAction>) {
    return this.client.dispatch(this.uri, { ...action, session: this.uri } as SessionAction).settled;
  }

  /** Starts a turn. */
  async send(text: string): Promise<string> {
    const turnId = `turn-${++this.#turns}`;
    await this.dispatch({ type: 'session/turnStarted', turnId, userMessage: { text } });
    return turnId;
  }
  /** The turn once it is over. */
  ended(turnId: string): Promise<Turn> {
    return this.until(`the end of ${turnId}`, ({ turns }) => turns.find(({ id }) => id === turnId));
  }
  /** Sends and waits for the end. */
  async say(text: string): Promise<Turn> {
    return await this.ended(await this.send(text));
  }

  /** The newest call of the running turn, once it has that status. */
  async call<T extends ToolCallState['status']>(status: T): Promise<Extract<ToolCallState, { status: T }>> {
    const found = await this.until(`a call that is ${status}`, ({ activeTurn }) => {
      const last = callsOf(activeTurn?.responseParts).at(-1);
      return last?.status === status && last;
    });
    return found as Extract<ToolCallState, { status: T }>;
  }
  async confirm(
    decision:
      | { approved: true; editedToolInput?: string; selectedOptionId?: string }
      | { approved: false; reasonMessage?: string; selectedOptionId?: string },
  ): Promise<void> {
    const { toolCallId } = await this.call('pending-confirmation');
    const target = { type: 'session/toolCallConfirmed', turnId: this.#runningTurn, toolCallId } as const;
    await this.dispatch(
      decision.approved ? { ...target, confirmed: 'user-action', ...decision } : { ...target, reason: 'denied', ...decision },
    );
  }
  async confirmResult(approved: boolean): Promise<void> {
    const { toolCallId } = await this.call('pending-result-confirmation');
    await this.dispatch({ type: 'session/toolCallResultConfirmed', turnId: this.#runningTurn, toolCallId, approved });
  }

  get #runningTurn(): string {
    assert.ok(this.state.activeTurn);
    return this.state.activeTurn.id;
  }
}

export function callsOf(parts: readonly ResponsePart[] = []): ToolCallState[] {
  return parts.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall] : []));
}
export function textOf(turn: Pick<Turn, 'responseParts'>, kind: 'markdown' | 'reasoning' = 'markdown'): string {
  return turn.responseParts.map((part) => (part.kind === kind ? part.content : '')).join('');
}
