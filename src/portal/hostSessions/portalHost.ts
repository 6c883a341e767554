/** An agent host at which the portal starts sessions: its own, or another one of its list. */
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import type { ResourceModel } from '../../ahp/client/model/resourceModel.ts';
import type { SessionConfigSchema } from '../../ahp/channels/shapes/config.ts';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Approval } from '../entry/approve.ts';
import { SessionStoppedError } from '../tasks/portalSession.ts';
import { approvalConfig } from './approvals.ts';

/** While somebody waits for a host, it is not asked less and less often. */
const RETRY_MS = 1_000;

export interface PortalHostOptions {
  client: AgentHostClient;
  /** The agent that runs the sessions. */
  provider: string;
  clock: Clock;
  /** Its name in the list. Absent: the portal's own. */
  name?: string;
}

export class PortalHost implements Disposable {
  readonly name: string | undefined;
  readonly client: AgentHostClient;
  readonly #provider: string;
  readonly #clock: Clock;
  readonly #store = new DisposableStore();
  readonly #root: ResourceModel<'root'>;
  /** The settings of its agent, as they were last told over this connection. */
  #schema: SessionConfigSchema | undefined;

  constructor({ client, provider, clock, name }: PortalHostOptions) {
    this.client = client;
    this.name = name;
    this.#provider = provider;
    this.#clock = clock;
    this.#root = this.#store.add(client.root());
    if (name === undefined) return;
    const look = () => {
      // The host may come back with another version of the agent.
      this.#schema = undefined;
      // What it cannot tell is checked when a session starts.
      if (client.state.kind === 'connected') void this.settings().catch(() => undefined);
    };
    this.#store.add(client.onDidChangeState(look));
    look();
  }

  /** The agent, as the host tells. Undefined: it has none, or has not told. */
  get agent() {
    return this.#root.state?.agents.find(({ provider }) => provider === this.#provider);
  }

  /** Rejects when the host has no such agent. */
  async requireAgent(): Promise<void> {
    const { agents } = await whenLive(this.#root);
    if (!agents.some(({ provider }) => provider === this.#provider))
      throw new Error(`the host has no agent “${this.#provider}”: it has ${agents.map(({ provider }) => provider).join(', ')}`);
  }

  /** Asks for the settings that a session can have. */
  async settings(): Promise<SessionConfigSchema> {
    const { schema } = await this.client.command('resolveSessionConfig', { provider: this.#provider });
    return (this.#schema = schema);
  }

  /** The setting for what an entry approves. Throws when the agent has none. */
  configFor(schema: SessionConfigSchema, approve: readonly Approval[]): Record<string, string> {
    const config = approvalConfig(schema, approve);
    if (!config) throw new Error(`the agent “${this.#provider}” has no setting for ${approve.join(', ')}`);
    return config;
  }

  /** Throws when it is known that the agent has no setting for this. */
  check(approve: readonly Approval[]): void {
    if (this.#schema) this.configFor(this.#schema, approve);
  }

  /** Resolves when there is a connection. Rejects when there can be none, or none in that time. */
  async connected(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const { client } = this;
    const store = new DisposableStore();
    try {
      await new Promise<void>((resolve, reject) => {
        const look = () => {
          const { state } = client;
          if (state.kind === 'connected') resolve();
          else if (state.kind === 'failed') reject(new Error(state.reason.message));
          else if (state.kind === 'closed') reject(new Error('the portal has left it'));
        };
        const retry = () => {
          client.reconnectNow();
          store.add(this.#clock.setTimer(retry, RETRY_MS));
        };
        const giveUp = () => {
          const { state } = client;
          const why = state.kind === 'reconnecting' ? `: ${state.reason.message}` : '';
          reject(new Error(`it could not be reached within ${timeoutMs / 1000} s${why}`));
        };
        const stop = () => reject(signal.reason);
        store.add(client.onDidChangeState(look));
        store.add(this.#clock.setTimer(giveUp, timeoutMs));
        signal.addEventListener('abort', stop);
        store.add({ dispose: () => signal.removeEventListener('abort', stop) });
        if (client.state.kind !== 'connected') retry();
        look();
      });
    } finally {
      store.dispose();
    }
  }

  errorAt(error: unknown): unknown {
    return errorAt(this.name, error);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** The error with the name of the host, where it is not the portal's own. */
export function errorAt(host: string | undefined, error: unknown): unknown {
  if (host === undefined) return error;
  const message = `the agent host “${host}”: ${messageOf(error)}`;
  return error instanceof SessionStoppedError ? new SessionStoppedError(message) : new Error(message, { cause: error });
}
