/**
 * Checks of untrusted JSON at the host's boundary. A shape names what is wrong with a value, with the path of the field, or returns
 * undefined. Fields that a shape does not name are allowed: later minor revisions of a peer may send them.
 */
export type Shape = (value: unknown, path: string) => string | undefined;

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

function typed(expected: string, holds: (value: unknown) => boolean): Shape {
  return (value, path) => {
    if (holds(value)) return undefined;
    return value === undefined ? `${path} is missing` : `${path} must be ${expected}, not ${kindOf(value)}`;
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => kindOf(value) === 'object';

export const string = typed('a string', (value) => typeof value === 'string');
export const name = typed('a non-empty string', (value) => typeof value === 'string' && value !== '');
export const boolean = typed('a boolean', (value) => typeof value === 'boolean');
export const finiteNumber = typed('a number', (value) => Number.isFinite(value));
export const record = typed('an object', isRecord);

export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Shape {
  return typed(
    `an integer from ${min} to ${max}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
  );
}

export function oneOf(...values: readonly (string | boolean)[]): Shape {
  return typed(`one of ${values.map((value) => JSON.stringify(value)).join(', ')}`, (value) => values.includes(value as string | boolean));
}

export function either(expected: string, ...shapes: readonly Shape[]): Shape {
  return (value, path) => {
    if (shapes.some((shape) => shape(value, path) === undefined)) return undefined;
    return value === undefined ? `${path} is missing` : `${path} must be ${expected}`;
  };
}

export function arrayOf(item: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return typed('an array', () => false)(value, path);
    return first(value, (element, index) => item(element, `${path}[${index}]`));
  };
}

export function recordOf(item: Shape): Shape {
  return (value, path) =>
    record(value, path) ?? first(Object.entries(value as object), ([key, element]) => item(element, field(path, key)));
}

export function object(required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Shape {
  return (value, path) => {
    if (!isRecord(value)) return record(value, path);
    const own = (key: string) => (Object.hasOwn(value, key) ? value[key] : undefined);
    return (
      first(Object.entries(required), ([key, shape]) => shape(own(key), field(path, key))) ??
      first(Object.entries(optional), ([key, shape]) => (own(key) === undefined ? undefined : shape(own(key), field(path, key))))
    );
  };
}

/** An object whose `tag` chooses the shape; other tags belong to later versions and are let through. */
export function tagged(tag: string, shapes: Readonly<Record<string, Shape>>): Shape {
  const base = object({ [tag]: name });
  return (value, path) => {
    const problem = base(value, path);
    if (problem) return problem;
    const kind = (value as Record<string, string>)[tag] ?? '';
    return Object.hasOwn(shapes, kind) ? shapes[kind]?.(value, path) : undefined;
  };
}

function field(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function first<T>(items: readonly T[], problemOf: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
