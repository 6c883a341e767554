/** What a new session starts with: its agent, its state and its folder, from the request of a client or from the session that it forks. */
import { pathToFileURL } from 'node:url';
import type { CreateSessionParams } from '../../../ahp/v1/commands.ts';
import type { URI } from '../../../ahp/v1/common.ts';
import { ErrorCode } from '../../../ahp/v1/errors.ts';
import { SessionStatus, type SessionConfigState, type SessionState } from '../../../ahp/v1/session.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import { WORKTREE_BRANCH } from '../../../ahp/sessionMetaKeys.ts';
import { modelProblem } from '../../checks/actionChecks.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Authentication } from './authentication.ts';
import { configProblem } from '../../checks/configValues.ts';
import { existingDirectory } from '../../files/directories.ts';
import type { SessionConfigs } from './sessionConfigs.ts';
import type { StateStore } from '../../state/stateStore.ts';
import { isolationProblem, settledSchema, type SessionWorkspaces, type Workspace } from '../../files/workspace/sessionWorkspaces.ts';

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
  stateOf(uri: URI): SessionState;
}

export interface PreparedSession {
  agent: Agent;
  state: SessionState;
  workspace: Workspace;
}

/** Rejects with what is wrong with the request. Nothing has been created then. */
export async function prepareSession(
  preparation: SessionPreparation,
  params: CreateSessionParams,
  clientId: string,
  taken?: ConfigTaken,
): Promise<PreparedSession> {
  const { store, authentication, defaultDirectory, isConnected, workspaces } = preparation;
  const source = params.fork && forkSource(preparation, params.fork);
  const agent = preparation.agent(params.provider ?? source?.summary.provider);
  const { provider } = agent.info;
  if (source && source.summary.provider !== provider) throw invalid('provider must be that of the session to fork');
  authentication.require(agent);
  if (params.activeClient && params.activeClient.clientId !== clientId) throw invalid('activeClient.clientId must be that of this client');
  const model = params.model ?? source?.summary.model;
  const unknownModel = params.model && modelProblem(store.root, provider, params.model);
  if (unknownModel) throw invalid(`model: ${unknownModel}`);
  const workingDirectoryUri = params.workingDirectory ?? source?.summary.workingDirectory ?? defaultDirectory;
  if (!workingDirectoryUri) throw invalid('workingDirectory is missing');
  const chosen = await existingDirectory(workingDirectoryUri, 'workingDirectory');
  const config = await resolveConfig(preparation.configs, agent, workingDirectoryUri, params.config, source?.config?.values, taken);
  // A fork works where its source does, in a worktree or not, unless it asks for a worktree of its own.
  const values = source && params.config?.isolation === undefined ? undefined : config?.values;
  const workspace = (await workspaces?.prepare(chosen, values)) ?? { workingDirectory: chosen };
  const now = store.now;
  const state: SessionState = {
    summary: {
      resource: params.session,
      provider,
      title: source?.summary.title ?? '',
      status: SessionStatus.Idle,
      createdAt: now,
      modifiedAt: now,
      ...(model && { model }),
      workingDirectory: workspace.worktree ? pathToFileURL(workspace.workingDirectory).href : workingDirectoryUri,
      ...(workspace.project && { project: workspace.project }),
    },
    lifecycle: 'creating',
    turns: source?.turns ?? [],
    ...(params.activeClient && isConnected(clientId) && { activeClient: params.activeClient }),
    ...(config && { config }),
    ...worktreeBranch(workspace, source),
  };
  return { agent, state, workspace };
}

/** A fork that works where its source does uses the same worktree. */
function worktreeBranch({ worktree, workingDirectory }: Workspace, source: SessionState | undefined): Pick<SessionState, '_meta'> {
  const isSame = source?.summary.workingDirectory === pathToFileURL(workingDirectory).href;
  const branch = worktree?.branch ?? (isSame ? source._meta?.[WORKTREE_BRANCH] : undefined);
  return branch === undefined ? {} : { _meta: { [WORKTREE_BRANCH]: branch } };
}

/** The session to fork, with its turns up to the one to fork at. */
function forkSource({ stateOf }: SessionPreparation, { session, turnId }: { session: URI; turnId: string }): SessionState {
  const source = stateOf(session);
  if (source.activeTurn?.id === turnId) throw new RpcError(ErrorCode.TurnInProgress, `fork.turnId: the turn ${turnId} is in progress`);
  const index = source.turns.findIndex(({ id }) => id === turnId);
  if (index < 0) throw invalid(`fork.turnId: the session has no finished turn ${turnId}`);
  return { ...source, turns: source.turns.slice(0, index + 1) };
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
  given: Record<string, unknown> | undefined,
  inherited: Record<string, unknown> | undefined,
  taken: ConfigTaken = 'all or nothing',
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
