/** The page “Control Tower” in a browser: what the gateway of this user watches and has traced, to be seen only. */
import type { Clock } from '../../base/clock.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/lifecycle.ts';
import { ControlTowerPage, type TowerServices } from '../../pages/emitters/controlTowerPage.ts';
import type { QueryRecords } from '../../pages/emitters/queryRecords.ts';
import { runsElsewhere } from '../../views/traces/keptRecord.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { EmitterStatus } from '../../views/emitters/emitterRequest.ts';
import type { TowerMessage } from '../../webviews/controlTower/protocol.ts';
import type { SocketPagePort } from './openPage.ts';

/** What the gateway says of itself. */
export interface WatchedStatus {
  sessions: readonly { id: string; label: string }[];
  emitters?: readonly ({ sessionId: string } & EmitterStatus)[];
  traces?: { isOn: boolean; problem?: string };
}

/** The link to the gateway, for as long as a page looks. All of it rejects while no gateway runs. */
export interface WatchedGateway extends Disposable {
  status(): Promise<WatchedStatus>;
  records: QueryRecords;
}

const LOOK_EVERY_MS = 2_000;
const SEEN_ONLY = 'This page shows it only. What is watched is changed in VS Code.';
const NOT_SHOWN =
  'This portal does not show what is watched, because whoever has its token would see that of all sessions. To have it shown, start the portal with --watched, and with a token. In VS Code the Control Tower shows it.';

export function openTower(
  port: SocketPagePort,
  shell: Pick<TowerServices, 'logger' | 'showError'>,
  clock: Clock,
  look: (() => WatchedGateway) | undefined,
): Disposable {
  const store = new DisposableStore();
  const gateway = look && store.add(look());
  const didChange = store.add(new Emitter<void>());
  let shown: Omit<TowerMessage, 'type'> = {
    ...nothing,
    problem: gateway ? 'Asking the gateway…' : NOT_SHOWN,
  };
  const refuse = () => Promise.reject(new UserError(SEEN_ONLY));
  store.add(
    new ControlTowerPage(port, {
      ...shell,
      shown: () => shown,
      onDidChange: didChange.event,
      emitters: { of: refuse },
      traces: {
        of: refuse,
        elsewhere: (sessionId) => ({
          sessionId,
          records: (query) => (gateway ? gateway.records(query) : refuse()),
        }),
      },
      openSession: () => shell.showError(SEEN_ONLY),
      ...{ openPlace: refuse, openTraceSettings: refuse, watch: refuse },
    }),
  );
  let timer: Disposable | undefined;
  let isOver = false;
  const ask = async () => {
    try {
      if (gateway) shown = shownOf(await gateway.status());
    } catch (error) {
      // What is open in the page stays.
      const reason = messageOf(error);
      shown = { ...shown, problem: shown.elsewhere.length > 0 ? `Below is what was seen last. ${reason}` : reason };
    }
    if (isOver) return;
    didChange.fire();
    timer = clock.setTimer(() => void ask(), LOOK_EVERY_MS);
  };
  if (gateway) void ask();
  store.add(
    toDisposable(() => {
      isOver = true;
      timer?.dispose();
    }),
  );
  return store;
}

const nothing = { sessions: [], elsewhere: [], traces: { isOn: false }, isSeenOnly: true } satisfies Omit<TowerMessage, 'type'>;

function shownOf({ sessions, emitters = [], traces }: WatchedStatus): Omit<TowerMessage, 'type'> {
  return {
    ...nothing,
    elsewhere: [
      ...sessions.map(({ id, label }) => ({
        id,
        title: oneLine(label),
        emitters: emitters.filter(({ sessionId }) => sessionId === id),
      })),
      ...(traces?.isOn ? [runsElsewhere] : []),
    ],
    traces: {
      isOn: traces?.isOn === true,
      ...(traces?.problem !== undefined && { problem: `There are no traces: ${oneLine(traces.problem)}` }),
    },
  };
}
