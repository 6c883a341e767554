/**
 * The registration of a provider with all later changes, which is repeated for every new connection. Values are replaced, never changed.
 */
import type { FilterInput, HelloInput, HooksInput, ProviderOptions, ProviderTool } from './providerApi.ts';

export interface Registration {
  /** What a tool does is not told: functions are no JSON. */
  readonly hello: Partial<Omit<HelloInput, 'tools'>> & { readonly tools?: ProviderTool[] };
  /** By stream. They are not part of `hello`. */
  readonly filters: ReadonlyMap<string | undefined, FilterInput>;
}

export function registrationOf(options: ProviderOptions): Registration {
  const { tools, instance, metadata, context, startup_context, hooks, subscribe, concurrency } = options;
  return { hello: { tools, instance, metadata, context, startup_context, hooks, subscribe, concurrency }, filters: new Map() };
}

export function withTools(
  { hello, filters }: Registration,
  tools: readonly ProviderTool[],
  remove: readonly string[] | undefined,
): Registration {
  const gone = new Set([...(remove ?? []), ...tools.map(({ name }) => name)]);
  const kept = remove ? (hello.tools ?? []).filter(({ name }) => !gone.has(name)) : [];
  return { hello: { ...hello, tools: [...kept, ...tools] }, filters };
}

export function withHooks({ hello, filters }: Registration, { onPreToolUse, transforms }: HooksInput): Registration {
  const merged = Object.entries({ ...hello.hooks?.transforms, ...transforms }).filter(([, transform]) => transform !== null);
  const hooks = { onPreToolUse: onPreToolUse ?? hello.hooks?.onPreToolUse, transforms: Object.fromEntries(merged) };
  return { hello: { ...hello, hooks }, filters };
}

export function withContext({ hello, filters }: Registration, context: string | null): Registration {
  return { hello: { ...hello, context: context ?? undefined }, filters };
}

export function withFilter({ hello, filters }: Registration, stream: string | undefined, rules: FilterInput): Registration {
  const changed = new Map(filters);
  if (rules.length) changed.set(stream, rules);
  else changed.delete(stream);
  return { hello, filters: changed };
}
