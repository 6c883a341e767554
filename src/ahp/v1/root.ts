/** The root resource (`agenthost:/root`): agents, terminals and the host's configuration. */
import type { ConfigSchema, CustomizationRef, ProtectedResourceMetadata, TerminalClaim, UnknownTag, URI } from './common.ts';
import type { RootConfigChangedAction } from './clientActions.ts';

export { ROOT_URI } from '../common/root.ts';

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
  /** Options of the model, such as the reasoning effort. Their values are in `ModelSelection.config`. */
  configSchema?: ConfigSchema;
}

export interface RootConfigState {
  schema: ConfigSchema;
  values: Record<string, unknown>;
}

/** A terminal as the root lists it. Its full state is that of `resource`. */
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
export type RootAction = RootAgentsChangedAction | RootActiveSessionsChangedAction | RootTerminalsChangedAction | RootConfigChangedAction;
