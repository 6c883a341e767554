/** Starts sessions at the agent host, over the same protocol as any client, and knows those that the portal has started. */
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import type { Subscription } from '../../ahp/client/resources/subscription.ts';
import type { RootState } from '../../ahp/v1/root.ts';
import type { SessionConfigSchema } from '../../ahp/v1/session.ts';
import { messageOf, withTimeout } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import type { SessionFactory, SessionRequest } from '../tasks/portalSession.ts';
import type { Entry } from '../entry/entry.ts';
import { fault } from '../entry/faults.ts';
import { approvalConfig, asking } from './approvals.ts';
import { activeClient, HostSession } from './hostSession.ts';
import type { SessionResponse } from './sessionCallbacks.ts';

/** The engine of an agent may have to be started. */
const READY_TIMEOUT_MS = 120_000;

export interface HostSessionsOptions {
  client: AgentHostClient;
  /** The agent that runs the sessions. */
  provider: string;
  logger: Logger;
  /** The job tools, which only report what they are given, run without a question to the user. */
  allowJobTools?: boolean;
  /** The live queue of a session. */
  live: { open(id: string): void; push(id: string, response: SessionResponse): void; close(id: string): void };
}

export interface ModelInfo {
  name: string;
  id: string;
  /** The host does not say what a model costs, so it is always 1. */
  multiplier: number;
}

export class HostSessions implements SessionFactory, Disposable {
  readonly #options: HostSessionsOptions;
  readonly #root: Subscription<RootState>;
  readonly #sessions = new Map<string, HostSession>();

  readonly #configSchema: SessionConfigSchema;

  private constructor(options: HostSessionsOptions, configSchema: SessionConfigSchema) {
    this.#options = options;
    this.#configSchema = configSchema;
    this.#root = options.client.subscribeRoot();
  }

  /** Rejects when the host has no such agent. */
  static async open(options: HostSessionsOptions): Promise<HostSessions> {
    const { client, provider } = options;
    const root = client.subscribeRoot();
    try {
      const { agents } = await whenLive(root);
      if (!agents.some((agent) => agent.provider === provider))
        throw new Error(`the host has no agent “${provider}”: it has ${agents.map((agent) => agent.provider).join(', ')}`);
      const { schema } = await client.request('resolveSessionConfig', { provider });
      return new HostSessions(options, schema);
    } finally {
      root.dispose();
    }
  }

  /** Throws an `EntryError` when a task approves what the agent has no setting for. */
  check({ tasks }: Entry): void {
    for (const [name, { approve = [] }] of Object.entries(tasks))
      if (!approvalConfig(this.#configSchema, approve))
        throw fault(['tasks', name, 'approve'], `the agent “${this.#options.provider}” has no setting for ${approve.join(', ')}`);
  }

  models(): ModelInfo[] {
    const agent = this.#root.state?.agents.find(({ provider }) => provider === this.#options.provider);
    return (agent?.models ?? []).map(({ name, id }) => ({ name, id, multiplier: 1 }));
  }

  get(id: string): HostSession | undefined {
    return this.#sessions.get(id);
  }

  /** Those that have not ended for the portal. */
  list(): HostSession['overview'][] {
    return [...this.#sessions.values()].map(({ overview }) => overview);
  }

  get size(): number {
    return this.#sessions.size;
  }

  async start({ model, workingDirectory, approve }: SessionRequest, signal: AbortSignal): Promise<HostSession> {
    const { client, provider, live, allowJobTools = false } = this.#options;
    signal.throwIfAborted();
    const config = approvalConfig(this.#configSchema, approve);
    if (!config) throw new Error(`the agent “${provider}” has no setting for ${approve.join(', ')}`);
    const id = randomUUID();
    const uri = `${provider}:/${id}`;
    await client.request('createSession', {
      ...{ session: uri, provider, model: { id: model }, activeClient: activeClient(client), config },
      ...(workingDirectory !== undefined && { workingDirectory: pathToFileURL(workingDirectory).href }),
    });
    live.open(id);
    const session = new HostSession({
      ...{ id, uri, client, approve, config },
      allowJobTools: allowJobTools || approve.includes('job-tools'),
      tell: (response) => live.push(id, response),
      onEnd: () => {
        this.#sessions.delete(id);
        live.close(id);
      },
    });
    this.#sessions.set(id, session);
    try {
      await withTimeout(session.ready(signal), READY_TIMEOUT_MS, 'starting the agent of the session');
    } catch (error) {
      await session.stop();
      // Nobody has said anything in it.
      await client.request('disposeSession', { session: uri }).catch((second: unknown) => this.#warn(id, second));
      throw error;
    }
    return session;
  }

  /** A session of an earlier process, which could not give back what was approved for it. */
  async askAgain(id: string): Promise<void> {
    const { client, provider } = this.#options;
    const session = `${provider}:/${id}`;
    const settlement = await client.dispatch(session, { type: 'session/configChanged', session, config: asking }).settled;
    if (settlement.kind !== 'confirmed')
      this.#options.logger.warn(`session ${id} keeps what was approved for it, or was deleted: ${settlement.reason}`);
  }

  /** Resolves when no session runs any more. */
  async stopAll(): Promise<void> {
    await Promise.all(
      [...this.#sessions.values()].map((session) => session.stop().catch((error: unknown) => this.#warn(session.id, error))),
    );
  }

  dispose(): void {
    this.#root.dispose();
  }

  #warn(id: string, error: unknown): void {
    this.#options.logger.warn(`session ${id} could not be stopped: ${messageOf(error)}`);
  }
}
