/** The owner link: what session owners and the gateway say to each other, as JSON-RPC 2.0. docs/gateway-owner-link.md explains it. */
import * as z from 'zod';
import { id, name, record } from './fields.ts';
import { projectProviders } from '../owner/tapConfig.ts';

export const OWNER_PROTOCOL_VERSION = 1;

const sessionFields = {
  label: z.string().max(500),
  /** Absolute path. */
  cwd: z.string().max(4096).optional(),
  /** The session that the user looks at. */
  foreground: z.boolean().default(false),
  /** No turn runs. */
  idle: z.boolean().default(true),
  /** Names of the tools that the session's agent has itself; no provider may take one. */
  agentTools: z.array(z.string().max(200)).max(2000).default([]),
};
const session = z.object({ sessionId: id, ...sessionFields });
export type SessionRegistration = z.input<typeof session>;

/** Requests of an owner, by method. */
export const ownerRequests = {
  initialize: z.object({ protocolVersion: z.number(), name: z.string().max(200) }),
  'session/register': session,
  'session/update': z.object({
    sessionId: id,
    label: sessionFields.label.optional(),
    cwd: sessionFields.cwd,
    foreground: z.boolean().optional(),
    idle: z.boolean().optional(),
    agentTools: sessionFields.agentTools.removeDefault().optional(),
  }),
  /** Answered when the session is torn down: all providers are ready, or the deadline has passed. */
  'session/end': z.object({ sessionId: id, deadlineMs: z.number().min(0).max(600_000).optional() }),
  'tool/call': z.object({ sessionId: id, callId: id, tool: z.string().max(200), args: z.unknown() }),
  'hooks/evaluate': z.object({ sessionId: id, tool: z.string().max(200), args: z.unknown() }),
  'transforms/evaluate': z.object({ sessionId: id, sections: z.record(z.string(), z.string()) }),
  'stream/query': z.object({ sessionId: id, last: z.number().int().min(1).max(200).default(50) }),
  'token/issue': z.object({ sessionId: id }),
  /** Only what the user has agreed to. */
  'providers/start': z.object({ sessionId: id, folder: z.string().min(1).max(4096), providers: projectProviders }),
  /** Answered when they have ended. `names` absent: all of the session. */
  'providers/stop': z.object({ sessionId: id, names: z.array(name).optional() }),
  'pairing/deny': z.object({ pairingId: id }),
  'consent/answer': z.object({ provider: z.string().max(200), allow: z.boolean() }),
  diagnostics: z.object({}),
} as const;
export type OwnerRequest = keyof typeof ownerRequests;

/** Notifications of an owner. */
export const ownerNotifications = {
  'tool/cancel': z.object({ sessionId: id, callId: id, reason: z.string().max(1000).default('cancelled') }),
  /** `byUser`: a person wrote it, not an inject. */
  'session/event': z.object({ sessionId: id, event: z.string().min(1).max(100), data: record, byUser: z.boolean().default(false) }),
} as const;
export type OwnerNotification = keyof typeof ownerNotifications;

/** A tool as it is offered to the session's model. All text is the provider's: untrusted, control characters removed. */
export interface OfferedTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** Name of the provider. */
  provider: string;
  trust: 'internal' | 'project' | 'external';
  timeoutMs: number;
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
  /** To be added to what the model reads. */
  context: { provider: string; content: string }[];
}

export interface PromptParts {
  /** Every section that was given or is touched, protected ones last. */
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
  /** `waiting`: it has ended and will be started again. `failed`: it will not. */
  state: 'running' | 'waiting' | 'failed' | 'stopped';
  /** While it runs. */
  pid?: number;
  /** Why it does not run. */
  error?: string;
  /** While it waits: milliseconds from now. */
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
  }[];
  providers: {
    id: string;
    name: string;
    instance?: string;
    trust: string;
    sessions: string[];
    tools: string[];
    pendingCalls: number;
    awaitsConsent: boolean;
    metadata?: Record<string, unknown>;
  }[];
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
  'hooks/evaluate': HookDecision;
  'transforms/evaluate': PromptParts;
  'stream/query': { streams: StreamDump[] };
  'token/issue': { token: string };
  'pairing/deny': null;
  'consent/answer': null;
  'providers/start': null;
  'providers/stop': null;
  diagnostics: GatewayStatus & { projectProviders: ({ sessionId: string; name: string } & ProjectProviderState)[] };
}

/** Notifications of the gateway. */
export interface OwnerEvents {
  'tools/changed': { sessionId: string; revision: number; tools: OfferedTool[] };
  'tool/progress': { sessionId: string; callId: string; tool: string; provider: string; message: string };
  /** A push that is to be seen in the session's timeline. */
  'push/surfaced': {
    sessionId: string;
    provider: string;
    stream: string;
    level: 'surface' | 'inject';
    event: string;
    ts: string;
    metadata?: Record<string, unknown>;
    /** The gateway holds this provider's injects back until the user speaks. */
    paused?: boolean;
  };
  /** Begins a turn in an idle session. The session counts as busy until the owner says `idle` again. */
  'push/inject': { sessionId: string; provider: string; stream: string; text: string; isPrompt: boolean };
  /** To be shown to the user; the code must reach the provider through them alone. */
  'pairing/started': { pairingId: string; code: string; origin?: string; expiresInMs: number };
  'pairing/ended': { pairingId: string; outcome: 'paired' | 'denied' | 'failed' | 'expired' };
  'provider/state': { sessionId: string; name: string } & ProjectProviderState;
  /** What a provider that the gateway runs has printed: lines without control characters, at most 2000 characters each. */
  'provider/output': { sessionId: string; name: string; stream: 'stdout' | 'stderr'; lines: string[] };
  /** Asks for the user's consent, once a name. */
  'consent/asked': { provider: string; sessionIds: string[]; wants: string[] };
}
