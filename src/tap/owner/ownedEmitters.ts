/** The emitters of a session of this owner. Those that it has started the next gateway starts again where this one is killed. */
import { RpcError } from '../../base/jsonRpc.ts';
import type { EmitterInput, EventFilter } from '../wire/emitters/emitterSpec.ts';
import { normalName } from '../wire/emitters/emitterWords.ts';
import type { EmitterStatus } from '../wire/emitters/emitterStatus.ts';
import type { FilterPreview } from '../wire/emitters/filterPreview.ts';
import type { OwnerRequest, OwnerResults } from '../wire/owner/ownerMessages.ts';

/** All requests reject when the link is down, or with an RpcError that says why not. */
export class OwnedEmitters {
  /** Those of `tap.config.json`, by name. `isOff`: the user has stopped it. */
  readonly #persistent = new Map<string, { readonly emitter: EmitterInput; readonly isOff: boolean }>();
  /** Stops that the gateway may not have heard, by the name of the emitter. The next one must hear them before it starts anything. */
  readonly #unheard = new Set<string>();

  constructor(
    private readonly sessionId: string,
    private readonly request: <M extends OwnerRequest>(method: M, params: object) => Promise<OwnerResults[M]>,
  ) {}

  /** For the user, who has asked for it. A persistent one may be there already. */
  async start(emitter: EmitterInput): Promise<EmitterStatus> {
    const name = normalName(emitter.name);
    const isPersistent = emitter.lifespan === 'persistent';
    const before = isPersistent ? this.#persistent.get(name) : undefined;
    const isOff = before?.isOff === true && JSON.stringify(before.emitter) === JSON.stringify(emitter);
    if (!isOff) this.#unheard.delete(name);
    // It may be stopped or withdrawn before there is an answer.
    const known = { emitter, isOff };
    if (isPersistent) this.#persistent.set(name, known);
    try {
      return await this.request('emitters/start', { sessionId: this.sessionId, emitter, ...(isOff && { isOff }) });
    } catch (error) {
      if (error instanceof RpcError && this.#persistent.get(name) === known) this.#persistent.delete(name);
      throw error;
    }
  }

  /** See `stopped` of `session/register`. */
  get unheardStops(): string[] {
    return [...this.#unheard];
  }

  /** A gateway has heard these stops. */
  heard(stops: readonly string[]): void {
    for (const name of stops) this.#unheard.delete(name);
  }

  /** After the session was registered: it may have ended at the gateway, and with it what is persistent. `failed`: one could not be started. */
  startPersistent(failed: (name: string, error: unknown) => void): void {
    for (const [name, { emitter }] of this.#persistent) this.start(emitter).catch((error: unknown) => failed(name, error));
  }

  /** Those that do not stand in `tap.config.json` any more are stopped. `names`: those that do. */
  async withdrawOthers(names: ReadonlySet<string>): Promise<void> {
    for (const name of this.#persistent.keys()) if (!names.has(name)) this.#persistent.delete(name);
    const others = (await this.list()).filter(({ name, lifespan }) => lifespan === 'persistent' && !names.has(name));
    const stop = (name: string) => this.request('emitters/stop', { sessionId: this.sessionId, name, withdrawn: true });
    await Promise.all(others.map(({ name }) => stop(name)));
  }

  /** Resolves when nothing of it runs any more. It does not start by itself again, also where this rejects. */
  async stop(name: string): Promise<void> {
    this.#setOff(name, true);
    this.#unheard.add(name);
    try {
      await this.request('emitters/stop', { sessionId: this.sessionId, name });
      this.#unheard.delete(name);
    } catch (error) {
      if (error instanceof RpcError) this.#unheard.delete(name);
      throw error;
    }
  }

  /** Without waiting for its interval; from the beginning where it is over. */
  async run(name: string): Promise<void> {
    this.#unheard.delete(name);
    await this.request('emitters/run', { sessionId: this.sessionId, name });
    this.#setOff(name, false);
  }

  /** For every line from now on. */
  async setFilter(name: string, eventFilter: EventFilter): Promise<void> {
    await this.request('emitters/filter', { sessionId: this.sessionId, name, eventFilter });
  }

  /** What these rules would do with its newest lines. */
  preview(name: string, eventFilter: EventFilter): Promise<FilterPreview> {
    return this.request('emitters/preview', { sessionId: this.sessionId, name, eventFilter });
  }

  async setInjector(name: string, enabled: boolean): Promise<void> {
    await this.request('emitters/injector', { sessionId: this.sessionId, name, enabled });
  }

  /** Also those that the model has started. */
  async list(): Promise<EmitterStatus[]> {
    return (await this.request('emitters/list', { sessionId: this.sessionId })).emitters;
  }

  #setOff(name: string, isOff: boolean): void {
    const known = this.#persistent.get(name);
    if (known) this.#persistent.set(name, { ...known, isOff });
  }
}
