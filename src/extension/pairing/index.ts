/** Pairing codes of programs that want to join a session, and what its page is told of all programs. */
import type { Emitter } from '../../base/event.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { WindowBridge } from '../bridge/windowBridge.ts';
import type { Commands } from '../commandTable.ts';
import { bridgeInfo } from '../sessionView/bridgeInfo.ts';
import type { WindowBase } from '../windowServices.ts';
import { Pairing } from './pairing.ts';

/** `infoChange`: fired when `infoOf` may give something else. */
export function registerPairing({ keys, own }: WindowBase, bridge: WindowBridge, infoChange: Emitter<void>) {
  const pairing = own(new Pairing(bridge.bridge));
  const { pending } = pairing;
  for (const event of [pending.onDidChange, bridge.bridge.onDidChange])
    keys.follow(event, () => ({ 'tapline.pairingPending': pairing.isPending }));
  for (const event of [bridge.onDidChange, bridge.bridge.onDidTell, pending.onDidChange]) own(event(() => infoChange.fire()));
  const infoOf = (session: SessionRef) => {
    const joined = bridge.bridge.get(session);
    return joined && bridgeInfo(joined, pending.all, bridge.lendingOf(joined), bridge.programsOf(joined));
  };
  const commands = {
    showPairingCodes: () => pairing.show(),
    copyPairingCode: () => pairing.copy(),
    denyPairing: () => pairing.deny(),
  } satisfies Partial<Commands>;
  return { commands, infoOf, denyOne: (id: string) => pairing.denyOne(id) };
}
