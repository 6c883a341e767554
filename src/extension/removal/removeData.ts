/** Removes what Tapline has put on this computer and into VS Code, after the user has chosen and seen what that is. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { messageOf, UserError } from '../../base/errors.ts';
import { confirmUnlikely, showError } from '../notifications.ts';
import { type FileGroup, findTaplineFiles, removeTaplineFiles, type TaplineFolders } from './taplineFiles.ts';

export interface Removal {
  folders: TaplineFolders;
  /** Of VS Code on this computer that use Tapline, without this one. */
  otherWindows(): Promise<number>;
  /** Ends Tapline in this window until it is loaded again. */
  end(): void;
  /** Ends the processes that windows share, and waits for that. */
  endProcesses(): Promise<void>;
  /** Deletes tokens, keys and what is remembered in VS Code. */
  forget(): Promise<void>;
  uninstall(): Thenable<unknown>;
}

interface Choice extends vscode.QuickPickItem {
  readonly files?: FileGroup;
}

const TITLE = l10n.t('Remove Tapline’s Data');

export async function removeData(removal: Removal): Promise<void> {
  await checkOtherWindows(removal);
  const chosen = await vscode.window.showQuickPick(await choices(removal.folders), {
    title: TITLE,
    placeHolder: l10n.t('What is checked will be deleted. You are asked once more.'),
    canPickMany: true,
    matchOnDetail: true,
  });
  if (!chosen?.length) return;
  const groups = chosen.flatMap(({ files }) => files ?? []);
  if (!(await confirmUnlikely(l10n.t('Delete this for good?'), summary(chosen), l10n.t('Delete'), l10n.t('Keep It')))) return;
  // The questions took a while.
  await checkOtherWindows(removal);

  const progress = { location: vscode.ProgressLocation.Notification, title: l10n.t('Removing Tapline’s data…') };
  removal.end();
  try {
    await vscode.window.withProgress(progress, async () => {
      await removal.endProcesses();
      if (chosen.some(({ files }) => !files)) await removal.forget();
      await removeTaplineFiles(groups, removal.folders);
    });
  } catch (error) {
    const reload = l10n.t('Reload Window');
    const text = l10n.t`Not all of it could be removed: ${messageOf(error)} Tapline does nothing in this window until you reload it. Then run the command again.`;
    if ((await showError(text, reload)) === reload) await reloadWindow();
    return;
  }
  await offerUninstall(removal);
}

async function checkOtherWindows(removal: Removal): Promise<void> {
  const others = await removal.otherWindows();
  if (others > 0)
    throw new UserError(
      l10n.plural(
        others,
        l10n.t('Tapline is in use in another window of VS Code. Close it, then run the command again a little later.'),
        l10n.t`Tapline is in use in ${l10n.countText(others)} other windows of VS Code. Close them, then run the command again a little later.`,
      ),
    );
}

async function choices(folders: TaplineFolders): Promise<Choice[]> {
  const files = (await findTaplineFiles(folders)).map((group) => ({
    label: group.label,
    description: [sizeText(group.bytes), ...group.paths, ...group.emptyFolders].join(', '),
    detail: group.detail,
    picked: !group.isUsers,
    files: group,
  }));
  const kept = {
    label: l10n.t('What Tapline keeps in VS Code'),
    description: l10n.t('on this computer'),
    detail: l10n.t(
      'Tokens and keys of hosts, models and context providers, what you have allowed, and the drafts of this workspace. Settings stay.',
    ),
    picked: true,
  };
  return [...files, kept];
}

function summary(chosen: readonly Choice[]): string {
  const list = chosen.map(({ label, detail, files }) =>
    [label, ...(files ? [...files.paths, ...files.emptyFolders] : [detail])].join('\n'),
  );
  const ends = l10n.t('The built-in agent host, the gateway and the portal end, with all that runs in them, also for other programs.');
  return [...list, ends].join('\n\n');
}

async function offerUninstall(removal: Removal): Promise<void> {
  const uninstall = l10n.t('Uninstall Tapline');
  const reload = l10n.t('Reload Window');
  const detail = l10n.t('Tapline does nothing in this window until it is reloaded. Then it makes anew what it needs.');
  const choice = await vscode.window.showInformationMessage(
    l10n.t('What you chose is deleted.'),
    { modal: true, detail },
    uninstall,
    reload,
  );
  if (choice === uninstall) await removal.uninstall();
  if (choice === reload) await reloadWindow();
}

function reloadWindow(): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.reloadWindow');
}

function sizeText(bytes: number): string {
  const [unit, divisor] = bytes < 1e6 ? (['kilobyte', 1e3] as const) : (['megabyte', 1e6] as const);
  return l10n.countText(Math.ceil(bytes / divisor), { style: 'unit', unit, maximumFractionDigits: 0 });
}
