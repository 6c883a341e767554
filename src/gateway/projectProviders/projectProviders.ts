/** The providers that sessions have started: which there are, and that none outlives its session. */
import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { OwnerResults, ProjectProviderState } from '../../tap/wire/ownerMessages.ts';
import type { ProjectProviderConfig } from '../../tap/owner/tapConfig.ts';
import type { Gateway } from '../gateway.ts';
import { ProjectProvider, workingDirectory } from './projectProvider.ts';
import type { Session } from '../sessions/session.ts';

/** The request cannot be met; the message names the field. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

export class ProjectProviders {
  readonly #bySession = new Map<Session, Map<string, ProjectProvider>>();
  readonly #stopping = new Set<Promise<unknown>>();

  constructor(
    private readonly gateway: Gateway,
    /** Of the gateway. */
    private readonly url: string,
    private readonly random: () => number = Math.random,
  ) {
    gateway.sessions.onDidEnd((session) => void this.stop(session));
  }

  /** All or none; one that has failed may be started again. Throws {@link StartRefused}. */
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
    for (const [at, { name, cwd }] of configs.entries()) {
      const state = running.get(name)?.state.state;
      if (state === 'running' || state === 'waiting') throw refuse(`providers.${at}.name: ${JSON.stringify(name)} is started already`);
      try {
        workingDirectory(real, cwd);
      } catch (error) {
        throw refuse(`providers.${at}.${messageOf(error)}`);
      }
    }
    this.#bySession.set(session, running);
    for (const config of configs) {
      const provider = this.#provider(session, real, config);
      running.set(config.name, provider);
      provider.start();
    }
  }

  /** Resolves when they have ended. `names` absent: all of the session. */
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

  /** Resolves when none is left. */
  async dispose(): Promise<void> {
    for (const session of [...this.#bySession.keys()]) void this.stop(session);
    await Promise.all(this.#stopping);
  }

  status(): OwnerResults['diagnostics']['projectProviders'] {
    return [...this.#bySession].flatMap(([session, providers]) =>
      [...providers].map(([name, { state }]) => ({ sessionId: session.id, name, ...state })),
    );
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
        session.owner.notify('provider/state', { ...about, ...state });
      },
      printed: (stream, lines) => session.owner.notify('provider/output', { ...about, stream, lines }),
    });
  }

  #log(session: Session, name: string, { state, error, pid }: ProjectProviderState): void {
    const { logger, diagnostics } = this.gateway;
    const text = `project provider ${JSON.stringify(name)}: ${state}${pid === undefined ? '' : ` (process ${pid})`}${error ? `: ${error}` : ''}`;
    if (!error) return logger.info(text);
    logger.warn(text);
    diagnostics.error('PROVIDER_ENDED', error, name, session.id);
  }
}
