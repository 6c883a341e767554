/** The ids of the user's own models. */
import type { ModelSetting } from '../settings.ts';

/**
 * The id for a model that is added: the one that it has already, or else the server's name for it. Where a model of another server has that
 * name, the address is added.
 */
export function idOf(model: string, baseUrl: string, others: readonly ModelSetting[]): string {
  const known = others.find((other) => (other.model ?? other.id) === model && other.baseUrl === baseUrl);
  if (known) return known.id;
  const wanted = [model, `${model} (${new URL(baseUrl).host})`, `${model} (${baseUrl})`];
  return wanted.find((id) => !others.some((other) => other.id === id)) ?? `${model} (${baseUrl}, ${others.length + 1})`;
}
