/** Opens a recorded wire log as a read-only host. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { basename } from 'node:path';
import { hostsOf, parseRecording, type Recording } from '../../ahp/client/recording/recording.ts';
import { ReplayedHost } from '../../ahp/client/recording/replayedHost.ts';
import { timelineOf } from '../../ahp/client/recording/recordingTimeline.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import { showInfo } from '../notifications.ts';

/** Asks for a file, beginning in `folder`, if none is given. Throws a `UserError` when the file is not a wire log. */
export async function replayWireLog(hosts: HostRegistry, given: vscode.Uri | undefined, folder: vscode.Uri): Promise<void> {
  const file = given ?? (await askForFile(folder));
  if (file) await replayFile(hosts, file);
}

async function askForFile(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: l10n.t('Replay Wire Log'),
    openLabel: l10n.t('Replay'),
    defaultUri: folder,
    filters: { [l10n.t('Wire logs')]: ['jsonl'], [l10n.t('All files')]: ['*'] },
  });
  return chosen?.[0];
}

async function replayFile(hosts: HostRegistry, file: vscode.Uri): Promise<void> {
  const name = basename(file.path);
  const recording = parse(name, new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
  const recorded = hostsOf(recording);
  const host =
    recorded.length > 1
      ? await vscode.window.showQuickPick(recorded, { placeHolder: l10n.t('Which agent host do you want to see?') })
      : recorded[0];
  if (recorded.length > 1 && host === undefined) return;
  const timeline = timelineOf(recording, host);
  const label = recorded.length > 1 ? l10n.t`Replay of ${name} (${host ?? ''})` : l10n.t`Replay of ${name}`;
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  await hosts.addReplay(`replay:${file.toString()}#${host ?? ''}`, label, (logger) => new ReplayedHost({ timeline, pause, logger }));
  if (recording.isTruncated)
    void showInfo(l10n.t`${name} reached its size limit while it was recorded. It does not contain what happened afterwards.`);
}

function parse(name: string, text: string): Recording {
  try {
    return parseRecording(text);
  } catch (error) {
    throw new UserError(l10n.t`${name} cannot be replayed: ${messageOf(error)}. Choose a file that “Start Wire Log” has written.`);
  }
}
