/** What is wrong with a value that a client sent. */
import type * as z from 'zod/mini';

type Issue = z.core.$ZodIssue;

/** For example `tools[0].name must be a string, not number`; undefined when the value fits. `path`: the path of the value itself. */
export function problemOf(schema: z.ZodMiniType, value: unknown, path = ''): string | undefined {
  const issue = schema.safeParse(value).error?.issues[0];
  if (!issue) return undefined;
  const { keys, expected } = mismatchOf(issue);
  let name = path;
  let found = value;
  for (const key of keys) {
    name += typeof key === 'number' ? `[${key}]` : name === '' ? String(key) : `.${String(key)}`;
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  if (found === undefined) return `${name} is missing`;
  const kind = found === null ? 'null' : Array.isArray(found) ? 'array' : typeof found;
  const isOfWrongType = jsonType.test(expected) && !expected.endsWith(kind);
  return `${name} must be ${expected}${isOfWrongType ? `, not ${kind}` : ''}`;
}

const jsonType = /(string|number|boolean|array|object)$/;

interface Mismatch {
  keys: PropertyKey[];
  /** Such as `a string`. */
  expected: string;
}

function mismatchOf(issue: Issue): Mismatch {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return { keys: issue.path, expected: expectedBy(issue) };
  // Of the cases of a union, the one that the value fits best. Where it fits none, all are named.
  const cases = issue.errors.flatMap(([first]) => (first ? [mismatchOf(first)] : []));
  const depth = Math.max(...cases.map(({ keys }) => keys.length));
  const best = cases.filter(({ keys }) => keys.length === depth).slice(0, depth === 0 ? undefined : 1);
  return { keys: [...issue.path, ...(best[0]?.keys ?? [])], expected: [...new Set(best.map(({ expected }) => expected))].join(' or ') };
}

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

function expectedBy(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return types[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      // The values of the discriminator, which zod's types leave out.
      return oneOf((issue as { options?: readonly unknown[] }).options ?? []);
    case 'too_small':
      return issue.origin === 'string' ? 'a non-empty string' : `at least ${issue.minimum}`;
    case 'too_big':
      return `at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

function oneOf(values: readonly unknown[]): string {
  if (values.every((value) => typeof value === 'boolean')) return 'a boolean';
  return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
}
