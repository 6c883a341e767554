/** What agent hosts do by themselves, in “Tools & Jobs”. */
import type { Commands } from '../commandTable.ts';
import type { WindowServices } from '../windowServices.ts';
import { AutomationsGroup } from './automationsGroup.ts';
import { HostAutomations } from './hostAutomations.ts';

export function registerAutomations({ hosts, keys, own, views }: WindowServices) {
  const group = own(new AutomationsGroup(own(new HostAutomations(hosts)), (session) => views.show(session, undefined)));
  keys.follow(group.onDidChange, () => ({ 'tapline.automationsShown': group.isShown }));
  const commands = {
    enableAutomation: (argument) => group.setEnabled(argument, true),
    disableAutomation: (argument) => group.setEnabled(argument, false),
    runAutomation: (argument) => group.runNow(argument),
    stopAutomationRun: (argument) => group.stop(argument),
    openAutomationRun: (argument) => group.openRun(argument),
    loadOlderRuns: (argument) => group.loadOlder(argument),
  } satisfies Partial<Commands>;
  return { commands, group };
}
