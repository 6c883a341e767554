/** The root channel (`ahp-root://`): agents, terminals and the host's configuration. Sessions are listed by a command, and its notifications. */
import * as z from 'zod/mini';
import { ROOT_URI } from '../common/root.ts';
import { action, type ActionsOf, type AnyOf, anyObject } from '../common/schemas.ts';
import type { ProtectedResourceMetadata, URI } from '../common/shapes.ts';
import type { Meta, TerminalInfo, UnknownTag } from './shapes/basic.ts';
import type { ConfigSchema } from './shapes/config.ts';
import type { Customization } from './shapes/customizations.ts';

/** The URI of the one root channel of a host. */
export const ROOT_CHANNEL = 'ahp-root://';

/** The client's name of a channel. The root's channel is the same resource as the root of AHP v1. */
export const nameOfChannel = (channel: URI): URI => (channel === ROOT_CHANNEL ? ROOT_URI : channel);

export interface AgentCapabilities {
  multipleChats?: { fork?: boolean; sideChat?: boolean };
  multipleWorkingDirectories?: { immutablePrimary?: boolean; primaryReplacement?: boolean };
}

export interface SessionModelInfo {
  id: string;
  provider: string;
  name: string;
  /** Tokens, as the two below. */
  maxContextWindow?: number;
  maxOutputTokens?: number;
  maxPromptTokens?: number;
  supportsVision?: boolean;
  policyState?: 'enabled' | 'disabled' | 'unconfigured' | UnknownTag;
  /** Options of the model, such as the reasoning effort. Their values are in `ModelSelection.config`. */
  configSchema?: ConfigSchema;
  _meta?: Meta;
}

export interface AgentInfo {
  /** Provider id, for example `copilotcli`. */
  provider: string;
  displayName: string;
  description: string;
  models: SessionModelInfo[];
  protectedResources?: ProtectedResourceMetadata[];
  customizations?: Customization[];
  capabilities?: AgentCapabilities;
}

export interface RootState {
  agents: AgentInfo[];
  /** Sessions with a turn in progress. */
  activeSessions?: number;
  terminals?: TerminalInfo[];
  config?: { schema: ConfigSchema; values: Record<string, unknown> };
  _meta?: Meta;
}

/** What clients may dispatch, by type. */
export const rootClientActions = {
  /** Merges into the values, or replaces them all with `replace: true`. */
  'root/configChanged': action('root/configChanged', { config: anyObject, replace: z.optional(z.boolean()) }),
};

interface RootHostActions {
  'root/agentsChanged': { agents: AgentInfo[] };
  'root/activeSessionsChanged': { activeSessions: number };
  'root/terminalsChanged': { terminals: TerminalInfo[] };
}
export type RootAction = AnyOf<typeof rootClientActions> | ActionsOf<RootHostActions>;
