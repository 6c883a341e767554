/** What a new session starts with: its agent, its channels and its folder, from the request of a client or from the chat that it forks. */
import { pathToFileURL } from 'node:url';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { SessionActiveClient, SessionState } from '../../../ahp/channels/session/state.ts';
import type { ModelSelection } from '../../../ahp/channels/shapes/basic.ts';
import type { SessionConfigState } from '../../../ahp/channels/shapes/config.ts';
import type { ChatSummary } from '../../../ahp/channels/shapes/summaries.ts';
import { ErrorCode } from '../../../ahp/common/errors.ts';
import { omitAbsent } from '../../../ahp/common/reducers/reducer.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { SessionStatus } from '../../../ahp/common/status.ts';
import { WORKTREE_BRANCH } from '../../../ahp/sessionMetaKeys.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import * as l10n from '../../../base/l10n.ts';
import type { Agent } from '../../agents/agent.ts';
import { modelProblem } from '../../checks/actionChecks.ts';
import { configProblem } from '../../checks/configValues.ts';
import { existingDirectory } from '../../files/existingDirectory.ts';
import { annotationsSummary } from '../../state/listedSession.ts';
import {
  ISOLATION,
  isolationProblem,
  settledSchema,
  type SessionWorkspaces,
  type Workspace,
} from '../../files/workspace/sessionWorkspaces.ts';
import { changesUri, chatUri } from '../../state/chatUris.ts';
import { withModel } from '../../state/draftModel.ts';
import type { SessionFacts } from '../../state/listedSession.ts';
import type { StateStore, StoredChannel } from '../../state/stateStore.ts';
import type { Authentication } from './authentication.ts';
import type { SessionConfigs } from './sessionConfigs.ts';

/** A session to create. */
export interface SessionRequest {
  session: URI;
  provider?: string | undefined;
  workingDirectory?: URI | undefined;
  model?: ModelSelection | undefined;
  config?: Record<string, unknown> | undefined;
  activeClient?: SessionActiveClient | undefined;
  /** Its first chat begins with the turns of this one, up to and with `turnId`. */
  fork?: { chat: URI; turnId: string } | undefined;
  /** Absent: all or nothing. */
  taken?: ConfigTaken;
  /** Told what goes on, in words for the user, when something begins that may take long. */
  onProgress?: ((message: string) => void) | undefined;
}

export interface SessionPreparation {
  store: StateStore;
  authentication: Authentication;
  defaultDirectory: URI | undefined;
  configs: SessionConfigs;
  workspaces?: SessionWorkspaces;
  isConnected(clientId: string): boolean;
  /** Throws ProviderNotFound. */
  agent(provider: string | undefined): Agent;
  /** Throws SessionNotFound. */
  chatOf(uri: URI): { session: SessionState; chat: ChatState };
}

export interface PreparedSession {
  facts: SessionFacts;
  /** The session first. */
  channels: StoredChannel[];
  workspace: Workspace;
}

/** Rejects with what is wrong with the request. Nothing has been created then. */
export async function prepareSession(preparation: SessionPreparation, request: SessionRequest, clientId: string): Promise<PreparedSession> {
  const { store, authentication, defaultDirectory, isConnected, workspaces } = preparation;
  const { session: uri, activeClient } = request;
  const source = request.fork && forkSource(preparation, request.fork);
  const agent = preparation.agent(request.provider ?? source?.session.provider);
  const { provider } = agent.info;
  if (source && source.session.provider !== provider) throw invalid('provider must be that of the session to fork');
  authentication.require(agent);
  if (activeClient && activeClient.clientId !== clientId) throw invalid('activeClient.clientId must be that of this client');
  const model = request.model ?? source?.chat.draft?.model;
  const unknownModel = request.model && modelProblem(store.root, provider, request.model);
  if (unknownModel) throw invalid(`model: ${unknownModel}`);
  const workingDirectoryUri = request.workingDirectory ?? source?.session.workingDirectories?.[0] ?? defaultDirectory;
  if (!workingDirectoryUri) throw invalid('workingDirectory is missing');
  const chosen = await existingDirectory(workingDirectoryUri, 'workingDirectory');
  const config = await resolveConfig(preparation.configs, agent, workingDirectoryUri, request, source?.session.config?.values);
  // A fork works where its source does, in a worktree or not, unless it asks for a worktree of its own.
  const values = source && request.config?.isolation === undefined ? undefined : config?.values;
  if (values?.[ISOLATION] === 'worktree') request.onProgress?.(l10n.t('Making a work tree for the session'));
  const workspace = (await workspaces?.prepare(chosen, values)) ?? { workingDirectory: chosen };
  const { workingDirectory, worktree, project } = workspace;
  const createdAt = store.now;
  const title = source?.session.title ?? '';
  const chat: ChatSummary = {
    resource: chatUri(uri),
    title,
    status: SessionStatus.Idle,
    modifiedAt: new Date(createdAt).toISOString(),
    workingDirectories: [worktree ? pathToFileURL(workingDirectory).href : workingDirectoryUri],
  };
  const session = omitAbsent<SessionState>({
    provider,
    title,
    status: SessionStatus.Idle,
    ...(project && { project }),
    workingDirectories: chat.workingDirectories ?? [],
    lifecycle: 'creating',
    activeClients: activeClient && isConnected(clientId) ? [activeClient] : [],
    chats: [chat],
    defaultChat: chat.resource,
    annotations: annotationsSummary(uri, []),
    config,
    ...worktreeBranch(workspace, source?.session),
  });
  const draft = model && withModel(undefined, model);
  const chatState = omitAbsent<ChatState>({ ...chat, turns: source?.chat.turns ?? [], draft });
  return {
    facts: { uri, workingDirectory, createdAt, ...(worktree && { worktree }) },
    channels: [
      { channel: uri, kind: 'session', state: session },
      { channel: chat.resource, kind: 'chat', state: chatState },
      { channel: changesUri(uri), kind: 'changeset', state: { status: 'ready', files: [] } },
    ],
    workspace,
  };
}

/** A fork that works where its source does uses the same worktree. */
function worktreeBranch({ worktree, workingDirectory }: Workspace, source: SessionState | undefined): Pick<SessionState, '_meta'> {
  const isSame = source?.workingDirectories?.[0] === pathToFileURL(workingDirectory).href;
  const branch = worktree?.branch ?? (isSame ? source._meta?.[WORKTREE_BRANCH] : undefined);
  return branch === undefined ? {} : { _meta: { [WORKTREE_BRANCH]: branch } };
}

interface ForkSource {
  session: SessionState;
  chat: ChatState;
}

/** The chat to fork, with its turns up to the one to fork at. */
function forkSource({ chatOf }: SessionPreparation, { chat: uri, turnId }: { chat: URI; turnId: string }): ForkSource {
  const { session, chat } = chatOf(uri);
  if (chat.activeTurn?.id === turnId) throw new RpcError(ErrorCode.TurnInProgress, `fork.turnId: the turn ${turnId} is in progress`);
  const index = chat.turns.findIndex(({ id }) => id === turnId);
  if (index < 0) throw invalid(`fork.turnId: the session has no finished turn ${turnId}`);
  return { session, chat: { ...chat, turns: chat.turns.slice(0, index + 1) } };
}

/**
 * What is taken of a requested configuration. A client may send settings of its own, which mean nothing to the agent: where only what fits is
 * taken, the rest is left out, and the state of the session shows what is set. A worktree is never left out.
 */
export type ConfigTaken = 'all or nothing' | 'what fits';

/** `inherited`: the values of the session to fork. The agent decides which of them still fit. */
async function resolveConfig(
  configs: SessionConfigs,
  agent: Agent,
  workingDirectory: URI,
  { config: given, taken = 'all or nothing' }: SessionRequest,
  inherited: Record<string, unknown> | undefined,
): Promise<SessionConfigState | undefined> {
  const config = given ?? inherited;
  const params = { provider: agent.info.provider, workingDirectory, ...(config && { config }) };
  const { schema, values } = await configs.resolve(agent, params);
  const problem = given && (isolationProblem(schema, given) ?? (taken === 'what fits' ? undefined : configProblem(schema, given)));
  if (problem) throw invalid(problem);
  return Object.keys(schema.properties).length > 0 ? { schema: settledSchema(schema), values } : undefined;
}

function invalid(message: string): RpcError {
  return new RpcError(ErrorCode.InvalidParams, message);
}
