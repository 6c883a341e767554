/** The providers that the folders of the window name. */
import type { OpenReview } from '../attention/windowAttention.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Commands } from '../commandTable.ts';
import type { WindowBase } from '../windowServices.ts';
import { WindowProjectProviders } from './windowProjectProviders.ts';

export function registerProjectProviders(
  { context, logger, own }: WindowBase,
  bridge: Bridge,
  isOnThisComputer: (hostId: string) => boolean,
  putOff: (review: OpenReview) => void,
) {
  const projectProviders = own(new WindowProjectProviders(context.workspaceState, bridge, isOnThisComputer, putOff, logger));
  const commands = {
    reviewProjectProviders: () => projectProviders.review(),
    runProjectProviders: () => projectProviders.answer('run'),
    neverRunProjectProviders: () => projectProviders.answer('never'),
    showProjectProviderLog: (argument) => projectProviders.showLog(argument),
  } satisfies Partial<Commands>;
  return { commands, projectProviders };
}
