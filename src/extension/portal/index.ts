/** The portal of this computer, and its jobs in “Tools & Jobs”. */
import { join } from 'node:path';
import { taplineHome } from '../../base/node/taplineHome.ts';
import type { Commands } from '../commandTable.ts';
import type { HostTokens } from '../hosts/hostTokens.ts';
import { settings } from '../settings.ts';
import type { WindowServices } from '../windowServices.ts';
import type { EntryChartPanels } from './entryEditor/entryChartPanels.ts';
import type { JobPanels } from './jobPanel.ts';
import { completeEntries } from './entryEditor/entryCompletions.ts';
import { EntryProblems, isEntry } from './entryProblems.ts';
import { JobsGroup } from './jobsGroup.ts';
import { PortalDaemon } from './portalDaemon.ts';
import { PortalJobs } from './portalJobs.ts';

/** `showGroup`: brings “Jobs” into view. */
export function registerPortal(window: WindowServices, tokens: HostTokens, showGroup: (group: JobsGroup) => unknown) {
  const { context, hosts, keys, logger, own, run } = window;
  const portal = own(new PortalDaemon(join(context.extensionPath, 'dist', 'portal.cjs'), join(taplineHome(), 'portal'), logger));
  own(portal.onDidChange((address) => void hosts.setPortal(address?.host)));
  own(portal.onDidChange((address) => keys.set('tapline.portalRunning', address !== undefined)));
  let isRunning = false;
  const problems = own(new EntryProblems(() => isRunning, logger));
  own(
    portal.onDidChange((address) => {
      isRunning = address !== undefined;
      problems.again();
    }),
  );
  own(completeEntries(isEntry));
  const jobs = own(new PortalJobs(portal));
  const group = own(new JobsGroup(jobs, context.globalState));
  const load = async () => {
    const [{ PortalCommands }, { portalHosts }] = await Promise.all([import('./portalCommands.ts'), import('./portalHosts.ts')]);
    return new PortalCommands(portal, () => portalHosts(settings.hosts(), (url) => tokens.get(url), logger));
  };
  const openPortal = async () => {
    try {
      await (await load()).open();
    } finally {
      jobs.refresh();
    }
  };
  let panels: JobPanels | undefined;
  let charts: EntryChartPanels | undefined;
  const showJob = async (jobId: string | undefined) => {
    const { JobPanels } = await import('./jobPanel.ts');
    panels ??= own(new JobPanels(context.extensionUri, jobs, () => void run('openPortal', openPortal), logger));
    panels.show(jobId);
  };
  const commands = {
    showJobs: () => {
      group.show();
      return showGroup(group);
    },
    startJob: () => showJob(undefined),
    openJob: async (argument) => {
      const job = await group.target(argument);
      if (job !== undefined) await showJob(job);
    },
    stopJob: async (argument) => {
      const job = await group.target(argument, 'stop');
      if (job !== undefined) await jobs.stop(job);
    },
    goOnWithJob: async (argument) => {
      const job = await group.target(argument, 'goOn');
      if (job !== undefined) await jobs.goOn(job);
    },
    newPortalEntry: async () => (await import('./newEntry.ts')).newEntry(),
    showEntryChart: async () => {
      const { EntryChartPanels } = await import('./entryEditor/entryChartPanels.ts');
      charts ??= own(new EntryChartPanels(context.extensionUri, logger));
      charts.show();
    },
    openPortal,
    stopPortal: async () => {
      try {
        await (await load()).stop();
      } finally {
        jobs.refresh();
      }
    },
    showPortalLog: async () => (await load()).showLog(),
  } satisfies Partial<Commands>;
  return { commands, portal, group };
}
