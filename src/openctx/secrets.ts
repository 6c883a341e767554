/** Secrets in the settings of providers stand there by name: `${secret:NAME}`. */
import { isRecord } from '../base/isRecord.ts';
import type { ProviderSettings } from './protocol/messages.ts';
import { ProviderFailure } from './transports/openCtxTransport.ts';

const reference = /\$\{secret:([\w.-]+)\}/g;
const MAX_DEPTH = 20;

export type FindSecret = (name: string) => Promise<string | undefined>;

/** The names that the settings refer to. */
export function secretNames(settings: unknown): string[] {
  return [...new Set(Array.from(JSON.stringify(settings ?? null).matchAll(reference), ([, name = '']) => name))];
}

/** The settings with their secrets. Rejects with a {@link ProviderFailure} that names one that is not there. */
export async function withSecrets(settings: ProviderSettings, find: FindSecret): Promise<ProviderSettings> {
  const secrets = new Map<string, string>();
  for (const name of secretNames(settings)) {
    const secret = await find(name);
    if (secret === undefined) throw new ProviderFailure(`Its settings refer to the secret “${name}”, which was not entered.`, 'refused');
    secrets.set(name, secret);
  }
  const put = (value: unknown, depth: number): unknown => {
    if (depth > MAX_DEPTH) throw new ProviderFailure('Its settings are nested too deeply.', 'refused');
    if (typeof value === 'string') return value.replace(reference, (_all, name: string) => secrets.get(name) ?? '');
    if (Array.isArray(value)) return value.map((one) => put(one, depth + 1));
    if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, put(one, depth + 1)]));
    return value;
  };
  return put(settings, 0) as ProviderSettings;
}
