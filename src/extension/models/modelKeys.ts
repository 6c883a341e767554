/** API keys of the user's own models. A key is bound to the origin of its server, so that another address in the settings does not get it. */
import type { ModelSetting } from '../settings.ts';

/** The part of VS Code's secret storage that is used. */
export interface KeyStorage {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
}

/** Remembers which models were given a key. `Memento` of VS Code fits. */
export interface KeyNotes {
  get(name: string): unknown;
  update(name: string, value: unknown): PromiseLike<void>;
}

/**
 * `otherServer`: the origin of the server that the stored key belongs to. `isLost`: a key was given, and the storage does not have it any more,
 * as in a browser that was loaded again.
 */
export type FoundKey = { apiKey: string } | { otherServer: string } | { isLost: true };

type Model = Pick<ModelSetting, 'id' | 'baseUrl'>;

const PREFIX = 'tapline.model.key:';
const NOTES = 'tapline.modelsWithKeys';

export class ModelKeys {
  constructor(
    private readonly storage: KeyStorage,
    private readonly notes: KeyNotes,
  ) {}

  /** True for a name in the secret storage that belongs to a key. */
  static isKey(name: string): boolean {
    return name.startsWith(PREFIX);
  }

  async get({ id, baseUrl }: Model): Promise<FoundKey | undefined> {
    const kept = await this.storage.get(PREFIX + id);
    if (kept === undefined) return this.#noted.includes(id) ? { isLost: true } : undefined;
    const { origin, apiKey } = parsed(kept);
    if (apiKey !== undefined && origin !== undefined && origin === originOf(baseUrl)) return { apiKey };
    return { otherServer: origin ?? 'another server' };
  }

  /** Replaces the key of the model. Without a key the stored one is deleted. */
  async set({ id, baseUrl }: Model, apiKey: string | undefined): Promise<void> {
    if (!apiKey) return this.delete(id);
    await this.storage.store(PREFIX + id, JSON.stringify({ origin: originOf(baseUrl), apiKey }));
    await this.notes.update(NOTES, [...new Set([...this.#noted, id])]);
  }

  async delete(id: string): Promise<void> {
    await this.storage.delete(PREFIX + id);
    await this.notes.update(
      NOTES,
      this.#noted.filter((one) => one !== id),
    );
  }

  get #noted(): unknown[] {
    const noted = this.notes.get(NOTES);
    return Array.isArray(noted) ? noted : [];
  }
}

/** Undefined for keys of earlier versions, which name no server. */
function parsed(kept: string): { origin?: string; apiKey?: string } {
  try {
    return (JSON.parse(kept) ?? {}) as { origin?: string; apiKey?: string };
  } catch {
    return {};
  }
}

/** Undefined for an invalid address. A model with such an address gets no key. */
function originOf(baseUrl: string): string | undefined {
  const { protocol, origin } = URL.canParse(baseUrl) ? new URL(baseUrl) : { protocol: '', origin: '' };
  return /^https?:$/.test(protocol) ? origin : undefined;
}
