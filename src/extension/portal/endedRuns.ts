/** What is done with a run of a job that has ended: its timeline is saved as a file, and what is kept of it deleted once the user has confirmed it. */
import * as l10n from '../../base/l10n.ts';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import { showInfo } from '../notifications.ts';
import type { PortalJobs } from './portalJobs.ts';

const formats = [
  // eslint-disable-next-line texts/translated -- a name
  { label: 'Markdown', detail: l10n.t('To be read: what happened, in order of time'), extension: 'md' },
  { label: 'JSON', detail: l10n.t('For programs: the same, with the ids of steps and tasks'), extension: 'json' },
] as const;

export async function saveTimeline(jobs: PortalJobs, jobId: string): Promise<void> {
  const title = l10n.t('Save Timeline');
  const format = await vscode.window.showQuickPick(formats, { title, placeHolder: l10n.t('As what?') });
  if (!format) return;
  const { fileName, text } = await jobs.timeline(jobId, format.extension);
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri ?? vscode.Uri.file(homedir());
  const file = await vscode.window.showSaveDialog({
    ...{ title, saveLabel: l10n.t('Save'), filters: { [format.label]: [format.extension] } },
    defaultUri: vscode.Uri.joinPath(folder, fileName.replaceAll(/[/\\]/g, '-')),
  });
  if (!file) return;
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  const open = l10n.t('Open');
  if ((await showInfo(l10n.t`The timeline was saved as ${oneLine(file.fsPath)}.`, open)) === open)
    await vscode.window.showTextDocument(file);
}

/** True once it is deleted. */
export async function deleteRun(jobs: PortalJobs, jobId: string): Promise<boolean> {
  const name = jobs.state.portal?.runs.find((run) => run.jobId === jobId)?.jobName ?? '';
  const remove = l10n.t('Delete');
  const question = l10n.t`Delete the run of “${withoutMarkup(oneLine(name))}”?`;
  const detail = l10n.t('What the portal keeps of it is deleted, with its work trees. Its sessions stay at the agent host.');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) return false;
  await jobs.delete(jobId);
  return true;
}
