/** The schema of every action that a client may dispatch: that of the protocol, without what this host does not support. */
import * as z from 'zod/mini';
import { clientActions, type ClientActionType } from '../../ahp/channels/actions.ts';
import { approval, denial } from '../../ahp/channels/chat/actions.ts';
import { knownTerminalClaim } from '../../ahp/channels/shapes/basic.ts';
import { terminalSize } from './terminalSize.ts';

const pendingKind = z.enum(['steering', 'queued']);

export const actionSchemas: Readonly<Record<ClientActionType, z.ZodMiniType>> = {
  ...clientActions,
  'chat/toolCallConfirmed': z.discriminatedUnion('approved', [
    z.extend(approval, { confirmed: z.enum(['not-needed', 'user-action', 'setting']) }),
    z.extend(denial, { reason: z.enum(['denied', 'skipped']) }),
  ]),
  'chat/pendingMessageSet': z.extend(clientActions['chat/pendingMessageSet'], { kind: pendingKind }),
  'chat/pendingMessageRemoved': z.extend(clientActions['chat/pendingMessageRemoved'], { kind: pendingKind }),
  'chat/inputCompleted': z.extend(clientActions['chat/inputCompleted'], { response: z.enum(['accept', 'decline', 'cancel']) }),
  'terminal/resized': z.extend(clientActions['terminal/resized'], { cols: terminalSize, rows: terminalSize }),
  'terminal/claimed': z.extend(clientActions['terminal/claimed'], { claim: knownTerminalClaim }),
};
