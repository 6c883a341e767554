/** The owner link of a process of its own, with its troubles in the log. */
import { english } from '../../base/text/phrase.ts';
import { findOrStartDaemon } from '../../base/daemon/daemon.ts';
import type { Logger } from '../../base/log.ts';
import { gatewayDaemon } from './gatewayDaemon.ts';
import { OwnerClient } from './ownerClient.ts';

export interface ConnectOwnerOptions {
  /** Shown in diagnostics. */
  name: string;
  /** The built `gateway.cjs`. */
  script: string;
  version: string;
  logger: Logger;
}

/** Finds the gateway, or starts it. Each trouble is said once. */
export function connectOwner({ name, script, version, logger }: ConnectOwnerOptions): OwnerClient {
  const gateway = gatewayDaemon(script, version);
  const owner = new OwnerClient({ name, find: () => findOrStartDaemon(gateway, logger), logger });
  let trouble = '';
  owner.onDidChangeState((state) => {
    if (state.kind === 'connected') trouble = '';
    const error = state.kind === 'waiting' ? english(state.error) : trouble;
    if (error === trouble) return;
    trouble = error;
    logger.warn(`No connection to the gateway: ${trouble}`);
  });
  return owner;
}
