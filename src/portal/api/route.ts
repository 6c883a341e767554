/**
 * A route as it is written once: the server's router, the checks of requests, the types of the handlers and the OpenAPI document all come from it.
 */
import type { Phrase, Words } from '../../base/text/phrase.ts';
import * as z from 'zod';

/** In a request. NUL would end a path or a text early in other programs. */
export const requestText = z.string().refine((value) => !value.includes('\0'), 'must not contain the character NUL');

export const pathText = requestText.transform((value) => value.trim());

/** Shapes that stand under a name in the document. */
export const shapes = z.registry<{ id: string }>();

/** Gives the shape a name. */
export function shape<S extends z.core.$ZodType>(id: string, schema: S): S {
  shapes.add(schema, { id });
  return schema;
}

/** The members of a shape that clients read too, with what the document says of them. */
export function described<S extends Readonly<Record<string, z.core.$ZodType>>>(
  members: S,
  texts: { readonly [Name in keyof S]?: string },
): S {
  const withText = ([name, member]: [string, z.core.$ZodType]) => {
    const description = texts[name];
    if (description === undefined) return [name, member];
    // The same member may stand in another shape, which says something else of it.
    const copy = z.clone(member);
    z.globalRegistry.add(copy, { description });
    return [name, copy];
  };
  return Object.fromEntries(Object.entries(members).map(withText)) as S;
}

export interface RouteBody {
  readonly description: string;
  /** `optionalJson`: an empty body is `{}`, and the `Content-Type` need not say that it is JSON. */
  readonly format: 'text' | 'json' | 'optionalJson';
  /** Of the text, or of the JSON, which is a shape. */
  readonly schema: z.ZodType;
}

export interface RouteHeader {
  readonly description: string;
  /** Its messages are sentences. */
  readonly schema: z.ZodType;
}

export interface Route {
  /** After `/api`. `{name}` is a part of the path, of any text. */
  readonly path: string;
  readonly summary: string;
  /** What a POST sends. */
  readonly body?: RouteBody;
  /** Headers of the request that the route looks at. */
  readonly headers?: Readonly<Record<string, RouteHeader>>;
  /** A shape. What is sent one after the other where `stream` is true. */
  readonly answer: z.core.$ZodType;
  /** Names that an answer with status 200 may have as its `error`. */
  readonly errors?: readonly [string, ...string[]];
  /** The answer is a stream of server-sent events; an error is JSON. */
  readonly stream?: boolean;
  /** Something is another one after it, such as what a reader gets next. GET needs the token in a header then, and only the portal's own page can use its session. */
  readonly changes: boolean;
  /** A GET gets 405. */
  readonly postOnly?: boolean;
  /** What is known of runs may be old while their store is away, and is not given then. */
  readonly needsStore?: boolean;
}

/** Routes by names that only the code knows. */
export type RouteGroup = Readonly<Record<string, Route>>;

/** Keeps what is written as types. */
export function routes<const G extends RouteGroup>(group: G): G {
  return group;
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
export type RouteParams<R extends Route> = Readonly<Record<NamesIn<R['path']>, string>>;

export type BodyOf<R extends Route> = R extends { body: { schema: infer S extends z.ZodType } }
  ? z.output<S>
  : R extends { body?: undefined }
    ? undefined
    : unknown;

export type HeadersOf<R extends Route> = R extends { headers: infer H extends Readonly<Record<string, RouteHeader>> }
  ? { readonly [Name in keyof H]: z.output<H[Name]['schema']> }
  : Readonly<Record<never, never>>;

type Failure<R extends Route> = R extends { errors: readonly (infer Name)[] } ? { error: Name; message?: string; words?: Phrase } : never;
/** What is only read. */
type Unchanged<T> = T extends readonly (infer U)[]
  ? readonly Unchanged<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Unchanged<T[K]> }
    : T;
/** What a handler gives. */
export type AnswerOf<R extends Route> = Failure<R> | (R extends { stream: true } ? Response : Unchanged<z.output<R['answer']>>);

/** `what` is said for people of other languages. */
export function wordsOf(what: string) {
  return z
    .object({ text: z.string(), values: z.array(z.unknown() as z.ZodType<Words>) })
    .describe(`${what} for people of other languages: English with {0} for the first of the values. A value may be such a text too.`);
}

/** `{"error": one of the names}`; `message` says more, in English, and `words` the same for people of any language. */
export function errorShape(names: readonly [string, ...string[]]) {
  return z.strictObject({ error: z.enum(names), message: z.string().optional(), words: wordsOf('The message').optional() });
}
