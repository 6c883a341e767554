import * as l10n from '../../base/l10n.ts';
import { phraseFrom, said } from '../../base/text/phrase.ts';
import { oneLine } from '../text/oneLine.ts';

/** An answer `{error}` of the portal in words for the user. */
export function errorText({ error, message, words }: Readonly<Record<string, unknown>>): string {
  const phrase = phraseFrom(words);
  const inLanguage = phrase ? oneLine(said(phrase)) : '';
  if (inLanguage.trim() !== '') return inLanguage;
  const names: Record<string, string> = {
    WorkingDirectoryNotAbsolutePath: l10n.t('The folder must be an absolute path.'),
    WorkingDirectoryNotExists: l10n.t('There is no such folder.'),
    JobNotFound: l10n.t('The portal does not have this job any more.'),
    JobChanged: l10n.t('Nothing was started, because the job has changed since it was shown. Look at what it does now.'),
    UserInputRequired: l10n.t('This needs your input.'),
    TaskNotFound: l10n.t('The portal does not have this task any more.'),
    SessionNotFound: l10n.t('There is no such session any more.'),
    SessionBusy: l10n.t('A task uses the session. Wait for its end, or stop it.'),
    ModelIdNotFound: l10n.t('The agent does not have this model.'),
    JobNotEnded: l10n.t('The job runs. Stop it first.'),
    JobCannotDelete: l10n.t('Runs of a database that portals share cannot be deleted.'),
    JobCannotContinue: l10n.t('The job runs, or has succeeded.'),
    JobNotRunning: l10n.t('The job does not run any more.'),
    StepCannotSkip: l10n.t('This step cannot be skipped any more: it has ended, or its job runs again.'),
    StepNotRunning: l10n.t('This step does not run at this portal now.'),
    StepNotFound: l10n.t('This step has not run, or does not count any more.'),
  };
  return oneLine(String(message ?? (Object.hasOwn(names, String(error)) ? names[String(error)] : error)));
}
