/**
 * Keys of the user's own models. A key is for one model on one server: the address in the settings may be changed by whoever writes them,
 * and the key does not follow it.
 */
import type { ModelSetting } from '../settings.ts';

/** As much of VS Code's secret storage as is needed. */
export interface KeyStorage {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
}

/** `otherServer`: there is a key, but for a server with that origin. */
export type FoundKey = { apiKey: string } | { otherServer: string };

type Model = Pick<ModelSetting, 'id' | 'baseUrl'>;

const PREFIX = 'tapline.model.key:';

export class ModelKeys {
  constructor(private readonly storage: KeyStorage) {}

  /** Whether this name in the storage is that of a key. */
  static isKey(name: string): boolean {
    return name.startsWith(PREFIX);
  }

  async get({ id, baseUrl }: Model): Promise<FoundKey | undefined> {
    const kept = await this.storage.get(PREFIX + id);
    if (kept === undefined) return undefined;
    const { origin, apiKey } = parsed(kept);
    if (apiKey !== undefined && origin !== undefined && origin === originOf(baseUrl)) return { apiKey };
    return { otherServer: origin ?? 'another server' };
  }

  /** In the place of the model's key until now; none removes that. */
  async set({ id, baseUrl }: Model, apiKey: string | undefined): Promise<void> {
    if (apiKey) await this.storage.store(PREFIX + id, JSON.stringify({ origin: originOf(baseUrl), apiKey }));
    else await this.delete(id);
  }

  async delete(id: string): Promise<void> {
    await this.storage.delete(PREFIX + id);
  }
}

/** What an earlier version has kept names no server, and is no JSON. */
function parsed(kept: string): { origin?: string; apiKey?: string } {
  try {
    return (JSON.parse(kept) ?? {}) as { origin?: string; apiKey?: string };
  } catch {
    return {};
  }
}

/** Undefined for what is no address of a server; such a model gets no key. */
function originOf(baseUrl: string): string | undefined {
  const { protocol, origin } = URL.canParse(baseUrl) ? new URL(baseUrl) : { protocol: '', origin: '' };
  return /^https?:$/.test(protocol) ? origin : undefined;
}
