/** How routes read requests and answer them. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as z from 'zod';
import { continueOptions, runFilter } from '../api/jobDocs.ts';
import { requestText as text } from '../api/routeDoc.ts';
import type { Portal } from '../portal.ts';

export interface PortalEnv {
  Bindings: HttpBindings;
  Variables: { body: string };
}
export type PortalContext = Context<PortalEnv>;

/** What a request is made of, once it is checked. */
export const prompt = text.refine((value) => value.trim() !== '', 'must not be empty');
export const userInput = text;
export const pathBody = text.transform((value) => value.trim());
/** The first line is a working directory, and the rest is what the user wrote. */
export const jobBody = text.transform((value) => {
  const [, directory = '', input = ''] = /^([^\r\n]*)(?:\r\n|\r|\n|$)([^]*)$/.exec(value) ?? [];
  return { workingDirectory: directory.trim(), userInput: input };
});
export const continueBody = z.preprocess((value) => (value === '' ? {} : parsedJson(value)), continueOptions);

export const runsBody = z.preprocess((value) => (value === '' ? {} : parsedJson(value)), runFilter);

const nothing = z.strictObject({});
/** The `User-Agent` of `tapline`. */
const COMMAND_LINE = 'tapline';

/** The body, checked. Throws an answer with status 400. */
export function bodyOf<S extends z.ZodType>(c: PortalContext, schema: S): z.output<S> {
  return checked(schema, c.get('body'), 'the body');
}

/** Like {@link bodyOf}, of a body that says that it is JSON. */
export function jsonBodyOf<S extends z.ZodType>(c: PortalContext, schema: S): z.output<S> {
  const [type] = (c.req.header('Content-Type') ?? '').split(';', 1);
  if (type?.trim().toLowerCase() !== 'application/json') throw problem(400, 'BadRequest', 'The Content-Type must be application/json.');
  return checked(schema, parsedJson(c.get('body')), 'the body');
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

/** The revision of what was shown to the client, of the header `If-Match`. Undefined when it says none, or `*`. */
export function revisionOf(c: PortalContext): string | undefined {
  const value = c.req.header('If-Match')?.trim();
  if (value === undefined || value === '*') return undefined;
  const [, revision] = /^"([\w-]{1,100})"$/.exec(value) ?? [];
  if (revision === undefined) throw problem(400, 'BadRequest', 'If-Match must be one revision in quotation marks.');
  return revision;
}

/** Who has sent the request, in words, as far as it says so. */
export function senderOf(c: PortalContext): string {
  if (c.req.header('Sec-Fetch-Site') !== undefined || c.req.header('Origin') !== undefined) return 'the portal’s page';
  return isCommandLine(c) ? 'the command line' : 'a program over HTTP';
}

/** It is `tapline`, of any version. */
export function isCommandLine(c: PortalContext): boolean {
  return c.req.header('User-Agent') === COMMAND_LINE;
}

/** The signal is aborted when the client goes before it has its answer. */
export async function whileConnected(c: PortalContext, work: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
  const gone = new AbortController();
  const { outgoing } = c.env;
  const leave = () => gone.abort();
  outgoing.once('close', leave);
  try {
    return await work(gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
    // Nobody gets it.
    return c.body(null);
  } finally {
    outgoing.off('close', leave);
  }
}

/** What is known of runs may be old while their store is away, and is not given then. Throws an answer with status 503. */
export function requireStore({ storeProblem }: Pick<Portal, 'storeProblem'>): void {
  if (storeProblem !== undefined) throw problem(503, 'StoreUnavailable', storeProblem);
}

export type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 413 | 500 | 503;

/** To be thrown: an answer that is no result of the route. */
export function problem(status: ProblemStatus, error: string, message: string): HTTPException {
  return new HTTPException(status, { res: problemAnswer(status, error, message) });
}

export function problemAnswer(status: ProblemStatus, error: string, message: string): Response {
  return Response.json({ error, message }, { status });
}

/** A part of the path, decoded. */
export function param(c: PortalContext, name: string): string {
  return c.req.param(name) ?? '';
}

function parsedJson(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return undefined;
  }
}
