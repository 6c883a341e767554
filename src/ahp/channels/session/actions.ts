/** The actions of a session. */
import * as z from 'zod/mini';
import { action, type ActionsOf, type AnyOf, anyObject, id, listOf, uri } from '../../common/schemas.ts';
import type { ErrorInfo } from '../../common/shapes.ts';
import type { ToolDefinition } from '../../common/tools.ts';
import type { Changeset, Meta, URI } from '../shapes/basic.ts';
import { type Customization, enablement, type McpServerState } from '../shapes/customizations.ts';
import type { ChatSummary } from '../shapes/summaries.ts';
import { activeClient, type SessionInputRequest } from './state.ts';

/** What clients may dispatch, by type. */
export const sessionClientActions = {
  'session/titleChanged': action('session/titleChanged', { title: z.string() }),
  'session/isReadChanged': action('session/isReadChanged', { isRead: z.boolean() }),
  'session/isArchivedChanged': action('session/isArchivedChanged', { isArchived: z.boolean() }),
  /** Merges into the values, or replaces them all with `replace: true`. */
  'session/configChanged': action('session/configChanged', { config: anyObject, replace: z.optional(z.boolean()) }),
  /** Replaces the whole entry of its `clientId`, tools and all. */
  'session/activeClientSet': action('session/activeClientSet', { activeClient }),
  'session/activeClientRemoved': action('session/activeClientRemoved', { clientId: id }),
  'session/workingDirectorySet': action('session/workingDirectorySet', { directory: uri }),
  'session/workingDirectoryRemoved': action('session/workingDirectoryRemoved', { directory: uri }),
  'session/workingDirectoryReplaced': action('session/workingDirectoryReplaced', { directory: uri, replacement: uri }),
  /** Replaces all decisions about the customization. */
  'session/customizationToggled': action('session/customizationToggled', { id, enablement: listOf(enablement) }),
  'session/mcpServerStartRequested': action('session/mcpServerStartRequested', { id }),
  'session/mcpServerStopRequested': action('session/mcpServerStopRequested', { id }),
  /** Asks not to wait for a server that starts. Since 1.0.0. */
  'session/mcpServerBackgroundRequested': action('session/mcpServerBackgroundRequested', { id }),
};

/** What comes from the host only. */
interface SessionHostActions {
  'session/ready': object;
  'session/creationFailed': { error: ErrorInfo };
  'session/chatAdded': { summary: ChatSummary };
  'session/chatRemoved': { chat: URI };
  /** `changes` holds only what changed. */
  'session/chatUpdated': { chat: URI; changes: Partial<ChatSummary> };
  /** The whole new order. Since 1.0.0. */
  'session/chatsReordered': { chats: URI[] };
  'session/defaultChatChanged': { defaultChat?: URI };
  'session/activityChanged': { activity?: string };
  'session/changesetsChanged': { changesets?: Changeset[] };
  'session/serverToolsChanged': { tools: ToolDefinition[] };
  'session/inputNeededSet': { request: SessionInputRequest };
  'session/inputNeededRemoved': { id: string };
  'session/customizationsChanged': { customizations: Customization[] };
  'session/customizationUpdated': { customization: Customization };
  'session/customizationRemoved': { id: string };
  'session/mcpServerStateChanged': { id: string; state: McpServerState; channel?: URI };
  'session/metaChanged': { _meta?: Meta };
}

export type SessionAction = AnyOf<typeof sessionClientActions> | ActionsOf<SessionHostActions>;
export type SessionActionOf<T extends SessionAction['type']> = Extract<SessionAction, { type: T }>;
