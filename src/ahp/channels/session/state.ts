/** The state of a session: its chats, its active clients, its customizations, and what needs an answer. Its URI is the host's choice. */
import * as z from 'zod/mini';
import type { InputRequest } from '../../common/inputRequest.ts';
import { id, listOf, type UnknownTag } from '../../common/schemas.ts';
import type { SessionStatusBits } from '../../common/status.ts';
import type { ErrorInfo } from '../../common/shapes.ts';
import { type ToolDefinition, toolDefinition } from '../../common/tools.ts';
import type { Changeset, Meta, URI } from '../shapes/basic.ts';
import type { SessionConfigState } from '../shapes/config.ts';
import { clientPlugin, type Customization } from '../shapes/customizations.ts';
import type { ChatSummary, SessionMetadata } from '../shapes/summaries.ts';
import type {
  ToolCallAuthRequiredState,
  ToolCallPendingConfirmationState,
  ToolCallPendingResultConfirmationState,
  ToolCallRunningState,
} from '../shapes/toolCall.ts';

export type SessionLifecycle = 'creating' | 'ready' | 'failed' | UnknownTag;

export const activeClient = z.object({
  clientId: id,
  displayName: z.optional(z.string()),
  tools: listOf(toolDefinition),
  customizations: z.optional(listOf(clientPlugin)),
});
/** A client that lends tools to the session. */
export interface SessionActiveClient extends z.infer<typeof activeClient> {}

interface OfChat {
  id: string;
  chat: URI;
}
interface OfCall extends OfChat {
  turnId: string;
}
/** What waits in a chat, so that nobody has to subscribe to it. */
export type SessionInputRequest =
  | (OfChat & { kind: 'chatInput'; request: InputRequest })
  | (OfCall & { kind: 'toolConfirmation'; toolCall: ToolCallPendingConfirmationState | ToolCallPendingResultConfirmationState })
  /** Waits for a client, not for the user. */
  | (OfCall & { kind: 'toolClientExecution'; clientId: string; toolCall: ToolCallRunningState })
  | (OfCall & { kind: 'toolAuthentication'; toolCall: ToolCallAuthRequiredState })
  | (OfChat & { kind: UnknownTag });

export interface SessionState extends SessionMetadata {
  /** The activity is that of the snapshot and of `inputNeeded`: no action says that a turn began or ended. The chats' own does. */
  status: SessionStatusBits;
  lifecycle: SessionLifecycle;
  creationError?: ErrorInfo;
  serverTools?: ToolDefinition[];
  activeClients: SessionActiveClient[];
  /** In the host's order. */
  chats: ChatSummary[];
  defaultChat?: URI;
  config?: SessionConfigState;
  customizations?: Customization[];
  changesets?: Changeset[];
  inputNeeded?: SessionInputRequest[];
  _meta?: Meta;
}
