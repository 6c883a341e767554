/** What a session can be begun with, for the composer that is there before a session is. */
import type { AgentInfo } from '../../ahp/channels/root.ts';
import type { ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import type { ConfigSchema } from '../../ahp/channels/shapes/config.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { lacksModels, modelFacts, usableModels } from '../hosts/agentModels.ts';
import { displayPath } from '../text/displayPath.ts';
import { oneLine } from '../text/oneLine.ts';
import { agentKey, type RememberedStart, rememberedOf, type RememberedStarts } from './rememberedStart.ts';

export const DEMO_PROVIDER = 'demo';
/** A list from which one is chosen is no longer than this. */
const MAX_OFFERED = 100;

/** An agent of a host. */
export interface StartAgent {
  hostId: string;
  provider: string;
  label: string;
  /** Those that can be used. Absent: it has none, or none to choose from. */
  models?: readonly StartModel[];
  /** Without a choice it works with the first of its models. */
  choosesFirst?: true;
  /** The model that was chosen last. */
  model?: ModelSelection;
  /** Where a session can work, best first, beside the folders of the window. */
  folders?: readonly StartFolder[];
}

export interface StartModel {
  id: string;
  label: string;
  facts: readonly string[];
  configSchema?: ConfigSchema;
}

export interface StartFolder {
  uri: URI;
  label: string;
}

export interface StartOffer {
  /** Those that can work come first. */
  agents: readonly StartAgent[];
  /** The one that is chosen at first: that of the last session, unless it was the demo, or else the first. */
  chosen?: StartAgent;
  /** The folders of the window, for hosts that have the files of this computer. */
  folders: readonly StartFolder[];
  /** Ids of hosts that have the files of this computer. */
  localHosts: readonly string[];
  /** A host may still connect. */
  isConnecting: boolean;
}

/** What is known of a host. */
export interface StartHost {
  id: string;
  label: string;
  agents: readonly AgentInfo[];
  isConnecting: boolean;
  /** It has the files of this computer. */
  isLocal: boolean;
  /** It is Tapline's own, of which the first model is the one that is used without a choice. */
  isOwn?: boolean;
  /** Where it would begin a session. */
  defaultFolder?: URI;
}

/**
 * Agents that can work now come first, then the demo, then those that need a model. `hasModel`: the user has set up a model of their own, which
 * may be away now. From then on the demo comes last.
 */
export function readiness(agent: AgentInfo, hasModel: boolean): number {
  if (agent.provider === DEMO_PROVIDER) return hasModel ? 3 : 1;
  return lacksModels(agent) ? 2 : 0;
}

export function startOffer(
  hosts: readonly StartHost[],
  folders: readonly StartFolder[],
  last: Pick<StartAgent, 'hostId' | 'provider'> | undefined,
  hasModel = false,
  remembered: RememberedStarts = {},
): StartOffer {
  const agents = hosts
    .flatMap((host) => host.agents.map((agent) => ({ host, agent })))
    .toSorted((a, b) => readiness(a.agent, hasModel) - readiness(b.agent, hasModel))
    .slice(0, MAX_OFFERED)
    .map(({ host, agent }): StartAgent => {
      const { provider, displayName } = agent;
      const last = rememberedOf(remembered, agentKey({ hostId: host.id, provider }));
      const models = modelsOf(agent);
      const places = placesOf(host, folders, last);
      return {
        hostId: host.id,
        provider,
        label: [oneLine(displayName || provider), ...(hosts.length > 1 ? [oneLine(host.label)] : [])].join(' · '),
        ...(models.length > 0 && { models, ...(host.isOwn && { choosesFirst: true }) }),
        ...(last.model && { model: last.model }),
        ...(places.length > 0 && { folders: places }),
      };
    });
  const [first] = agents;
  const again = agents.find(({ hostId, provider }) => hostId === last?.hostId && provider === last.provider);
  // Who has tried the demo and then connected a model wants the model.
  const chosen = again?.provider === DEMO_PROVIDER ? first : (again ?? first);
  return {
    agents,
    ...(chosen && { chosen }),
    folders: folders.slice(0, MAX_OFFERED),
    localHosts: hosts.flatMap(({ id, isLocal }) => (isLocal ? [id] : [])),
    isConnecting: hosts.some(({ isConnecting }) => isConnecting),
  };
}

/** Agents are compared with what was sent of them before, after each report of a host. */
const knownModels = new WeakMap<AgentInfo, readonly StartModel[]>();

function modelsOf(agent: AgentInfo): readonly StartModel[] {
  const known = knownModels.get(agent);
  if (known) return known;
  const models = usableModels(agent)
    .slice(0, MAX_OFFERED)
    .map((model): StartModel => {
      const { id, name, configSchema } = model;
      return {
        id,
        label: oneLine(name || id),
        facts: modelFacts(model).map((fact) => oneLine(fact)),
        ...(configSchema && { configSchema }),
      };
    });
  knownModels.set(agent, models);
  return models;
}

/** On this computer, sessions work in the window's folders, and elsewhere only where the user has said so. */
function placesOf({ isLocal, defaultFolder }: StartHost, folders: readonly StartFolder[], { folder }: RememberedStart): StartFolder[] {
  if (isLocal && folders.length > 0) return [];
  const uris = new Set([folder, isLocal ? undefined : defaultFolder].filter((uri) => uri !== undefined));
  return [...uris].map((uri) => startFolder(uri));
}

export function startFolder(uri: URI): StartFolder {
  return { uri, label: oneLine(displayPath(uri)) };
}
