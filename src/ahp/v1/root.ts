/** The root resource (`agenthost:/root`): agents, terminals and the host's configuration. */
import type { ConfigSchema, CustomizationRef, ProtectedResourceMetadata, UnknownTag, URI } from './common.ts';
import { createReducer, isRecord, peek, setField, withConfigValues } from './reducer.ts';
import type { TerminalClaim } from './terminal.ts';

/** The URI of the one root resource of a v1 host. */
export const ROOT_URI = 'agenthost:/root';

export interface RootState {
  agents: AgentInfo[];
  /** Sessions with a turn in progress. */
  activeSessions?: number;
  terminals?: TerminalInfo[];
  config?: RootConfigState;
}

export interface AgentInfo {
  /** Provider id, for example `copilot`. */
  provider: string;
  displayName: string;
  description: string;
  models: SessionModelInfo[];
  protectedResources?: ProtectedResourceMetadata[];
  customizations?: CustomizationRef[];
}

export type PolicyState = 'enabled' | 'disabled' | 'unconfigured' | UnknownTag;

export interface SessionModelInfo {
  id: string;
  provider: string;
  name: string;
  /** Tokens. */
  maxContextWindow?: number;
  supportsVision?: boolean;
  policyState?: PolicyState;
  /** Options of the model (such as reasoning effort); their values go in `ModelSelection.config`. */
  configSchema?: ConfigSchema;
}

export interface RootConfigState {
  schema: ConfigSchema;
  values: Record<string, unknown>;
}

/** A terminal as the root lists it; its full state is at `resource`. */
export interface TerminalInfo {
  resource: URI;
  title: string;
  claim: TerminalClaim;
  /** Set once the process has exited. */
  exitCode?: number;
}

export interface RootAgentsChangedAction {
  type: 'root/agentsChanged';
  agents: AgentInfo[];
}
export interface RootActiveSessionsChangedAction {
  type: 'root/activeSessionsChanged';
  activeSessions: number;
}
export interface RootTerminalsChangedAction {
  type: 'root/terminalsChanged';
  terminals: TerminalInfo[];
}
/** Merges into the values, or replaces them all with `replace: true`. Client-dispatchable. */
export interface RootConfigChangedAction {
  type: 'root/configChanged';
  config: Record<string, unknown>;
  replace?: boolean;
}

export type RootAction = RootAgentsChangedAction | RootActiveSessionsChangedAction | RootTerminalsChangedAction | RootConfigChangedAction;

/** Reduces the root resource (design/agent-host.md, "Reducers"). */
export const rootReducer = createReducer<RootState, RootAction>((draft, action) => {
  switch (action.type) {
    case 'root/agentsChanged':
      if (Array.isArray(action.agents)) setField(draft, 'agents', action.agents);
      break;
    case 'root/activeSessionsChanged':
      if (typeof action.activeSessions === 'number') setField(draft, 'activeSessions', action.activeSessions);
      break;
    case 'root/terminalsChanged':
      if (Array.isArray(action.terminals)) setField(draft, 'terminals', action.terminals);
      break;
    case 'root/configChanged': {
      const config = peek(draft, 'config');
      if (isRecord(config) && isRecord(action.config)) draft.config = withConfigValues(config, action.config, action.replace === true);
      break;
    }
    default:
  }
});
