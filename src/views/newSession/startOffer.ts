/** What a session can be begun with, for the composer that is there before a session is. */
import type { AgentInfo } from '../../ahp/channels/root.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { lacksModels } from '../hosts/agentModels.ts';
import { oneLine } from '../text/oneLine.ts';

export const DEMO_PROVIDER = 'demo';
/** A list from which one is chosen is no longer than this. */
const MAX_OFFERED = 100;

/** An agent of a host. */
export interface StartAgent {
  hostId: string;
  provider: string;
  label: string;
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
  /** For hosts that have the files of this computer. Of another host, the folder is asked for. */
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
): StartOffer {
  const agents = hosts
    .flatMap(({ id, label, agents: known }) => known.map((agent) => ({ hostId: id, hostLabel: label, agent })))
    .toSorted((a, b) => readiness(a.agent, hasModel) - readiness(b.agent, hasModel))
    .slice(0, MAX_OFFERED)
    .map(({ hostId, hostLabel, agent: { provider, displayName } }) => ({
      hostId,
      provider,
      label: [oneLine(displayName || provider), ...(hosts.length > 1 ? [oneLine(hostLabel)] : [])].join(' · '),
    }));
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
