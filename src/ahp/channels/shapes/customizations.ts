/** Customizations: plugins, directories and MCP servers of a session, and what they contain. */
import * as z from 'zod/mini';
import { isRecord } from '../../../base/isRecord.ts';
import { anyObject, id, listOf, recordOf, tagged, type UnknownTag, uri } from '../../common/schemas.ts';
import { type ErrorInfo, icon, type ProtectedResourceMetadata } from '../../common/shapes.ts';
import { textRange } from './basic.ts';

const enabled = z.boolean();
const enablements = [
  z.object({ kind: z.literal('global'), enabled }),
  z.object({ kind: z.literal('workspace'), uri, enabled }),
  z.object({ kind: z.literal('session'), enabled }),
] as const;
/** A decision of the user for one scope. */
export type CustomizationEnablement = z.infer<(typeof enablements)[number]> | { kind: UnknownTag };
export const enablement: z.ZodMiniType<CustomizationEnablement> = tagged('kind', enablements);

const loadStates = [
  z.object({ kind: z.literal(['loading', 'loaded']) }),
  z.object({ kind: z.literal(['degraded', 'error']), message: z.string() }),
] as const;
export type CustomizationLoadState = z.infer<(typeof loadStates)[number]> | { kind: UnknownTag };
const load: z.ZodMiniType<CustomizationLoadState> = tagged('kind', loadStates);

export interface McpAuthRequirement {
  reason: 'required' | 'expired' | 'insufficientScope' | UnknownTag;
  oauthClient?: { clientId: string; clientSecret?: string };
  resource: ProtectedResourceMetadata;
  requiredScopes?: string[];
  description?: string;
}
export type McpServerState =
  /** `blocking`: the host may hold messages until the server is up. Since 1.0.0. */
  | { kind: 'starting'; blocking?: boolean }
  | { kind: 'ready' }
  | ({ kind: 'authRequired' } & McpAuthRequirement)
  | { kind: 'error'; error: ErrorInfo }
  | { kind: 'stopped' }
  | { kind: UnknownTag };
const mcpServerState = z.custom<McpServerState>((state) => isRecord(state) && typeof state.kind === 'string', 'the state of a server');

const base = {
  id,
  uri: id,
  name: z.string(),
  icons: z.optional(listOf(icon)),
  range: z.optional(textRange),
  _meta: z.optional(anyObject),
};
const described = { ...base, description: z.optional(z.string()), enabled: z.optional(enabled) };
const invocable = {
  ...described,
  disableModelInvocation: z.optional(z.boolean()),
  disableUserInvocation: z.optional(z.boolean()),
};
const mcpServer = z.object({
  ...base,
  type: z.literal('mcpServer'),
  enablement: z.optional(listOf(enablement)),
  state: mcpServerState,
  /** An `mcp:` channel, while the server is ready. */
  channel: z.optional(uri),
  mcpApp: z.optional(anyObject),
});
export interface McpServerCustomization extends z.infer<typeof mcpServer> {}

const children = [
  z.object({ ...invocable, type: z.literal('agent'), model: z.optional(z.string()), tools: z.optional(listOf(z.string())) }),
  z.object({ ...invocable, type: z.literal('skill') }),
  z.object({ ...described, type: z.literal('prompt') }),
  z.object({ ...described, type: z.literal('rule'), alwaysApply: z.optional(z.boolean()), globs: z.optional(listOf(z.string())) }),
  z.object({ ...base, type: z.literal('hook'), enabled: z.optional(enabled) }),
  mcpServer,
] as const;
export type ChildCustomization = z.infer<(typeof children)[number]> | { type: UnknownTag; id?: string };
const child: z.ZodMiniType<ChildCustomization> = tagged('type', children);

const plugin = z.object({
  ...base,
  type: z.literal('plugin'),
  /** The client that contributes it. Absent for the host's own. */
  clientId: z.optional(id),
  load: z.optional(load),
  enablement: z.optional(listOf(enablement)),
  version: z.optional(z.string()),
  children: z.optional(listOf(child)),
});
export interface PluginCustomization extends z.infer<typeof plugin> {}

export const clientPlugin = z.extend(plugin, {
  /** Another nonce means that the plugin has changed. */
  nonce: z.optional(z.string()),
  /** Decisions about its children, by their id. */
  childEnablement: z.optional(recordOf(listOf(enablement))),
});
/** A plugin that a client lends to a session. */
export interface ClientPluginCustomization extends z.infer<typeof clientPlugin> {}

/** A folder of customizations. */
export interface DirectoryCustomization extends Omit<PluginCustomization, 'type' | 'enablement' | 'version'> {
  type: 'directory';
  enabled: boolean;
  contents: 'agent' | 'skill' | 'prompt' | 'rule' | 'hook' | 'mcpServer' | UnknownTag;
  writable: boolean;
}

export type Customization = PluginCustomization | DirectoryCustomization | McpServerCustomization | { type: UnknownTag; id?: string };
