/** What every request and answer of OpenCtx is wrapped in, in both dialects. */
import * as z from 'zod/mini';

export interface RequestMessage {
  method: string;
  params?: object;
  settings?: ProviderSettings;
}
export type ProviderSettings = Readonly<Record<string, unknown>>;

/** What is not as it should be in an error does not cost the user its text. */
const responseError = z.union([
  z.pipe(
    z.string(),
    z.transform((message) => ({ message, code: undefined })),
  ),
  z.object({
    code: z.catch(z.optional(z.union([z.number(), z.string()])), undefined),
    message: z.catch(z.optional(z.string()), undefined),
  }),
]);

/** An answer has a result or an error. */
export const responseMessage = z.object({ result: z.optional(z.unknown()), error: z.optional(z.nullable(responseError)) });

/** By JSON-RPC, which providers that know the method by its code follow. */
export const METHOD_NOT_FOUND = -32601;

const position = z.object({ line: z.number(), character: z.number() });
/** Lines and characters count from 0. */
export const range = z.object({ start: position, end: position });
export type Position = z.infer<typeof position>;
export type Range = z.infer<typeof range>;

/** What both dialects call an item, without its place. */
export const itemFields = {
  title: z.string(),
  url: z.optional(z.string()),
  ui: z.optional(z.object({ hover: z.optional(z.object({ markdown: z.optional(z.string()), text: z.optional(z.string()) })) })),
  ai: z.optional(z.object({ content: z.optional(z.string()) })),
};

export const selector = z.object({ path: z.optional(z.string()), contentContains: z.optional(z.string()) });
/** All conditions of one selector must hold. */
export type Selector = z.infer<typeof selector>;

/** A document whose items are asked for. */
export interface Resource {
  uri: string;
  content: string;
}
