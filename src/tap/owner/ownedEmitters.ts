/** The emitters of a session of this owner. Those that it has started are started again at a gateway that does not have them any more. */
import type { EmitterInput, EventFilter } from '../wire/emitters/emitterSpec.ts';
import type { EmitterStatus } from '../wire/emitters/emitterStatus.ts';
import type { FilterPreview } from '../wire/emitters/filterPreview.ts';
import type { OwnerRequest, OwnerResults } from '../wire/ownerMessages.ts';

/** All requests reject when the link is down, or with an RpcError that says why not. */
export class OwnedEmitters {
  /** By name, as they are now. */
  readonly #started = new Map<string, EmitterInput>();

  constructor(
    private readonly sessionId: string,
    private readonly request: <M extends OwnerRequest>(method: M, params: object) => Promise<OwnerResults[M]>,
  ) {}

  /** For the user, who has asked for it. */
  async start(emitter: EmitterInput): Promise<EmitterStatus> {
    const status = await this.request('emitters/start', { sessionId: this.sessionId, emitter });
    this.#started.set(status.name, emitter);
    // It may be over already, and what was told about it before this answer was not for one that is known.
    this.heard(status);
    return status;
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

  /** The gateway tells how one is now. */
  heard({ name, command, prompt, eventFilter, ownership, state, startedBy }: EmitterStatus): void {
    const started = this.#started.get(name);
    if (!started) return;
    // Another one has its name now. What was replaced is not to run again.
    if (startedBy !== 'user' || command !== started.command || prompt !== started.prompt) return void this.#started.delete(name);
    const autoStart = state === 'running' || state === 'waiting';
    this.#started.set(name, { ...started, ...(command !== undefined && { eventFilter }), ownership, autoStart });
  }

  /** After the session was registered. `failed`: one could not be started. */
  startAgain(failed: (name: string, error: unknown) => void): void {
    for (const [name, emitter] of this.#started)
      this.request('emitters/start', { sessionId: this.sessionId, emitter, again: true })
        .then((status) => this.heard(status))
        .catch((error: unknown) => failed(name, error));
  }
}
