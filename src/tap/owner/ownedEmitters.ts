/** The emitters of a session of this owner. Those that it has started the next gateway starts again where this one is killed. */
import type { EmitterInput, EventFilter } from '../wire/emitters/emitterSpec.ts';
import type { EmitterStatus } from '../wire/emitters/emitterStatus.ts';
import type { OwnerRequest, OwnerResults } from '../wire/ownerMessages.ts';

/** All requests reject when the link is down, or with an RpcError that says why not. */
export class OwnedEmitters {
  /** Those of `tap.config.json`, by name. */
  readonly #persistent = new Map<string, EmitterInput>();

  constructor(
    private readonly sessionId: string,
    private readonly request: <M extends OwnerRequest>(method: M, params: object) => Promise<OwnerResults[M]>,
  ) {}

  /** For the user, who has asked for it. A persistent one may be there already. */
  async start(emitter: EmitterInput): Promise<EmitterStatus> {
    const status = await this.request('emitters/start', { sessionId: this.sessionId, emitter });
    if (emitter.lifespan === 'persistent') this.#persistent.set(status.name, emitter);
    return status;
  }

  /** After the session was registered: it may have ended at the gateway, and with it what is persistent. `failed`: one could not be started. */
  startPersistent(failed: (name: string, error: unknown) => void): void {
    for (const [name, emitter] of this.#persistent) this.start(emitter).catch((error: unknown) => failed(name, error));
  }

  /** Those that do not stand in `tap.config.json` any more are stopped. `names`: those that do. */
  async withdrawOthers(names: ReadonlySet<string>): Promise<void> {
    for (const name of this.#persistent.keys()) if (!names.has(name)) this.#persistent.delete(name);
    const others = (await this.list()).filter(({ name, lifespan }) => lifespan === 'persistent' && !names.has(name));
    const stop = (name: string) => this.request('emitters/stop', { sessionId: this.sessionId, name, withdrawn: true });
    await Promise.all(others.map(({ name }) => stop(name)));
  }

  /** Resolves when nothing of it runs any more. */
  async stop(name: string): Promise<void> {
    await this.request('emitters/stop', { sessionId: this.sessionId, name });
  }

  /** Without waiting for its interval; from the beginning where it is over. */
  async run(name: string): Promise<void> {
    await this.request('emitters/run', { sessionId: this.sessionId, name });
  }

  /** For every line from now on. */
  async setFilter(name: string, eventFilter: EventFilter): Promise<void> {
    await this.request('emitters/filter', { sessionId: this.sessionId, name, eventFilter });
  }

  async setInjector(name: string, enabled: boolean): Promise<void> {
    await this.request('emitters/injector', { sessionId: this.sessionId, name, enabled });
  }

  /** Also those that the model has started. */
  async list(): Promise<EmitterStatus[]> {
    return (await this.request('emitters/list', { sessionId: this.sessionId })).emitters;
  }
}
