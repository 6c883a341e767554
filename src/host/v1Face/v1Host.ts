/** What the face of version 1 needs of the host. */
import type { StateAction } from '../../ahp/channels/actions.ts';
import type { ModelSelection, TerminalClaim } from '../../ahp/channels/shapes/basic.ts';
import type { ChatSummary } from '../../ahp/channels/shapes/summaries.ts';
import type { SessionActiveClient } from '../../ahp/channels/session/state.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { CommandParams, CommandResult } from '../../ahp/v1/commands.ts';
import type { Event } from '../../base/event.ts';
import type { Agent } from '../agents/agent.ts';
import type { ListedSession, SessionFacts } from '../state/sessionFacts.ts';
import type { StateStore } from '../state/stateStore.ts';

/** A connection, as the host knows it. */
export interface V1Client {
  readonly clientId: string;
  /** The channels of the store that it reads. */
  readonly channels: Set<URI>;
  notify(method: string, params: object): void;
  /** Rejects with an `RpcError`, a `TimeoutError`, or at the end of the connection. */
  request(method: string, params: unknown, timeoutMs: number): Promise<unknown>;
  /** Another connection uses this client id now. */
  replaced(): void;
}

export interface SessionRequest {
  session: URI;
  provider?: string;
  workingDirectory?: URI;
  model?: ModelSelection;
  config?: Record<string, unknown>;
  activeClient?: SessionActiveClient;
  fork?: { chat: URI; turnId: string };
  /** What becomes of values of the configuration that do not fit. */
  taken?: 'all or nothing' | 'what fits';
}

export type SessionsChange =
  | { type: 'added'; session: ListedSession }
  | { type: 'removed'; session: URI; chats: readonly ChatSummary[] }
  /** The listed form may have changed. */
  | { type: 'changed'; session: URI };

export interface V1Sessions {
  list(): ListedSession[];
  listed(session: URI): ListedSession | undefined;
  facts(session: URI): SessionFacts | undefined;
  /** Loads the session of a channel, if there is one. Throws when it cannot be read. */
  wake(channel: URI): void;
  create(request: SessionRequest, clientId: string): Promise<void>;
  disposeSession(session: URI): Promise<void>;
  /** Throws ProviderNotFound. */
  agent(provider: string | undefined): Agent;
  readonly onDidChange: Event<SessionsChange>;
}

type Runs<M extends 'resourceRead' | 'resourceWrite' | 'resourceList' | 'resourceCopy' | 'resourceDelete' | 'resourceMove'> = (
  params: CommandParams<M>,
) => Promise<CommandResult<M>>;

export interface V1Host {
  readonly store: StateStore;
  readonly clients: {
    join(client: V1Client, introduction: { dialect: 'v1'; answersHooks: boolean }): void;
    rejoin(client: V1Client): void;
    leave(client: V1Client): void;
    dialectOf(clientId: string): 'v1' | 'channels' | undefined;
    /** Why this number cannot be accepted. */
    takeClientSeq(clientId: string, clientSeq: number): string | undefined;
  };
  readonly sessions: V1Sessions;
  readonly terminals: {
    /** `directory`: a path. */
    create(request: { terminal: URI; claim: TerminalClaim; name?: string; cols?: number; rows?: number }, directory: string): Promise<void>;
    disposeTerminal(channel: URI): void;
  };
  readonly resources: {
    read: Runs<'resourceRead'>;
    write: Runs<'resourceWrite'>;
    list: Runs<'resourceList'>;
    copy: Runs<'resourceCopy'>;
    delete: Runs<'resourceDelete'>;
    move: Runs<'resourceMove'>;
  };
  readonly authentication: { authenticate(params: CommandParams<'authenticate'>): Promise<void> };
  readonly sessionConfigs: {
    resolve(agent: Agent, params: CommandParams<'resolveSessionConfig'>): Promise<object>;
    completions(agent: Agent, params: CommandParams<'sessionConfigCompletions'>): Promise<object[]>;
  };
  readonly defaultDirectory: URI;
  /** As it is configured. */
  readonly ownDefaultDirectory: URI | undefined;
  /** The extensions that the client has too. */
  extensionsFor(meta: unknown): { _meta?: Record<string, unknown> };
  /** Checks an action of a client, and applies or rejects it. Its number is taken. */
  dispatchAction(clientId: string, clientSeq: number, channel: URI, action: StateAction): void;
}
