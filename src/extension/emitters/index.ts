/** What is watched for the sessions of the window. */
import * as l10n from '../../base/l10n.ts';
import type { Emitter } from '../../base/event.ts';
import { toDisposable } from '../../base/lifecycle.ts';
import { titleOf } from '../../pages/titleOf.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { runsElsewhere } from '../../views/traces/keptRecord.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { SpanPlace } from '../../views/traces/towerQuestion.ts';
import type { TowerMessage } from '../../webviews/controlTower/protocol.ts';
import type { BridgeInfo } from '../../webviews/session/protocol.ts';
import { gatewayOffLine } from '../bridge/gateway/gatewayHealth.ts';
import { lendingLine } from '../bridge/session/lending.ts';
import type { WindowBridge } from '../bridge/windowBridge.ts';
import type { Commands } from '../commandTable.ts';
import { targetSession } from '../commands/sessions/sessionArgument.ts';
import { showInfo } from '../notifications.ts';
import { pageOf } from '../sessionView/pageOf.ts';
import { settings } from '../settings.ts';
import type { WindowServices } from '../windowServices.ts';
import type { ControlTowerPanel } from './controlTowerPanel.ts';
import { WindowEmitters } from './windowEmitters.ts';
import { WindowTraces } from './windowTraces.ts';

const SHOW = l10n.t('Open Control Tower');

/** `infoChange`: fired when a session's page may be told something else. */
export function registerEmitters(
  { context, hosts, logger, own, run, tree, views }: WindowServices,
  bridge: WindowBridge,
  infoChange: Emitter<void>,
  openSession: (session: SessionRef) => void,
) {
  const emitters = own(new WindowEmitters(bridge, async (...kept) => (await import('./keepEmitter.ts')).keepEmitter(...kept), logger));
  own(emitters.onDidChange(() => infoChange.fire()));
  let tower: ControlTowerPanel | undefined;
  own(toDisposable(() => tower?.dispose()));

  const watch = async (argument: unknown) => {
    const session = await targetSession(argument, views.activeRef, tree.allSessions);
    if (!session) return;
    const [ofSession, { watchSomething }] = await Promise.all([emitters.of(session), import('./watchSomething.ts')]);
    const started = await watchSomething(ofSession, process.platform === 'win32');
    if (started)
      void showInfo(l10n.t`“${started.name}” is watched for this session.`, SHOW).then(
        (choice) => choice && run('openControlTower', openTower),
      );
  };
  const openPlace = async (session: SessionRef, { turn, call }: SpanPlace) => {
    await views.show(session, undefined);
    const page = await pageOf(views, session);
    page?.command('showTurn', { turn, ...(call !== undefined && { call }) });
  };
  const openTower = async () => {
    if (tower) return tower.reveal();
    const { ControlTowerPanel: Panel } = await import('./controlTowerPanel.ts');
    bridge.askHealth();
    tower ??= new Panel(
      context.extensionUri,
      {
        shown,
        emitters,
        traces: new WindowTraces(bridge),
        openSession,
        openPlace,
        openTraceSettings: async () => settings.openTraces(),
        watch: (session) => run('watchSomething', () => watch(session)),
        onDidChange: bridge.onDidChange,
      },
      logger,
      () => (tower = undefined),
    );
  };
  const shown = (): Omit<TowerMessage, 'type'> => {
    const { health } = bridge;
    const off = gatewayOffLine(health);
    const joined = bridge.bridge.sessions;
    const own = new Set(joined.map((one) => one.bridge.sessionId));
    const status = health.kind === 'up' ? health.status : undefined;
    const elsewhere = (status?.sessions ?? []).filter(({ id }) => !own.has(id));
    return {
      sessions: joined.map(({ ref, bridge: session }) => ({
        ...ref,
        title: oneLine(titleOf(hosts, ref)),
        host: oneLine(hosts.get(ref.hostId)?.label),
        ...(!session.isAtGateway && { problem: lendingLine(session.lending) }),
      })),
      elsewhere: [
        ...elsewhere.flatMap(({ id, label }) => {
          const watched = (status?.emitters ?? []).filter(({ sessionId }) => sessionId === id);
          return watched.length > 0 ? [{ id, title: oneLine(label), emitters: watched }] : [];
        }),
        ...(status?.traces?.isOn ? [runsElsewhere] : []),
      ],
      traces: {
        isOn: bridge.areTracesWanted || status?.traces?.isOn === true,
        ...(status?.traces?.problem !== undefined && { problem: l10n.t`There are no traces: ${oneLine(status.traces.problem)}` }),
      },
      ...(off !== undefined && { problem: off }),
    };
  };
  const commands = { watchSomething: watch, openControlTower: openTower } satisfies Partial<Commands>;
  /** What its page is told, with how much is watched. */
  const withCount = (session: SessionRef, info: BridgeInfo | undefined): BridgeInfo | undefined => {
    const count = info && emitters.countOf(session);
    return count ? { ...info, emitters: count } : info;
  };
  return { commands, emitters, withCount };
}
