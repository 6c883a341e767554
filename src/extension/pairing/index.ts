/** Pairing codes of programs that want to join a session. */
import type { Bridge } from '../bridge/bridge.ts';
import type { Commands } from '../commandTable.ts';
import type { WindowBase } from '../windowServices.ts';
import { Pairing } from './pairing.ts';

export function registerPairing({ keys, own }: WindowBase, bridge: Bridge) {
  const pairing = own(new Pairing(bridge));
  keys.follow(pairing.pending.onDidChange, () => ({ 'tapline.pairingPending': pairing.pending.all.length > 0 }));
  const commands = {
    showPairingCodes: () => pairing.show(),
    copyPairingCode: () => pairing.copy(),
    denyPairing: () => pairing.deny(),
  } satisfies Partial<Commands>;
  return { commands, pairing };
}
