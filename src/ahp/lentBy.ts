/** A vendor extension of our clients: in `_meta` of a tool that a client lends is who runs it, for whoever shows or allows its calls. */
import * as z from 'zod/mini';
import type { ToolDefinition } from './common/tools.ts';

/** Longer ones could not be shown. */
const text = z.string().check(z.minLength(1), z.maxLength(2_000));

const keys = { provider: 'tapline.provider', trust: 'tapline.trust', origin: 'tapline.origin' } as const;

const meta = z.object({
  [keys.provider]: z.optional(text),
  [keys.trust]: z.optional(text),
  [keys.origin]: z.optional(text),
});

/** As the gateway says it. All are absent for a tool that no provider of a gateway runs. */
export interface LentBy {
  /** Its name. Untrusted. */
  readonly provider?: string;
  readonly trust?: string;
  /** Of a paired page. Untrusted. */
  readonly origin?: string;
}

export function lentByMeta(by: LentBy): Record<string, unknown> {
  return present({ [keys.provider]: by.provider, [keys.trust]: by.trust, [keys.origin]: by.origin });
}

/** Undefined where it is not in the form that our clients give it. */
export function lentBy({ _meta = {} }: Pick<ToolDefinition, '_meta'>): LentBy | undefined {
  const { data } = meta.safeParse(_meta);
  return data && present({ provider: data[keys.provider], trust: data[keys.trust], origin: data[keys.origin] });
}

function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
