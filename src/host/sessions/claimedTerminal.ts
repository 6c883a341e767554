/** Opens a terminal that a client has asked for, for itself or for a session. */
import type { TerminalClaim } from '../../ahp/channels/shapes/basic.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { existingDirectory } from '../files/existingDirectory.ts';
import type { StateStore } from '../state/stateStore.ts';
import type { TerminalRequest, Terminals } from '../terminals/terminals.ts';
import { sessionNotFound, type Sessions } from './sessions.ts';

export interface TerminalHost {
  store: StateStore;
  sessions: Sessions;
  terminals: Terminals;
  defaultDirectory: URI;
}

/** Rejects with InvalidParams, SessionNotFound, and as {@link Terminals.create}. */
export async function openClaimedTerminal(
  host: TerminalHost,
  request: TerminalRequest,
  cwd: URI | undefined,
  clientId: string,
): Promise<void> {
  const { terminal, claim } = request;
  if ('clientId' in claim && claim.clientId !== clientId) throw new RpcError(ErrorCode.InvalidParams, 'claim.clientId must be the own one');
  requireSession(host, claim);
  await host.terminals.create(request, await existingDirectory(cwd ?? host.defaultDirectory, 'cwd'));
  try {
    // Its session may have been disposed meanwhile. Nobody would end the terminal then.
    requireSession(host, claim);
  } catch (error) {
    host.terminals.disposeTerminal(terminal);
    throw error;
  }
}

function requireSession({ store, sessions }: TerminalHost, claim: TerminalClaim): void {
  if (!('session' in claim)) return;
  sessions.wake(claim.session);
  if (!store.session(claim.session)) throw sessionNotFound(claim.session);
}
