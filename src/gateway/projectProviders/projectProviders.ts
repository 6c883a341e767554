/** The providers that sessions have started. None outlives its session. */
import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { sameJson } from '../../base/sameJson.ts';
import { PROVIDER_ENDED } from '../../tap/wire/errorCodes.ts';
import type { OwnerResults, ProjectProviderState } from '../../tap/wire/owner/ownerMessages.ts';
import type { ProjectProviderConfig } from '../../tap/wire/projectProviders.ts';
import type { Gateway } from '../gateway.ts';
import { workingDirectory } from '../process/workingDirectory.ts';
import { ProjectProvider } from './projectProvider.ts';
import type { Session } from '../sessions/session.ts';

/** The request is refused; the message names the field. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

export class ProjectProviders {
  readonly #bySession = new Map<Session, Map<string, ProjectProvider>>();
  readonly #stopping = new Set<Promise<unknown>>();
  /** Those that run since before their owner has come back, and that it has not started again. */
  readonly #unclaimed = new Map<Session, { providers: Set<ProjectProvider>; timer: Disposable }>();

  constructor(
    private readonly gateway: Gateway,
    /** URL of the gateway. */
    private readonly url: string,
    private readonly random: () => number = Math.random,
  ) {
    gateway.sessions.onDidEnd((session) => {
      this.#endClaims(session);
      void this.stop(session);
    });
  }

  /** Starts all of them or none. One that has failed may be started again. Throws {@link StartRefused}. */
  start(session: Session, folder: string, configs: readonly ProjectProviderConfig[]): void {
    const refuse = (why: string) => new StartRefused(why);
    if (session.ending) throw refuse('the session is ending');
    if (!isAbsolute(folder)) throw refuse('folder: must be an absolute path');
    let real: string;
    try {
      real = realpathSync(folder);
    } catch (error) {
      throw refuse(`folder: ${messageOf(error)}`);
    }
    const running = this.#bySession.get(session) ?? new Map<string, ProjectProvider>();
    const claimed = configs.flatMap((config) => this.#claimed(session, running.get(config.name), config, real));
    for (const [at, { name, cwd }] of configs.entries()) {
      if (claimed.some((provider) => provider.config.name === name)) continue;
      const state = running.get(name)?.state.state;
      if (state === 'running' || state === 'waiting') throw refuse(`providers.${at}.name: ${JSON.stringify(name)} is already started`);
      try {
        workingDirectory(real, cwd);
      } catch (error) {
        throw refuse(`providers.${at}.${messageOf(error)}`);
      }
    }
    this.#bySession.set(session, running);
    const unclaimed = this.#unclaimed.get(session)?.providers;
    for (const provider of claimed) {
      unclaimed?.delete(provider);
      this.#stateChanged(session, provider.config.name, provider.state);
    }
    for (const config of configs) {
      if (claimed.some((provider) => provider.config.name === config.name)) continue;
      const provider = this.#provider(session, real, config);
      running.set(config.name, provider);
      provider.start();
    }
  }

  /** The owner has come back to the session. What it does not start again in a while is stopped: the user may not want it any more. */
  takenUp(session: Session): void {
    const running = this.#bySession.get(session);
    if (!running) return;
    this.#endClaims(session);
    const providers = new Set(running.values());
    const timer = this.gateway.clock.setTimer(() => {
      this.#endClaims(session);
      const names = [...providers].flatMap((provider) => (running.get(provider.config.name) === provider ? [provider.config.name] : []));
      if (names.length > 0) void this.stop(session, names);
    }, this.gateway.ownerGraceMs);
    this.#unclaimed.set(session, { providers, timer });
  }

  /** Resolves when they have ended. Without `names` all providers of the session are stopped. */
  async stop(session: Session, names?: readonly string[]): Promise<void> {
    const running = this.#bySession.get(session);
    const meant = [...(running ?? [])].filter(([name]) => !names || names.includes(name));
    const stopped = Promise.all(
      meant.map(async ([name, provider]) => {
        await provider.stop();
        if (running?.get(name) === provider) running.delete(name);
      }),
    );
    this.#stopping.add(stopped);
    try {
      await stopped;
    } finally {
      this.#stopping.delete(stopped);
      if (!running?.size) this.#bySession.delete(session);
    }
  }

  /** Resolves when no provider runs any more. */
  async dispose(): Promise<void> {
    for (const session of [...this.#unclaimed.keys()]) this.#endClaims(session);
    for (const session of [...this.#bySession.keys()]) void this.stop(session);
    await Promise.all(this.#stopping);
  }

  status(): OwnerResults['diagnostics']['projectProviders'] {
    return [...this.#bySession].flatMap(([session, providers]) =>
      [...providers].map(([name, { state }]) => ({ sessionId: session.id, name, ...state })),
    );
  }

  #endClaims(session: Session): void {
    this.#unclaimed.get(session)?.timer.dispose();
    this.#unclaimed.delete(session);
  }

  /** What runs already as it is asked for, of before its owner has come back. */
  #claimed(session: Session, provider: ProjectProvider | undefined, config: ProjectProviderConfig, folder: string): ProjectProvider[] {
    if (!provider || !this.#unclaimed.get(session)?.providers.has(provider)) return [];
    const { state } = provider.state;
    const isStarted = state === 'running' || state === 'waiting';
    return isStarted && provider.folder === folder && sameJson(provider.config, config) ? [provider] : [];
  }

  #stateChanged(session: Session, name: string, state: ProjectProviderState): void {
    session.owner.notify('provider/state', { sessionId: session.id, name, ...state });
  }

  #provider(session: Session, folder: string, config: ProjectProviderConfig): ProjectProvider {
    const { gateway } = this;
    const { name } = config;
    const about = { sessionId: session.id, name };
    return new ProjectProvider(config, folder, {
      clock: gateway.clock,
      url: this.url,
      random: this.random,
      isWanted: () => !session.ending,
      grant: () => gateway.grantTo(session, name),
      stateChanged: (state) => {
        this.#log(session, name, state);
        this.#stateChanged(session, name, state);
      },
      printed: (stream, lines) => session.owner.notify('provider/output', { ...about, stream, lines }),
    });
  }

  #log(session: Session, name: string, { state, error, pid }: ProjectProviderState): void {
    const { logger, diagnostics } = this.gateway;
    const text = `project provider ${JSON.stringify(name)}: ${state}${pid === undefined ? '' : ` (process ${pid})`}${error ? `: ${error}` : ''}`;
    if (!error) return logger.info(text);
    logger.warn(text);
    diagnostics.error(PROVIDER_ENDED, error, name, session.id);
  }
}
