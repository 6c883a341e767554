/** Joins the sessions of the window with the gateway and its providers. */
import { type SessionRef, sessionKey } from '../../views/session/sessionRef.ts';
import type { Commands } from '../commandTable.ts';
import { DecisionRecords } from '../decisions/decisionRecords.ts';
import type { DecisionLog } from '../sessions/decisionLog.ts';
import type { WindowServices } from '../windowServices.ts';
import { sessionIdOf } from './bridge.ts';
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
  const recorded = own(
    new DecisionRecords({
      log: decisions,
      keeper: () => {
        const { owner } = bridge.bridge;
        return owner?.state.kind === 'connected'
          ? { link: owner.state.peer, request: (method, params) => owner.request(method, params) }
          : undefined;
      },
      onDidChangeKeeper: bridge.onDidChange,
      sessionOf: (hostId, chat) =>
        bridge.bridge.sessions.find(({ ref }) => ref.hostId === hostId && isChatOf(hosts, ref, chat))?.bridge.sessionId,
      logger,
    }),
  );
  keys.follow(bridge.onDidChange, () => ({
    'tapline.providersShown': bridge.areProvidersShown,
    ...(bridge.hasProviders && { 'tapline.providerFound': true }),
    'tapline.gatewayOff': bridge.health.kind === 'off' ? bridge.health.why : '',
  }));
  const commands = {
    startGateway: () => bridge.start(),
    stopGateway: () => bridge.stop(),
    restartGateway: () => bridge.restart(),
    showGatewayLog: () => bridge.showLog(),
    reviewTools: () => bridge.review(),
  } satisfies Partial<Commands>;
  return { commands, bridge, recordedDecisions: (session: SessionRef) => recorded.of(sessionIdOf(sessionKey(session))) };
}

function isChatOf(hosts: WindowServices['hosts'], { hostId, uri }: SessionRef, chat: string): boolean {
  const model = hosts.get(hostId)?.client.session(uri);
  try {
    return model?.holds(chat) ?? false;
  } finally {
    model?.dispose();
  }
}
