/** What the commands of the portal do. Only the user starts it, with a file that the user has named: folders have no say in it. */
import * as l10n from '../../base/l10n.ts';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { showInfo } from '../notifications.ts';
import { settings } from '../settings.ts';
import { callPortal } from './callPortal.ts';
import type { PortalDaemon } from './portalDaemon.ts';
import type { PortalHost } from './hostsForPortal.ts';

const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 100;

export class PortalCommands {
  /** `hosts`: other agent hosts, which its tasks may name. */
  constructor(
    private readonly portal: PortalDaemon,
    private readonly hosts: () => Promise<PortalHost[]>,
  ) {}

  /** Starts it where it does not run, and opens its page in the user's browser: the page does not let itself be framed. */
  async open(): Promise<void> {
    const running = await this.portal.find();
    const address = running ?? (await this.#start());
    if (address) await vscode.env.openExternal(vscode.Uri.parse(address.page, true));
  }

  async stop(): Promise<void> {
    const address = await this.portal.find();
    if (!address) return void showInfo(l10n.t('The portal does not run.'));
    const stop = l10n.t('Stop');
    const detail = l10n.t('All of its sessions, tasks and jobs are stopped. Jobs can be continued when it runs again.');
    if ((await vscode.window.showWarningMessage(l10n.t('Stop the portal?'), { modal: true, detail }, stop)) !== stop) return;
    await callPortal(address, 'stop');
    for (const deadline = Date.now() + STOP_TIMEOUT_MS; await this.portal.find(); await sleep(POLL_MS))
      if (Date.now() > deadline) throw new UserError(l10n.t`The portal did not end. Its log is ${this.portal.logFile}.`);
  }

  async showLog(): Promise<void> {
    const isRunning = (await this.portal.find()) !== undefined;
    if (!existsSync(this.portal.logFile))
      return void showInfo(
        isRunning
          ? l10n.t('The portal that runs was started in a terminal, and its log is there.')
          : l10n.t('No portal has run here, so there is no log. “Tapline: Open Portal” starts one.'),
      );
    if (!isRunning) void showInfo(l10n.t('The portal does not run. This is the log of the last time.'));
    await vscode.window.showTextDocument(vscode.Uri.file(this.portal.logFile));
  }

  /** Undefined: the user has changed their mind. */
  async #start() {
    const entryFile = settings.portalEntry() || (await chooseEntry());
    if (entryFile === undefined) return undefined;
    const starting = { location: vscode.ProgressLocation.Notification, title: l10n.t('Starting the portal…') };
    return vscode.window.withProgress(starting, async () =>
      this.portal.start({ agent: settings.portalAgent(), hosts: await this.hosts(), ...(entryFile !== '' && { entryFile }) }),
    );
  }
}

/** `''`: none. */
async function chooseEntry(): Promise<string | undefined> {
  const choose = { label: l10n.t('Choose a File with Jobs…'), description: l10n.t('a JSON file; it is kept in the settings') };
  const without = { label: l10n.t('Start without Jobs'), description: l10n.t('only for sessions') };
  const choice = await vscode.window.showQuickPick([choose, without], { placeHolder: l10n.t('The portal runs tasks and jobs of agents') });
  if (!choice) return undefined;
  if (choice === without) return '';
  const [file] =
    (await vscode.window.showOpenDialog({ filters: { [l10n.t('Tasks and jobs')]: ['json'] }, openLabel: l10n.t('Use These Jobs') })) ?? [];
  if (file?.scheme !== 'file') return undefined;
  await settings.setPortalEntry(file.fsPath);
  return file.fsPath;
}
