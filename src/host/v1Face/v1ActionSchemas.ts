/** The schema of every action that a client may dispatch: that of the protocol, without what this host does not support. */
import * as z from 'zod/mini';
import { approval, clientActions, type ClientActionType, denial } from '../../ahp/v1/clientActions.ts';
import { knownTerminalClaim } from '../../ahp/v1/common.ts';
import { terminalSize } from '../checks/terminalSize.ts';

const pendingKind = z.enum(['steering', 'queued']);

export const actionSchemas: Readonly<Record<ClientActionType, z.ZodMiniType>> = {
  ...clientActions,
  'session/toolCallConfirmed': z.discriminatedUnion('approved', [
    z.extend(approval, { confirmed: z.enum(['not-needed', 'user-action', 'setting']) }),
    z.extend(denial, { reason: z.enum(['denied', 'skipped']) }),
  ]),
  'session/pendingMessageSet': z.extend(clientActions['session/pendingMessageSet'], { kind: pendingKind }),
  'session/pendingMessageRemoved': z.extend(clientActions['session/pendingMessageRemoved'], { kind: pendingKind }),
  'session/inputCompleted': z.extend(clientActions['session/inputCompleted'], { response: z.enum(['accept', 'decline', 'cancel']) }),
  'terminal/resized': z.extend(clientActions['terminal/resized'], { cols: terminalSize, rows: terminalSize }),
  'terminal/claimed': z.extend(clientActions['terminal/claimed'], { claim: knownTerminalClaim }),
};
