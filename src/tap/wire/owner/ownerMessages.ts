/** The messages of the owner link (JSON-RPC 2.0) between session owners and the gateway. See docs/gateway-owner-link.md. */
import * as z from 'zod';
import { emitterSpec, eventFilter } from '../emitters/emitterSpec.ts';
import type { Judgement, Verdict } from '../evidence/verdict.ts';
import type { EmitterStatus } from '../emitters/emitterStatus.ts';
import { emitterName } from '../emitters/emitterWords.ts';
import type { FilterPreview } from '../emitters/filterPreview.ts';
import { id, name, record, type ToolHints } from '../fields.ts';
import { Limit } from '../limits.ts';
import { type KeptRecord, recordInput, RecordLimit, recordQuery, type RecordsStatus } from '../records/record.ts';
import { projectProviders } from '../projectProviders.ts';
import { toldSpan, TraceLimit } from '../traces/toldSpan.ts';
import type { TracesStatus } from '../traces/tracesConfig.ts';
import { tracesSchema } from '../traces/tracesSchema.ts';
import { userAnswer, type UserQuestion } from '../userQuestion.ts';

export const OWNER_PROTOCOL_VERSION = 1;

const sessionFields = {
  label: z.string().max(500),
  /** Absolute path. */
  cwd: z.string().max(4096).optional(),
  /** The user is looking at this session. */
  foreground: z.boolean().default(false),
  /** No turn runs. */
  idle: z.boolean().default(true),
  /** Names of the agent's own tools, which no provider may take. */
  agentTools: z.array(z.string().max(200)).max(2000).default([]),
};
/** `hasTurns`: false for a session that never begins one, and so is never idle. */
const session = z.object({ sessionId: id, ...sessionFields, hasTurns: z.boolean().optional() });
export type SessionRegistration = z.input<typeof session>;

/** Requests of an owner, by method. */
/** Who offers a tool: these fields of an {@link OfferedTool}. */
const offeredBy = z.object({
  provider: z.string().max(200),
  trust: z.enum(['internal', 'project', 'external']),
  origin: z.string().optional(),
  spawned: z.literal(true).optional(),
});
export type OfferedBy = z.output<typeof offeredBy>;

/** One that is none counts as absent. */
const traceparent = z.string().max(200).optional().catch(undefined);
const hostCallId = z.string().max(TraceLimit.textLength).optional().catch(undefined);

/** SHA-256 of a token, in hex. */
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const trustRecord = z.object({
  /** The one of the gateway's file. */
  token: z.string().max(100),
  pairings: z
    .array(z.object({ digest, origin: z.string().optional(), name: name.optional(), sessionId: id.optional() }))
    .max(Limit.passedOn),
  /** Tokens of earlier gateways with the names for which the user has let them in. */
  letIn: z.array(z.object({ digest, names: z.array(name).max(Limit.earlierNames) })).max(Limit.earlierTokens),
});
/** What the user has let in. An owner keeps it in memory, and passes it on when the gateway was killed and is there again. */
export type TrustRecord = z.output<typeof trustRecord>;

export const ownerRequests = {
  /**
   * `key`: a secret of this owner alone. With it an owner that has lost its connection takes up its calls. `earlier`: what the gateway before
   * this one has told last, if that was at the same address a moment ago.
   */
  initialize: z.object({
    protocolVersion: z.number(),
    name: z.string().max(200),
    key: z.string().min(32).max(200).optional(),
    earlier: trustRecord.optional().catch(undefined),
  }),
  /**
   * `neededCalls`: when the owner comes back to the session, the kept calls that it still needs. All others are cancelled and forgotten; without it
   * all are kept. `isTrusted: false`: the workspace is not trusted, so nothing starts again by itself. `stopped`:
   * emitters whose stop this or an earlier gateway may not have heard.
   */
  'session/register': session.extend({
    neededCalls: z.array(id).max(Limit.neededCalls).optional(),
    isTrusted: z.boolean().default(true),
    stopped: z.array(emitterName).max(Limit.allEmitters).default([]),
  }),
  'session/update': z.object({
    sessionId: id,
    label: sessionFields.label.optional(),
    cwd: sessionFields.cwd,
    foreground: z.boolean().optional(),
    idle: z.boolean().optional(),
    agentTools: sessionFields.agentTools.removeDefault().optional(),
  }),
  /**
   * Answered when the session is torn down: all providers are ready, or the deadline has passed. `keepCalls`: the owner may come back for the
   * calls that are kept; a session that has some waits for that.
   */
  'session/end': z.object({
    sessionId: id,
    deadlineMs: z.number().min(0).max(600_000).optional(),
    keepCalls: z.boolean().default(false),
  }),
  /**
   * `of`: whose tool is meant, as it was offered. That of another provider is not called. `keep`: the call runs on when the owner has gone, and
   * its outcome is held until `tool/settled`. `asks`: the tool may ask the user, and each `tool/asked` gets a `tool/answer`. `traceparent`: of the span
   * that the call is below. `hostCallId`: by which the agent host knows the call, for its span.
   */
  'tool/call': z.object({
    sessionId: id,
    callId: id,
    tool: z.string().max(200),
    args: z.unknown(),
    of: offeredBy.optional(),
    keep: z.boolean().default(false),
    asks: z.boolean().default(false),
    traceparent,
    hostCallId,
  }),
  /** The outcome of a call that was kept, now or once the call has ended. */
  'tool/resume': z.object({ sessionId: id, callId: id }),
  /** `traceparent` and `hostCallId`: as in `tool/call`. */
  'hooks/evaluate': z.object({ sessionId: id, tool: z.string().max(200), args: z.unknown(), traceparent, hostCallId }),
  'transforms/evaluate': z.object({ sessionId: id, sections: z.record(z.string(), z.string()) }),
  'stream/query': z.object({ sessionId: id, last: z.number().int().min(1).max(200).default(50) }),
  /** `internal`: for a provider that is part of the owner itself. */
  'token/issue': z.object({ sessionId: id, internal: z.boolean().default(false) }),
  /** Only providers that the user has agreed to. */
  'providers/start': z.object({ sessionId: id, folder: z.string().min(1).max(4096), providers: projectProviders }),
  /** Answered when they have ended. Without `names` all providers of the session are stopped. */
  'providers/stop': z.object({ sessionId: id, names: z.array(name).optional() }),
  /**
   * Starts it for the user. One that is over makes room for another of its name. A persistent one that is there already stays as it is; where it has
   * changed, the new one takes its place. `isOff`: the user has stopped it before, so it does not run until they run it.
   */
  'emitters/start': z.object({ sessionId: id, emitter: emitterSpec, isOff: z.boolean().default(false) }),
  /** Answered when none of its processes runs any more. `withdrawn`: it is not persistent any more. */
  'emitters/stop': z.object({ sessionId: id, name: emitterName, withdrawn: z.boolean().default(false) }),
  /** Without waiting for its interval; from the beginning where it is over. */
  'emitters/run': z.object({ sessionId: id, name: emitterName }),
  /** For every line from now on. */
  'emitters/filter': z.object({ sessionId: id, name: emitterName, eventFilter }),
  /** What these rules would do with its newest lines. Nothing changes. */
  'emitters/preview': z.object({ sessionId: id, name: emitterName, eventFilter }),
  /** Whether lines with the outcome `inject` are given to the agent. Otherwise they wait. */
  'emitters/injector': z.object({ sessionId: id, name: emitterName, enabled: z.boolean() }),
  'emitters/list': z.object({ sessionId: id }),
  /** The goals and claims of the session so far, with what became of them. */
  'goals/list': z.object({ sessionId: id }),
  'pairing/deny': z.object({ pairingId: id }),
  /** Ends what a pairing has granted. `pairing`: its id in the diagnostics. */
  'pairing/revoke': z.object({ pairing: id }),
  /** `remembered`: what the user decided earlier. It allows nothing that has been denied. */
  /** `id`, `name`: of a program in `earlierTokens` of the diagnostics. Without a name where none is known: the first that it takes. */
  'earlierToken/letIn': z.object({ id, name: name.optional() }),
  'consent/answer': z.object({ provider: z.string().max(200), allow: z.boolean(), remembered: z.boolean().default(false) }),
  /** What the user has decided is void. They are asked again, at once where the provider is connected. */
  'consent/forget': z.object({ provider: z.string().max(200) }),
  /** Answered when they are on the disk. */
  'records/add': z.object({ records: z.array(recordInput).max(RecordLimit.added) }),
  /** Of all sessions of this user. */
  'records/query': recordQuery,
  /** What the user's settings say about traces. The owner that has said so last counts, unless the gateway was told on its command line. */
  'traces/configure': tracesSchema,
  diagnostics: z.object({}),
} as const;
export type OwnerRequest = keyof typeof ownerRequests;

/** Notifications of an owner. */
export const ownerNotifications = {
  'tool/cancel': z.object({ sessionId: id, callId: id, reason: z.string().max(1000).default('cancelled') }),
  /** A call that is kept is not needed any more. One that still runs is cancelled. */
  'tool/settled': z.object({ sessionId: id, callId: id }),
  /** The answer to `tool/asked`. */
  'tool/answer': userAnswer.extend({ askId: id }),
  /** Spans of the session that its owner has made, once they are over. Nothing while there are no traces. */
  'trace/spans': z.object({ sessionId: id, spans: z.array(toldSpan).max(TraceLimit.told) }),
  /** The same of runs of a portal, which are of no session. */
  'trace/runs': z.object({ spans: z.array(toldSpan).max(TraceLimit.told) }),
  /** `byUser`: the user caused the event, not an inject. */
  'session/event': z.object({ sessionId: id, event: z.string().min(1).max(100), data: record, byUser: z.boolean().default(false) }),
} as const;
export type OwnerNotification = keyof typeof ownerNotifications;

/** A tool as it is offered to the session's model. All text comes from the provider and is untrusted; control characters are removed. */
export interface OfferedTool {
  name: string;
  description: string;
  /** JSON Schema, as the provider has sent it. */
  parameters: Record<string, unknown>;
  /**
   * What the gateway adds: the provider's instances, of which a call may name one as its argument `target`. Absent where there is one, and where
   * the provider has a property of that name itself.
   */
  instances?: { name: string; title?: string }[];
  /** Name of the provider. */
  provider: string;
  trust: 'internal' | 'project' | 'external';
  /** Of a paired page. A paired program has none. */
  origin?: string;
  /** A session has started the provider, which has a token of its own. */
  spawned?: true;
  timeoutMs: number;
  /** It changes nothing. Only internal providers are believed. */
  readOnly?: true;
  /** For people. Not of a paired provider, as nothing that its user has not been shown. */
  title?: string;
  /** What the provider says of its effects. Not of a paired provider, and only those of an internal one may let anybody ask less. */
  annotations?: ToolHints;
  /** What it promises about its results. Not of a paired provider. Nobody has looked at it yet. */
  outputSchema?: Record<string, unknown>;
}

export type ToolOutcome =
  | { ok: true; data: unknown }
  | { ok: true; file: { mimeType: string; size: number; base64: string } }
  | { ok: false; error: string; errorCode: string; details?: { errorCode?: string; retryable?: boolean } };

export interface HookDecision {
  decision: 'allow' | 'deny';
  /** Why it is denied. */
  reason?: string;
  /** Name of the provider that denied. */
  provider?: string;
  /** Text that is added to what the model reads. */
  context: { provider: string; content: string }[];
  /** The session has no rules about calls. */
  guarded?: false;
}

export interface PromptParts {
  /** Every section that was given or changed, protected ones last. */
  sections: { section: string; content: string; parts: { provider: string; action: string; content: string }[] }[];
  /** Ambient context, for every prompt. */
  context: { provider: string; content: string }[];
  /** For the start of the session. */
  startup: { provider: string; content: string }[];
}

export interface StreamDump {
  provider: string;
  stream: string;
  entries: { ts: string; event: string; level: string; metadata?: Record<string, unknown> }[];
}

/** A provider that the gateway runs for a session. */
export interface ProjectProviderState {
  /** `waiting`: it has ended and will be started again. `failed`: it will not be started again. */
  state: 'running' | 'waiting' | 'failed' | 'stopped';
  /** While it runs. */
  pid?: number;
  /** Why it does not run. */
  error?: string;
  /** While it waits: milliseconds until the next start. */
  retryInMs?: number;
}

export interface GatewayStatus {
  version: string;
  pid: number;
  /** Milliseconds since it started. */
  uptimeMs: number;
  sessions: {
    id: string;
    label: string;
    idle: boolean;
    ending: boolean;
    tools: number;
    providers: string[];
    queuedInjects: number;
    droppedInjects: number;
    /** Goals and claims by their verdict. Absent in an older gateway. */
    judged?: Record<Verdict, number>;
  }[];
  providers: {
    id: string;
    name: string;
    instance?: string;
    trust: string;
    sessions: string[];
    /** It joins every session that its token may use, also later ones. Absent in an older gateway, as `wants` is. */
    isForAll?: boolean;
    tools: string[];
    pendingCalls: number;
    /** Its hooks and context need the user's consent. */
    needsConsent: boolean;
    awaitsConsent: boolean;
    /** What of it needs that, of `hooks`, `transforms` and `context`. */
    wants?: string[];
    /** The pairing that its token comes from. */
    pairing?: string;
    metadata?: Record<string, unknown>;
  }[];
  /** What a peer that the user has paired may use until it is revoked, also while it is away. */
  pairings: { id: string; origin?: string; name?: string; connected: boolean }[];
  /** Hooks and context of providers, by name. `asked`: not in force, because the user has not decided. */
  consents: { provider: string; decision: 'asked' | 'allowed' | 'denied'; wants: string[] }[];
  /**
   * Programs that were refused with the token of an earlier gateway. `names`: those that used it then, or were refused under it. An older gateway
   * does not say.
   */
  earlierTokens?: { id: string; names: string[] }[];
  /** Absent in an older gateway. */
  emitters?: ({ sessionId: string } & EmitterStatus)[];
  /** Absent in an older gateway. */
  records?: RecordsStatus;
  /** Absent in an older gateway. */
  traces?: TracesStatus;
  /** The calls that have not ended. `waits`: for a free place at its provider. */
  calls: { sessionId: string; tool: string; provider: string; waits: boolean; ageMs: number }[];
  connections: number;
  queuedCalls: number;
  counters: Record<string, number>;
  /** Newest last. */
  lastErrors: { ts: string; code: string; message: string; provider?: string; sessionId?: string }[];
}

export interface OwnerResults {
  initialize: { protocolVersion: number; version: string };
  'session/register': { revision: number; tools: OfferedTool[] };
  'session/update': null;
  'session/end': null;
  'tool/call': ToolOutcome;
  'tool/resume': ToolOutcome;
  'hooks/evaluate': HookDecision;
  'transforms/evaluate': PromptParts;
  'stream/query': { streams: StreamDump[] };
  'token/issue': { token: string };
  /** `denied: false`: it had ended before. */
  'pairing/deny': { denied: boolean };
  'pairing/revoke': null;
  /** `letIn: false`: it does not wait any more, or its token is let in for as many names as can be (`isFull`). */
  'earlierToken/letIn': { letIn: boolean; isFull: boolean };
  'consent/answer': null;
  'consent/forget': null;
  'providers/start': null;
  'providers/stop': null;
  'emitters/start': EmitterStatus;
  'emitters/stop': null;
  'emitters/run': null;
  'emitters/filter': null;
  'emitters/preview': FilterPreview;
  'emitters/injector': null;
  'emitters/list': { emitters: EmitterStatus[] };
  /** Oldest first. */
  'goals/list': { judgements: Judgement[] };
  'records/add': null;
  'records/query': { records: KeptRecord[] };
  'traces/configure': TracesStatus;
  diagnostics: GatewayStatus & { projectProviders: ({ sessionId: string; name: string } & ProjectProviderState)[] };
}

/** Notifications of the gateway. */
export interface OwnerEvents {
  /** For the next gateway. Told to each owner that connects, and after each change before its request is answered. */
  'trust/changed': TrustRecord;
  'tools/changed': { sessionId: string; revision: number; tools: OfferedTool[] };
  'tool/progress': { sessionId: string; callId: string; tool: string; provider: string; message: string };
  /** A tool asks the user, of a call with `asks`. The text is the provider's. */
  'tool/asked': { sessionId: string; callId: string; askId: string; tool: string; provider: string; question: UserQuestion };
  /** A push to be shown in the session's timeline. */
  'push/surfaced': {
    sessionId: string;
    provider: string;
    stream: string;
    level: 'surface' | 'inject';
    event: string;
    ts: string;
    /** The name of the emitter whose line it is. No provider can say so. */
    emitter?: string;
    metadata?: Record<string, unknown>;
    /** The provider's injects are held back until the user's next message. */
    paused?: boolean;
  };
  /** Pushes of the provider are dropped, because there are too many. Told at once, and every 10 s while that goes on. */
  'push/dropped': { sessionId: string; provider: string };
  /** Begins a turn in an idle session. The session counts as busy until the owner says `idle` again. `traceparent`: what the turn is below. */
  'push/inject': { sessionId: string; provider: string; stream: string; text: string; isPrompt: boolean; traceparent?: string };
  /** The code must be shown to the user and reach the provider through them alone. */
  'pairing/started': { pairingId: string; code: string; origin?: string; expiresInMs: number };
  'pairing/ended': { pairingId: string; outcome: 'paired' | 'denied' | 'failed' | 'expired' };
  'provider/state': { sessionId: string; name: string } & ProjectProviderState;
  /** Output of a project provider: lines without control characters, each at most 2000 characters long. */
  'provider/output': { sessionId: string; name: string; stream: 'stdout' | 'stderr'; lines: string[] };
  /** What changed is not its lines alone. */
  'emitter/state': { sessionId: string; emitter: EmitterStatus };
  /** A goal or claim of the session's model was compared with its evidence. */
  'goal/judged': { sessionId: string; judgement: Judgement };
  /** Asks for the user's consent, once for each name; also sent to an owner that connects before the user has decided. */
  'consent/asked': { provider: string; sessionIds: string[]; wants: string[] };
  /** The question is settled, or what was decided is void: without `allow`. */
  'consent/decided': { provider: string; allow?: boolean };
}
