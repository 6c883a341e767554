/**
 * Schemas of the messages from the gateway to a provider, because a provider must not trust the wire either. They use `zod/mini`: they are
 * bundled into pages with the SDK, and the rest of zod is four times the size of everything else there.
 */
import * as z from 'zod/mini';

const record = z.record(z.string(), z.unknown());

const sessionInfo = z.object({ id: z.string(), label: z.string(), cwd: z.optional(z.string()) });
export type SessionInfo = z.infer<typeof sessionInfo>;
const active = z.array(sessionInfo);
const streamEntry = z.object({ ts: z.string(), event: z.string(), metadata: z.optional(record) });
export type StreamEntry = z.infer<typeof streamEntry>;

/**
 * What became of the question whether the provider may have hooks and context. Anything but `allowed`: none of it is in force. `wants`: what the
 * question is about, of `hooks`, `transforms` and `context`.
 */
const consent = z.object({ decision: z.enum(['asked', 'allowed', 'denied']), wants: z.array(z.string()) });
export type Consent = z.infer<typeof consent>;

export const gatewayMessages = {
  'auth.pairing': z.object({ type: z.literal('auth.pairing'), prompt: z.string() }),
  sessions: z.object({ type: z.literal('sessions'), active, token: z.optional(z.string()) }),
  'sessions.updated': z.object({ type: z.literal('sessions.updated'), active }),
  'hello.ack': z.object({
    type: z.literal('hello.ack'),
    protocolVersion: z.number(),
    providerId: z.string(),
    /** Present when one session is bound. */
    sessionId: z.optional(z.string()),
    reconnectToken: z.optional(z.string()),
    persistDir: z.optional(z.string()),
    /** An addition of ours: false where the token is for one session alone, so that no later one is to be joined. */
    isForAll: z.optional(z.boolean()),
    /** An addition of ours. Absent where nothing that the provider registers needs the user's consent. */
    consent: z.optional(consent),
  }),
  /** An addition of ours: the user has answered or forgotten the answer, or the provider wants more than before. */
  'consent.updated': z.extend(consent, { type: z.literal('consent.updated') }),
  ack: z.object({ type: z.literal('ack'), requestId: z.string(), sessionId: z.optional(z.string()), revision: z.number() }),
  error: z.object({
    type: z.literal('error'),
    code: z.string(),
    message: z.string(),
    replyTo: z.optional(z.string()),
    requestId: z.optional(z.string()),
    providerId: z.optional(z.string()),
    sessionId: z.optional(z.string()),
  }),
  'tool.call': z.object({
    type: z.literal('tool.call'),
    id: z.string(),
    sessionId: z.string(),
    tool: z.string(),
    args: record,
    /** `traceparent`: of the span of this call, while there are traces. */
    metadata: z.optional(record),
  }),
  'tool.cancel': z.object({ type: z.literal('tool.cancel'), id: z.string(), sessionId: z.string(), reason: z.string() }),
  /** The answer to `tool.ask`. */
  'tool.answer': z.object({
    type: z.literal('tool.answer'),
    id: z.string(),
    askId: z.string(),
    action: z.enum(['accept', 'decline', 'cancel']),
    content: z.optional(record),
  }),
  'gate.check': z.object({
    type: z.literal('gate.check'),
    gateId: z.string(),
    callId: z.string(),
    sessionId: z.string(),
    tool: z.string(),
    args: z.unknown(),
  }),
  'transform.request': z.object({
    type: z.literal('transform.request'),
    callId: z.string(),
    sessionId: z.string(),
    section: z.string(),
    current: z.string(),
  }),
  'session.event': z.object({ type: z.literal('session.event'), sessionId: z.string(), event: z.string(), data: record }),
  'session.lifecycle': z.object({
    type: z.literal('session.lifecycle'),
    sessionId: z.string(),
    state: z.string(),
    /** Milliseconds that the provider has to clean up. */
    deadline: z.optional(z.number()),
  }),
  'stream.history': z.object({
    type: z.literal('stream.history'),
    queryId: z.string(),
    streams: z.record(z.string(), z.array(streamEntry)),
  }),
} as const;

export type GatewayMessageType = keyof typeof gatewayMessages;
export type GatewayMessage = { [T in GatewayMessageType]: z.infer<(typeof gatewayMessages)[T]> }[GatewayMessageType];
