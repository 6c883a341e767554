/** What is kept of a run of a job: its timeline is exported, and once it has ended, all of it is deleted where the user confirms that. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { errorText } from '../../views/portal/errorText.ts';
import { displayPath } from '../../views/text/displayPath.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { clockText } from '../../views/text/time/clockText.ts';
import { confirmUnlikely } from '../notifications.ts';
import { chooseFile, offerToOpen, type TextFormat } from '../text/textFile.ts';
import type { PortalJobs } from './portalJobs.ts';

const formats = [
  // eslint-disable-next-line texts/translated -- a name
  { label: 'Markdown', detail: l10n.t('To be read: what happened, in order of time'), extension: 'md' },
  { label: 'JSON', detail: l10n.t('For programs: the same, with the ids of steps and tasks'), extension: 'json' },
] as const satisfies readonly TextFormat[];

export async function exportTimeline(jobs: PortalJobs, jobId: string): Promise<void> {
  const title = l10n.t('Export Timeline');
  const format = await vscode.window.showQuickPick(formats, { title, placeHolder: l10n.t('As what?') });
  if (!format) return;
  const { fileName, text } = await jobs.timeline(jobId, format.extension);
  const file = await chooseFile(fileName, format, { title, saveLabel: l10n.t('Export') });
  if (!file) return;
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  await offerToOpen(file, l10n.t`The timeline was saved as ${oneLine(displayPath(file.toString()))}.`);
}

/** True once it is deleted. */
export async function deleteRun(jobs: PortalJobs, jobId: string): Promise<boolean> {
  // Before the question, because an answer that is refused would be for nothing.
  if (!(await jobs.canDelete())) throw new UserError(errorText({ error: 'JobCannotDelete' }));
  const run = jobs.state.portal?.runs.find((one) => one.jobId === jobId);
  if (!run) throw new UserError(errorText({ error: 'JobNotFound' }));
  const question = l10n.t`Delete the run of “${oneLine(run.jobName)}” from ${clockText(run.startedAt, Date.now())}?`;
  const detail = l10n.sentencesText([
    l10n.t`It has worked in ${oneLine(run.workingDirectory)}.`,
    l10n.t('What the portal keeps of it is deleted, with its work trees. Its sessions stay at the agent host.'),
  ]);
  if (!(await confirmUnlikely(question, detail, l10n.t('Delete'), l10n.t('Keep It')))) return false;
  await jobs.delete(jobId);
  return true;
}
