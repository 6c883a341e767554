/**
 * What the schemas of the protocol are made of. They allow what a later version may add: members, values of an enumeration, and tags of a
 * union. They are `zod/mini`, which has no texts of its own: where a schema has a message, it says what is expected, such as `an object`.
 */
import * as z from 'zod/mini';
import { isRecord } from '../../base/isRecord.ts';
import { URI_PATTERN } from './uriPattern.ts';

/**
 * Stands in the types for every tag or enum value that this version does not know. On the wire it is any other string. Here it is one
 * literal, because only literals let a `switch` over a union narrow and leave unknown values to `default`. Such values are kept in the
 * state and shown as unknown. Never compare with it.
 */
export type UnknownTag = '(unknown)';

/** Never empty. */
export const id = z.string().check(z.minLength(1));

/** An absolute URI. */
export const uri = z.string().check(z.regex(URI_PATTERN, 'a URI with a scheme'));

export const count = z.int().check(z.gte(0));

/** A JSON object with any members. */
export const anyObject = z.custom<Record<string, unknown>>(isRecord, 'an object');

/** An action of one type. */
export function action<const T extends string, S extends z.core.$ZodLooseShape>(type: T, fields: S) {
  return z.object({ type: z.literal(type), ...fields });
}

/** The union of actions with these fields, by type. */
export type ActionsOf<Fields> = { [T in keyof Fields]: { type: T } & Fields[T] }[keyof Fields];

/** The union of the values that the schemas of a table take. */
export type AnyOf<Schemas extends Record<string, z.core.$ZodType>> = { [K in keyof Schemas]: z.infer<Schemas[K]> }[keyof Schemas];

/** One of these strings, or one of a later version. */
export function openEnum<const T extends string>(..._known: readonly T[]): z.ZodMiniType<T | UnknownTag, T | UnknownTag> {
  return id as unknown as z.ZodMiniType<T | UnknownTag, T | UnknownTag>;
}

type Case<Tag extends string> = z.ZodMiniObject<Record<Tag, z.ZodMiniLiteral<string>> & Record<string, z.core.$ZodType>>;

/** A union by the value of `tag`. A value that none of the cases has is of a later version, and its object is kept as it came. */
export function tagged<const Tag extends string, const Cases extends readonly Case<Tag>[]>(
  tag: Tag,
  cases: Cases,
): z.ZodMiniType<z.infer<Cases[number]> | Record<Tag, UnknownTag>> {
  const known = new Set(cases.flatMap((one) => [...one.shape[tag].def.values]));
  const later = z.looseObject({ [tag]: id.check(z.refine((value) => !known.has(value), { abort: true })) });
  return z.union([z.discriminatedUnion(tag, cases as never), later]) as never;
}

/** A list of such items. Unlike `z.array`, it stops at the first that does not fit, of the millions that a frame can hold. */
export function listOf<T>(item: z.ZodMiniType<T>): z.ZodMiniType<T[]> {
  const list = z.custom<unknown[]>(Array.isArray, 'an array');
  const items = z.transform((value: unknown[], context) => parseEach(item, value.entries(), context).map(([, parsed]) => parsed));
  return z.pipe(list, items) as never;
}

/** An object with such values under any keys. Unlike `z.record`, it stops at the first that does not fit, and includes the key `__proto__`. */
export function recordOf<T>(member: z.ZodMiniType<T>): z.ZodMiniType<Record<string, T>> {
  const members = z.transform((value: Record<string, unknown>, context) =>
    Object.fromEntries(parseEach(member, Object.entries(value), context)),
  );
  return z.pipe(anyObject, members) as never;
}

function parseEach<K extends string | number, T>(
  schema: z.ZodMiniType<T>,
  entries: Iterable<[K, unknown]>,
  context: z.core.ParsePayload,
): [K, T][] {
  const parsed: [K, T][] = [];
  for (const [key, value] of entries) {
    const result = z.safeParse(schema, value);
    if (!result.success) {
      for (const issue of result.error.issues) context.issues.push({ ...issue, path: [key, ...issue.path], input: value } as never);
      break;
    }
    parsed.push([key, result.data]);
  }
  return parsed;
}
