/** Schemas of the messages from a provider to the gateway, of the full interface and the core profile. */
import * as z from 'zod';
import { id, isBlank, name, record, streamName, text, toolDefinitions } from './fields.ts';
import { hookRules, hooks, transforms } from './hookShapes.ts';
import { Limit, PROTOCOL_VERSION } from './limits.ts';
import { toolAsk } from './userQuestion.ts';

const requestId = id.optional();
const sessionId = id.optional();
const token = z.string().max(500);

/** With a token, a reconnect token, or a request to be paired. */
const auth = z
  .object({
    type: z.literal('auth'),
    token: token.optional(),
    mode: z.literal('pair').optional(),
    reconnectToken: token.optional(),
    name: name.optional(),
    instance: name.optional(),
  })
  .refine((value) => value.token !== undefined || value.mode !== undefined || value.reconnectToken !== undefined, {
    message: 'token is missing',
    path: ['token'],
  });

const hello = z.object({
  type: z.literal('hello'),
  name,
  protocolVersion: z.number({
    error: ({ input }) => `must be the number ${PROTOCOL_VERSION}${typeof input === 'string' ? ', without quotes' : ''}`,
  }),
  session: id.optional(),
  instance: name.optional(),
  // The browser example of the interface sends null at its first connection.
  reconnectToken: token.nullish(),
  startup_context: text.optional(),
  metadata: record.optional(),
  tools: toolDefinitions.optional(),
  hooks: hooks.optional(),
  subscribe: z.array(z.string().min(1).max(100)).max(Limit.subscriptions).optional(),
  context: text.optional(),
  concurrency: z.object({ max: z.number().int().min(1), scope: z.enum(['instance', 'provider', 'tool']).default('instance') }).optional(),
});
export type Hello = z.infer<typeof hello>;

const fileReference = z.object({
  path: z.string().min(1).max(4096),
  mimeType: z.string().min(1).max(200),
  size: z.number().int().min(0),
  /** Seconds. */
  ttl: z.number().positive(),
});
export type FileReference = z.infer<typeof fileReference>;

const toolResult = z
  .object({
    type: z.literal('tool.result'),
    id,
    data: z.unknown().optional(),
    file: fileReference.optional(),
    error: z.string().optional(),
    errorCode: z.string().max(200).optional(),
    retryable: z.boolean().optional(),
  })
  // The quick start of the interface answers a cancel with the code alone.
  .refine((value) => value.data !== undefined || value.file || value.error !== undefined || value.errorCode !== undefined, {
    message: 'one of data, file or error is missing',
    path: ['data'],
  })
  // Some clients write null for the field that does not apply.
  .refine(
    ({ data, file, error, errorCode }) => [data ?? undefined, file, error ?? errorCode].filter((part) => part !== undefined).length < 2,
    {
      message: 'only one of data, file and error may be there',
      path: ['error'],
    },
  );
export type ToolResultMessage = z.infer<typeof toolResult>;

const said = z.string().refine((value) => !isBlank(value), 'must not be blank');
const push = z
  .object({
    type: z.literal('push'),
    stream: streamName.optional(),
    sessionId,
    event: said.optional(),
    prompt: said.optional(),
    level: z.enum(['inject', 'surface', 'keep']),
    metadata: record.optional(),
    broadcast: z.boolean().optional(),
  })
  .refine((value) => value.event !== undefined || value.prompt !== undefined, { message: 'event is missing', path: ['event'] });
export type Push = z.infer<typeof push>;

/** With `remove`, even empty, it is a delta. Otherwise `tools` is the whole list. */
const toolsUpdate = z
  .object({
    type: z.literal('tools.update'),
    requestId,
    sessionId,
    tools: toolDefinitions.optional(),
    remove: z.array(z.string()).max(Limit.tools).optional(),
  })
  .refine((value) => value.tools !== undefined || value.remove !== undefined, { message: 'tools is missing', path: ['tools'] });

const filterRule = z.object({
  match: z.string().max(Limit.patternLength),
  outcome: z.enum(['drop', 'keep', 'surface', 'inject']),
});
export type FilterRule = z.infer<typeof filterRule>;

export const providerMessages = {
  auth,
  'auth.confirm': z.object({ type: z.literal('auth.confirm'), code: z.string().max(20) }),
  hello,
  goodbye: z.object({ type: z.literal('goodbye'), reason: z.string().max(1000).optional() }),
  'session.ready': z.object({ type: z.literal('session.ready'), sessionId: id }),
  'tool.result': toolResult,
  'tool.progress': z.object({ type: z.literal('tool.progress'), id, message: text }),
  'tool.ask': toolAsk,
  'gate.result': z.object({
    type: z.literal('gate.result'),
    gateId: id.optional(),
    callId: id,
    decision: z.enum(['allow', 'deny', 'context']),
    reason: text.optional(),
  }),
  'transform.result': z.object({ type: z.literal('transform.result'), callId: id, content: z.string() }),
  push,
  'tools.update': toolsUpdate,
  'hooks.update': z.object({
    type: z.literal('hooks.update'),
    requestId,
    sessionId,
    onPreToolUse: hookRules.optional(),
    transforms: transforms.optional(),
  }),
  'context.update': z.object({ type: z.literal('context.update'), requestId, sessionId, context: text.nullable() }),
  'filter.set': z.object({
    type: z.literal('filter.set'),
    requestId,
    sessionId,
    stream: streamName.optional(),
    rules: z.array(filterRule).max(Limit.filterRules),
  }),
  'stream.query': z.object({
    type: z.literal('stream.query'),
    queryId: id,
    sessionId,
    streams: z.array(z.string().min(1).max(200)).min(1).max(Limit.streams),
    last: z.number().int().min(1).max(Limit.queryLast).default(10),
  }),
  'shutdown.ready': z.object({ type: z.literal('shutdown.ready'), sessionId: id }),
} as const;

export type ProviderMessageType = keyof typeof providerMessages;
export type ProviderMessages = { [T in ProviderMessageType]: z.infer<(typeof providerMessages)[T]> };
export type ProviderMessage = ProviderMessages[ProviderMessageType];
/** A message as a provider writes it: fields with defaults may be missing. */
export type ProviderInput = { [T in ProviderMessageType]: z.input<(typeof providerMessages)[T]> }[ProviderMessageType];
