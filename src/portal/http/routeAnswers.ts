/** How routes read requests and answer them. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as z from 'zod';
import type { Route } from '../api/route.ts';

export interface PortalEnv {
  Bindings: HttpBindings;
  Variables: { body: string };
}
export type PortalContext = Context<PortalEnv>;

const nothing = z.strictObject({});
/** The `User-Agent` of `tapline`. */
const COMMAND_LINE = 'tapline';
/** By the `User-Agent` of our own clients. */
const senders: ReadonlyMap<string, string> = new Map([
  [COMMAND_LINE, 'the command line'],
  ['tapline-vscode', 'VS Code'],
]);

/** The body, checked. Throws an answer with status 400. */
export function bodyOf(c: PortalContext, { body }: Route): unknown {
  if (!body) return undefined;
  const text = c.get('body');
  const { format, schema } = body;
  if (format === 'text') return checked(schema, text, 'the body');
  if (format === 'optionalJson') return checked(schema, text === '' ? {} : parsedJson(text), 'the body');
  const [type] = (c.req.header('Content-Type') ?? '').split(';', 1);
  if (type?.trim().toLowerCase() !== 'application/json') throw problem(400, 'BadRequest', 'The Content-Type must be application/json.');
  return checked(schema, parsedJson(text), 'the body');
}

/** The headers that the route looks at, checked. Throws an answer with status 400. */
export function headersOf(c: PortalContext, { headers = {} }: Route): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { schema }]) => {
      const result = schema.safeParse(c.req.header(name)?.trim());
      if (!result.success) throw problem(400, 'BadRequest', result.error.issues[0]?.message ?? `The header ${name} is wrong.`);
      return [name, result.data];
    }),
  );
}

/** The parts of the path that have names, decoded. */
export function paramsOf(c: PortalContext, { path }: Route): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => [name, c.req.param(name) ?? '']));
}

/** No route takes parameters in the query, and one that is misplaced there must not be ignored. */
export function noQuery(c: PortalContext): void {
  checked(nothing, c.req.query(), 'the query');
}

function checked<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw problem(400, 'BadRequest', `${[what, ...(issue?.path ?? []).map(String)].join('.')}: ${issue?.message ?? 'is wrong'}`);
}

/** Who has sent the request, in words, as far as it says so. */
export function senderOf(c: PortalContext): string {
  if (c.req.header('Sec-Fetch-Site') !== undefined || c.req.header('Origin') !== undefined) return 'the portal’s page';
  return senders.get(c.req.header('User-Agent') ?? '') ?? 'a program over HTTP';
}

/** It is `tapline`, of any version. */
export function isCommandLine(c: PortalContext): boolean {
  return c.req.header('User-Agent') === COMMAND_LINE;
}

/** The signal is aborted when the client goes before it has its answer. */
export async function whileConnected<T>(c: PortalContext, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const gone = new AbortController();
  const { outgoing } = c.env;
  const leave = () => gone.abort();
  outgoing.once('close', leave);
  try {
    return await work(gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
    throw new HTTPException(500, { res: c.body(null), message: 'nobody gets this answer', cause: error });
  } finally {
    outgoing.off('close', leave);
  }
}

export type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 413 | 500 | 503;

/** To be thrown: an answer that is no result of the route. */
export function problem(status: ProblemStatus, error: string, message: string): HTTPException {
  return new HTTPException(status, { res: problemAnswer(status, error, message) });
}

export function problemAnswer(status: ProblemStatus, error: string, message: string): Response {
  return Response.json({ error, message }, { status });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
