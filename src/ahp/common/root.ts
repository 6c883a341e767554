/** What the root resources of both dialects have in common, and how it is reduced. */
import { isRecord } from '../../base/isRecord.ts';
import { type Recipe, setConfigValues, setField, setWhole } from './reducers/reducer.ts';

/** The client's name for the one root resource of a host. In AHP v1 it is also that of the wire. */
export const ROOT_URI = 'agenthost:/root';

interface RootCore {
  agents: unknown[];
  activeSessions?: number;
  terminals?: unknown[];
  config?: { values: Record<string, unknown> };
}

type RootCoreAction =
  | { type: 'root/agentsChanged'; agents: unknown[] }
  | { type: 'root/activeSessionsChanged'; activeSessions: number }
  | { type: 'root/terminalsChanged'; terminals: unknown[] }
  | { type: 'root/configChanged'; config: Record<string, unknown>; replace?: boolean | undefined };

/** Reduces the root resource. */
export const rootRecipe: Recipe<RootCore, RootCoreAction> = (draft, action) => {
  switch (action.type) {
    case 'root/agentsChanged':
      if (Array.isArray(action.agents)) setWhole(draft, 'agents', action.agents);
      break;
    case 'root/activeSessionsChanged':
      if (typeof action.activeSessions === 'number') setField(draft, 'activeSessions', action.activeSessions);
      break;
    case 'root/terminalsChanged':
      if (Array.isArray(action.terminals)) setWhole(draft, 'terminals', action.terminals);
      break;
    case 'root/configChanged': {
      const config = draft.config;
      if (isRecord(config) && isRecord(action.config)) setConfigValues(config, action.config, action.replace === true);
      break;
    }
    default:
  }
};
