/** Lists of a provider's answers. One wrong item does not lose the others: it is left out and named. */
import * as z from 'zod/mini';
import { isRecord } from '../../base/isRecord.ts';

export interface Listed<T> {
  readonly found: readonly T[];
  readonly leftOut?: LeftOut;
}
export interface LeftOut {
  readonly count: number;
  /** For the user. */
  readonly message: string;
}

/** The more there are, the less each of them says. */
const MAX_NAMED = 3;
/** How deep members of OpenCtx lie. */
const MAX_DEPTH = 6;

/** `what`: of which things there are so many. */
export function listed<T>(items: readonly unknown[], shape: z.ZodMiniType<T>, what = 'in its answer'): Listed<T> {
  const found: T[] = [];
  const named: string[] = [];
  let count = 0;
  for (const [index, item] of items.entries()) {
    const { success, data, error } = shape.safeParse(withoutNulls(item));
    if (success) found.push(data);
    else if (++count <= MAX_NAMED) named.push(`${index + 1} (${whatIsWrong(error)})`);
  }
  if (count === 0) return { found };
  const more = count > named.length ? ` and ${count - named.length} more` : '';
  return { found, leftOut: { count, message: `Of ${items.length} ${what}, ${count} wrong left out: ${named.join(', ')}${more}.` } };
}

/** Of two lists in one answer. */
export function bothLeftOut(first: LeftOut | undefined, second: LeftOut | undefined): { leftOut?: LeftOut } {
  if (!first || !second) return first || second ? { leftOut: (first ?? second) as LeftOut } : {};
  return { leftOut: { count: first.count + second.count, message: `${first.message} ${second.message}` } };
}

/** Absent and `null` are one in OpenCtx. The `data` of a mention is the provider's own, and stays as it is. */
export function withoutNulls(value: unknown, depth = MAX_DEPTH): unknown {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((one) => withoutNulls(one, depth - 1));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, name === 'data' ? member : withoutNulls(member, depth - 1)]));
}

export function whatIsWrong({ issues: [issue] }: z.core.$ZodError): string {
  return `${(issue?.path ?? []).map(String).join('.')} ${issue?.message ?? ''}`.trim();
}
