/** The models of an agent, and, while it has none, where it could get them from. */
import * as l10n from '../../base/l10n.ts';
import type { AgentInfo, RootState, SessionModelInfo } from '../../ahp/channels/root.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import { MODEL_ENDPOINTS_RESOURCE } from '../../models/modelEndpoints.ts';

export const GITHUB_RESOURCE = 'https://api.github.com';

/** A GitHub account, or the user's own models. */
export type ModelSource = 'gitHub' | 'ownModels';

/** Where the agent can get models from, according to its protected resources. */
export function modelSources({ protectedResources = [] }: AgentInfo): ModelSource[] {
  const takes = (wanted: string) => protectedResources.some(({ resource }) => resource === wanted);
  return [...(takes(GITHUB_RESOURCE) ? (['gitHub'] as const) : []), ...(takes(MODEL_ENDPOINTS_RESOURCE) ? (['ownModels'] as const) : [])];
}

/** True for an agent that needs a model and has none. An agent without a source of models needs none. */
export function lacksModels(agent: AgentInfo): boolean {
  return agent.models.length === 0 && modelSources(agent).length > 0;
}

/** Undefined until the host has sent its agents. */
export function agentOf(session: Pick<SessionState, 'provider'>, root: RootState | undefined): AgentInfo | undefined {
  return root?.agents.find(({ provider }) => provider === session.provider);
}

export function usableModels(agent: AgentInfo | undefined): SessionModelInfo[] {
  return (agent?.models ?? []).filter(({ policyState }) => policyState !== 'disabled');
}

export type ModelProblem =
  | { kind: 'none'; sources: readonly ModelSource[] }
  /** The session's model is not offered. `name` is its id, because nothing else is known about it. */
  | { kind: 'gone'; name: string };

/** Why a turn of the session with this model would have none; undefined when it has one, or when that is not known. `id`: absent for the agent's own. */
export function modelProblem(
  session: Pick<SessionState, 'provider'>,
  id: string | undefined,
  root: RootState | undefined,
): ModelProblem | undefined {
  const agent = agentOf(session, root);
  if (!agent) return undefined;
  if (lacksModels(agent)) return { kind: 'none', sources: modelSources(agent) };
  // An agent without a list accepts any model.
  if (id === undefined || agent.models.length === 0 || usableModels(agent).some((model) => model.id === id)) return undefined;
  return { kind: 'gone', name: id };
}

// Models are known by that in every language.
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** "128K tokens · sees images · reasoning effort", as far as the host has said it. */
export function modelFacts({ maxContextWindow, supportsVision, configSchema }: SessionModelInfo): string[] {
  return [
    ...(maxContextWindow ? [l10n.t`${compact.format(maxContextWindow)} tokens`] : []),
    ...(supportsVision ? [l10n.t('sees images')] : []),
    ...Object.entries(configSchema?.properties ?? {}).map(([id, { title }]) => (title || id).toLowerCase()),
  ];
}
