/** What an agent can work with now: its models, and, while it has none, what it could be given. */
import type { AgentInfo, RootState, SessionModelInfo } from '../ahp/v1/root.ts';
import type { SessionState } from '../ahp/v1/session.ts';
import { MODEL_ENDPOINTS_RESOURCE } from '../base/modelEndpoints.ts';

export const GITHUB_RESOURCE = 'https://api.github.com';

/** A GitHub account, or models that the user brings. */
export type ModelSource = 'gitHub' | 'ownModels';

/** Where the agent would take models from, as its protected resources say. */
export function modelSources({ protectedResources = [] }: AgentInfo): ModelSource[] {
  const takes = (wanted: string) => protectedResources.some(({ resource }) => resource === wanted);
  return [...(takes(GITHUB_RESOURCE) ? (['gitHub'] as const) : []), ...(takes(MODEL_ENDPOINTS_RESOURCE) ? (['ownModels'] as const) : [])];
}

/** True for an agent that has no model, but could be given one: a session could only say so. Agents of other kinds need none. */
export function lacksModels(agent: AgentInfo): boolean {
  return agent.models.length === 0 && modelSources(agent).length > 0;
}

/** The agent of a session; undefined until its host has said which it has. */
export function agentOf(session: SessionState, root: RootState | undefined): AgentInfo | undefined {
  return root?.agents.find(({ provider }) => provider === session.summary.provider);
}

export function usableModels(agent: AgentInfo | undefined): SessionModelInfo[] {
  return (agent?.models ?? []).filter(({ policyState }) => policyState !== 'disabled');
}

export type ModelProblem =
  | { kind: 'none'; sources: readonly ModelSource[] }
  /** The session's model is not among those that are offered. `name`: its id, which is all that is known of it. */
  | { kind: 'gone'; name: string };

/** Why the session's next turn will find no model; undefined when it will, as far as the host has said. */
export function modelProblem(session: SessionState, root: RootState | undefined): ModelProblem | undefined {
  const agent = agentOf(session, root);
  if (!agent) return undefined;
  if (lacksModels(agent)) return { kind: 'none', sources: modelSources(agent) };
  const id = session.summary.model?.id;
  // An agent without a list takes any name.
  if (id === undefined || agent.models.length === 0 || usableModels(agent).some((model) => model.id === id)) return undefined;
  return { kind: 'gone', name: id };
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** "128K tokens · sees images · reasoning effort": what tells a model from another, as far as the host said it. */
export function modelFacts({ maxContextWindow, supportsVision, configSchema }: SessionModelInfo): string[] {
  return [
    ...(maxContextWindow ? [`${compact.format(maxContextWindow)} tokens`] : []),
    ...(supportsVision ? ['sees images'] : []),
    ...Object.entries(configSchema?.properties ?? {}).map(([id, { title }]) => (title || id).toLowerCase()),
  ];
}
