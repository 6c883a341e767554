/** API keys of the user's own models. A key is bound to the origin of its server, so that another address in the settings does not get it. */
import type { ModelSetting } from '../settings.ts';

/** The part of VS Code's secret storage that is used. */
export interface KeyStorage {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
}

/** `otherServer`: the origin of the server that the stored key belongs to. */
export type FoundKey = { apiKey: string } | { otherServer: string };

type Model = Pick<ModelSetting, 'id' | 'baseUrl'>;

const PREFIX = 'tapline.model.key:';

export class ModelKeys {
  constructor(private readonly storage: KeyStorage) {}

  /** True for a name in the secret storage that belongs to a key. */
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

  /** Replaces the key of the model. Without a key the stored one is deleted. */
  async set({ id, baseUrl }: Model, apiKey: string | undefined): Promise<void> {
    if (apiKey) await this.storage.store(PREFIX + id, JSON.stringify({ origin: originOf(baseUrl), apiKey }));
    else await this.delete(id);
  }

  async delete(id: string): Promise<void> {
    await this.storage.delete(PREFIX + id);
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
