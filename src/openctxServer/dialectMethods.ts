/** The methods of both dialects, each made of a served provider. Every provider has one address a dialect, because both call a method `items`. */
import * as z from 'zod/mini';
import { englishOf, UserError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { mention } from '../openctx/protocol/later.ts';
import { METHOD_NOT_FOUND } from '../openctx/protocol/messages.ts';
import type { ServedProvider } from './servedProvider.ts';

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

const resource = z.object({ uri: z.string().check(z.refine((text) => URL.canParse(text))), content: z.string() });
const mentionQuery = z.object({ query: z.optional(z.string()), uri: z.optional(z.string()) });
const mentioned = z.object({ mention: z.optional(mention), message: z.optional(z.string()) });
const none = z.unknown();

/** `method` and `params` of a request. Its `settings` are for the server. */
export const requestMessage = z.object({ method: z.string(), params: z.optional(z.unknown()), settings: z.optional(z.unknown()) });

interface Method<T> {
  params: z.ZodMiniType<T>;
  answer(provider: ServedProvider, params: T, signal: AbortSignal): unknown;
}
const method = <T>(params: z.ZodMiniType<T>, answer: Method<T>['answer']) => ({ params, answer }) as Method<unknown>;

export const dialects = {
  /** OpenCtx 0.1. Without selectors the provider is asked about every resource. */
  seed: {
    capabilities: method(none, () => ({})),
    items: method(resource, (provider, params, signal) => provider.itemsOf(params, signal)),
  },
  /** That of the published packages. */
  later: {
    meta: method(none, ({ name }) => ({ name, mentions: {}, annotations: {} })),
    mentions: method(mentionQuery, (provider, params, signal) => provider.mentions(params, signal)),
    items: method(mentioned, (provider, params, signal) => (params.mention ? provider.itemsOfMention(params.mention, signal) : [])),
    annotations: method(resource, async (provider, params, signal) => {
      const items = await provider.itemsOf(params, signal);
      return items.map(({ range, ...item }) => ({ uri: params.uri, ...(range && { range }), item }));
    }),
  },
} as const;
export type DialectName = keyof typeof dialects;

export interface Answer {
  result?: unknown;
  error?: { code: number; message: string };
}

/** Never rejects. */
export async function answerOf(
  provider: ServedProvider,
  dialect: DialectName,
  message: unknown,
  signal: AbortSignal,
  logger: Logger,
): Promise<Answer> {
  const request = requestMessage.safeParse(message);
  if (!request.success) return failure(INVALID_REQUEST, 'A request is an object with “method”, and may have “params” and “settings”.');
  const { method: name, params } = request.data;
  const methods: Readonly<Record<string, Method<unknown>>> = dialects[dialect];
  const found = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!found) return failure(METHOD_NOT_FOUND, `There is no method ${JSON.stringify(name)} here, only ${Object.keys(methods).join(', ')}.`);
  const checked = found.params.safeParse(params ?? {});
  if (!checked.success) return failure(INVALID_PARAMS, `The params of ${name} are wrong: ${whatIsWrong(checked.error)}`);
  try {
    return { result: await found.answer(provider, checked.data, signal) };
  } catch (error) {
    if (error instanceof UserError) return failure(INTERNAL_ERROR, error.message);
    logger.error(`${provider.path}, ${name}: ${englishOf(error)}`);
    return failure(INTERNAL_ERROR, 'The provider has failed. Its log says why.');
  }
}

function failure(code: number, message: string): Answer {
  return { error: { code, message } };
}

function whatIsWrong({ issues: [issue] }: z.core.$ZodError): string {
  return `${(issue?.path ?? []).map(String).join('.')} ${issue?.message ?? ''}`.trim();
}
