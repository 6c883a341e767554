/** Joins the sessions of the window with the gateway and its providers. */
import type { Commands } from '../commandTable.ts';
import type { DecisionLog } from '../sessions/decisionLog.ts';
import type { WindowServices } from '../windowServices.ts';
import { WindowBridge } from './windowBridge.ts';

export function registerBridge({ context, hosts, keys, logger, own, views }: WindowServices, ownerKey: string, decisions: DecisionLog) {
  const bridge = own(
    new WindowBridge(
      context,
      hosts,
      views,
      ownerKey,
      ({ hostId, uri }, call) => decisions.denyingByRule({ hostId, uri: call.chat ?? uri }, call),
      logger,
    ),
  );
  keys.follow(bridge.onDidChange, () => ({
    'tapline.providersShown': bridge.areProvidersShown,
    ...(bridge.hasProviders && { 'tapline.providerFound': true }),
  }));
  const commands = {
    startGateway: () => bridge.start(),
    stopGateway: () => bridge.stop(),
    restartGateway: () => bridge.restart(),
    showGatewayLog: () => bridge.showLog(),
    reviewTools: () => bridge.review(),
  } satisfies Partial<Commands>;
  return { commands, bridge };
}
