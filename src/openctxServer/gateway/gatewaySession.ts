/** The session at the tap gateway through which its providers are asked. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../base/clock.ts';
import { findOrStartDaemon } from '../../base/daemon/daemon.ts';
import type { Logger } from '../../base/log.ts';
import { gatewayDaemon } from '../../tap/owner/gatewayDaemon.ts';
import { OwnerClient } from '../../tap/owner/ownerClient.ts';
import { SessionTools } from '../../tap/owner/sessionTools.ts';
import type { ServedProvider } from '../servedProvider.ts';
import { GatewayProvider } from './gatewayProvider.ts';

export interface GatewaySessionOptions {
  /** Of the providers that are served. */
  names: readonly string[];
  /** The built `gateway.cjs`. */
  script: string;
  version: string;
  logger: Logger;
}

export interface GatewaySession {
  readonly providers: readonly ServedProvider[];
  close(): void;
}

export function openGatewaySession({ names, script, version, logger }: GatewaySessionOptions): GatewaySession {
  const gateway = gatewayDaemon(script, version);
  const owner = new OwnerClient({ name: 'OpenCtx server', find: () => findOrStartDaemon(gateway, logger), logger });
  let trouble = '';
  owner.onDidChangeState((state) => {
    if (state.kind === 'connected') trouble = '';
    if (state.kind !== 'waiting' || state.error === trouble) return;
    trouble = state.error;
    logger.warn(`No connection to the gateway: ${trouble}`);
  });
  const sessionId = `openctx-${randomUUID()}`;
  const tools = new SessionTools(owner, sessionId, systemClock, () => undefined);
  // It has no turns, so it never becomes idle and never gets an inject.
  const session = owner.addSession({ sessionId, label: 'OpenCtx server', idle: false });
  return {
    providers: names.map((name) => new GatewayProvider(name, session, tools)),
    close() {
      tools.dispose();
      owner.dispose();
    },
  };
}
