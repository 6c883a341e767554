/** How routes are described. The OpenAPI document is made of these descriptions, and tests compare them with the server. */
import * as z from 'zod';

/** In a request. NUL would end a path or a text early in other programs. */
export const requestText = z.string().refine((value) => !value.includes('\0'), 'must not contain the character NUL');

/** Shapes that stand under a name in the document. */
export const shapes = z.registry<{ id: string }>();

/** Gives the shape a name. */
export function shape<S extends z.ZodType>(id: string, schema: S): S {
  shapes.add(schema, { id });
  return schema;
}

export interface RouteDoc {
  /** After `/api`. `{name}` is a part of the path. */
  readonly path: string;
  readonly summary: string;
  /** What a POST sends. With a schema it is JSON, otherwise plain text. */
  readonly body?: { readonly description: string; readonly schema?: z.ZodType };
  /** Headers of the request that the route looks at, by name: what they say. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A shape. What is sent one after the other where `stream` is true. */
  readonly answer: z.ZodType;
  /** Names that an answer with status 200 may have as its `error`. */
  readonly errors?: readonly [string, ...string[]];
  /** The answer is a stream of server-sent events; an error is JSON. */
  readonly stream?: boolean;
  /** Something is another one after it, such as what a reader gets next. GET needs the token in a header then, and only the portal's own page can use its session. */
  readonly changes: boolean;
  /** A GET gets 405. */
  readonly postOnly?: boolean;
  /** Only where the portal takes entries of tests. */
  readonly testOnly?: boolean;
}

/** `{"error": one of the names}`; `message` says more, in words for the user. */
export function errorShape(names: readonly [string, ...string[]]) {
  return z.strictObject({ error: z.enum(names), message: z.string().optional() });
}
