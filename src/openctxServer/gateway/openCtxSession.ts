/** The session at the tap gateway through which its providers are asked. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../base/clock.ts';
import { connectOwner, type ConnectOwnerOptions } from '../../tap/owner/connectOwner.ts';
import { SessionTools } from '../../tap/owner/sessionTools.ts';
import type { ServedProvider } from '../servedProvider.ts';
import { GatewayProvider } from './gatewayProvider.ts';

export interface GatewaySessionOptions extends Omit<ConnectOwnerOptions, 'name'> {
  /** Of the providers that are served. */
  names: readonly string[];
}

export interface GatewaySession {
  readonly providers: readonly ServedProvider[];
  close(): void;
}

export function openGatewaySession({ names, ...connection }: GatewaySessionOptions): GatewaySession {
  const owner = connectOwner({ name: 'OpenCtx server', ...connection });
  const sessionId = `openctx-${randomUUID()}`;
  const tools = new SessionTools(owner, sessionId, systemClock, () => undefined);
  // It has no turns, so it never becomes idle and never gets an inject.
  const session = owner.addSession({ sessionId, label: 'OpenCtx server', idle: false });
  return {
    providers: names.map((name) => new GatewayProvider(name, session, tools, connection.logger)),
    close() {
      tools.dispose();
      owner.dispose();
    },
  };
}
