/** The portal of this computer, and its jobs in “Tools & Jobs”. */
import * as l10n from '../../base/l10n.ts';
import { join } from 'node:path';
import { UserError } from '../../base/errors.ts';
import { taplineHome } from '../../base/node/taplineHome.ts';
import type { OfferedChange } from '../../views/portal/changes/changesOffered.ts';
import type { Commands } from '../commandTable.ts';
import { type HostRegistry, PORTAL_HOST_ID } from '../hosts/hostRegistry.ts';
import type { HostTokens } from '../hosts/hostTokens.ts';
import { settings } from '../settings.ts';
import type { WindowServices } from '../windowServices.ts';
import type { EntryChartPanels } from './entryEditor/entryChartPanels.ts';
import type { JobPanels } from './jobPanel.ts';
import { completeEntries } from './entryEditor/entryCompletions.ts';
import { lensesOfEntries } from './entryEditor/entryLenses.ts';
import { EntryProblems, isEntry } from './entryProblems.ts';
import { JobsGroup } from './jobsGroup.ts';
import { PortalDaemon } from './portalDaemon.ts';
import { PortalJobs } from './portalJobs.ts';

/** `showGroup`: brings “Jobs” into view. */
export function registerPortal(window: WindowServices, tokens: HostTokens, showGroup: (group: JobsGroup) => unknown) {
  const { context, hosts, keys, logger, own, run, views } = window;
  const script = join(context.extensionPath, 'dist', 'portal.cjs');
  const portal = own(new PortalDaemon(script, join(taplineHome(), 'portal'), logger, () => settings.traces().config.enabled));
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
  own(lensesOfEntries(isEntry));
  const jobs = own(new PortalJobs(portal));
  const group = own(new JobsGroup(jobs, context.globalState, logger));
  const load = async () => {
    const [{ PortalCommands }, { portalHosts }] = await Promise.all([import('./portalCommands.ts'), import('./hostsForPortal.ts')]);
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
    panels ??= own(
      new JobPanels(context.extensionUri, jobs, {
        ...{ keys, logger },
        openPortal: () => void run('openPortal', openPortal),
        showSession: async ({ sessionId, host, atCard }) => {
          const ref = { hostId: hostIdOf(hosts, host), uri: await jobs.sessionUri(sessionId, host) };
          await views.show(ref, atCard ? 'needsYou' : undefined);
        },
      }),
    );
    panels.show(jobId);
  };
  const entryCharts = async () => {
    const { EntryChartPanels } = await import('./entryEditor/entryChartPanels.ts');
    return (charts ??= own(new EntryChartPanels(context.extensionUri, logger)));
  };
  const changeJob = (kind: OfferedChange) => async (argument: unknown) => {
    const job = await group.target(argument, kind);
    if (job !== undefined) await jobs.change(job, { kind });
  };
  const changeShownJob = (kind: OfferedChange) => async () => {
    const job = panels?.shown;
    if (job !== undefined) await jobs.change(job, { kind });
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
    pauseJob: changeJob('pause'),
    continueJob: changeJob('continue'),
    stopJob: changeJob('stop'),
    exportJobTimeline: async (argument) => {
      const job = await group.target(argument);
      if (job !== undefined) await (await import('./endedRuns.ts')).exportTimeline(jobs, job);
    },
    deleteRun: async (argument) => {
      const job = await group.target(argument, 'ended');
      if (job !== undefined && (await (await import('./endedRuns.ts')).deleteRun(jobs, job)) && panels?.shown === job) panels.close();
    },
    pauseShownJob: changeShownJob('pause'),
    continueShownJob: changeShownJob('continue'),
    stopShownJob: changeShownJob('stop'),
    showShownJobChanges: async () => panels?.showChanges(),
    commitShownJob: () => panels?.begin('commit'),
    requestPullForShownJob: () => panels?.begin('pullRequest'),
    newPortalEntry: async () => (await import('./entryEditor/newEntry.ts')).newEntry(),
    showEntryChart: async () => (await entryCharts()).show(),
    tryEntryJob: async (uri, job) => (await entryCharts()).try(uri, job),
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

/** `name`: as the portal has it, which was given the hosts of the settings. Undefined: its own. */
function hostIdOf(hosts: HostRegistry, name: string | undefined): string {
  const id = name === undefined ? PORTAL_HOST_ID : hosts.all.find(({ kind, label }) => kind === 'configured' && label === name)?.id;
  if (id === undefined) throw new UserError(l10n.t`The agent host “${name ?? ''}” of the session is not one of this window.`);
  return id;
}
