/** API keys of the user's own models. A key is bound to the origin of its server, so that another address in the settings does not get it. */
import * as l10n from '../../base/l10n.ts';
import { NotedSecrets, type SecretNotes, type SecretStorage } from '../notedSecrets.ts';
import type { ModelSetting } from '../settings.ts';

/**
 * `otherServer`: the origin of the server that the stored key belongs to. `isLost`: a key was given, and the storage does not have it any more,
 * as in a browser that was loaded again.
 */
export type FoundKey = { apiKey: string } | { otherServer: string } | { isLost: true };

type Model = Pick<ModelSetting, 'id' | 'baseUrl'>;

const PREFIX = 'tapline.model.key:';

export class ModelKeys {
  readonly #keys: NotedSecrets;

  constructor(storage: SecretStorage, notes: SecretNotes) {
    this.#keys = new NotedSecrets(storage, notes, { prefix: PREFIX, notes: 'tapline.modelsWithKeys' });
  }

  /** True for a name in the secret storage that belongs to a key. */
  static isKey(name: string): boolean {
    return name.startsWith(PREFIX);
  }

  /** Ids of the models that were given a key. */
  get ids(): string[] {
    return this.#keys.names;
  }

  async get({ id, baseUrl }: Model): Promise<FoundKey | undefined> {
    const kept = await this.#keys.get(id);
    if (kept === undefined) return this.ids.includes(id) ? { isLost: true } : undefined;
    const { origin, apiKey } = parsed(kept);
    if (apiKey !== undefined && origin !== undefined && origin === originOf(baseUrl)) return { apiKey };
    return { otherServer: origin ?? l10n.t('another server') };
  }

  /** Replaces the key of the model. Without a key the stored one is deleted. */
  async set({ id, baseUrl }: Model, apiKey: string | undefined): Promise<void> {
    if (apiKey) await this.#keys.store(id, JSON.stringify({ origin: originOf(baseUrl), apiKey }));
    else await this.delete(id);
  }

  delete(id: string): Promise<void> {
    return this.#keys.delete(id);
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
