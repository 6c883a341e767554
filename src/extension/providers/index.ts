/** “Providers” in “Tools & Jobs”, and the questions of providers to the user. */
import type { WindowBridge } from '../bridge/windowBridge.ts';
import type { Commands } from '../commandTable.ts';
import type { WindowBase } from '../windowServices.ts';
import type { ProvidersGroup } from './providersGroup.ts';
import { ProvidersView } from './providersView.ts';

/** `showGroup`: brings “Providers” into view. */
export function registerProviders(
  { context, keys, logger, own, run }: WindowBase,
  bridge: WindowBridge,
  showGroup: (group: ProvidersGroup) => unknown,
) {
  const providers = own(new ProvidersView(bridge, context, logger, (command) => run('refreshProviders', command)));
  keys.follow(bridge.onDidChange, () => {
    const { canAnswer, canForget, canRevoke, canLetIn } = providers.deeds;
    return {
      'tapline.consentAsked': canAnswer,
      'tapline.consentDecided': canForget,
      'tapline.programPaired': canRevoke,
      'tapline.earlierTokenRefused': canLetIn,
    };
  });
  const commands = {
    showProviders: () => {
      bridge.showProviders();
      return showGroup(providers.group);
    },
    refreshProviders: () => providers.refresh(),
    runTool: (argument) => providers.runTool(argument),
    switchProvider: (argument) => providers.switch(argument),
    showTool: (argument) => providers.showTool(argument),
    copyProvider: () => providers.copyProvider(),
    revokePairing: (argument) => providers.revokePairing(argument),
    letProviderIn: (argument) => providers.letProviderIn(argument),
    answerConsent: (argument) => providers.answerConsent(argument),
    forgetConsent: (argument) => providers.forgetConsent(argument),
  } satisfies Partial<Commands>;
  return { commands, group: providers.group, reviews: providers.reviews };
}
