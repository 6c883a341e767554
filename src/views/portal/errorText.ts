import { oneLine } from '../text/oneLine.ts';

/** An answer `{error}` of the portal in words for the user. */
export function errorText({ error, message }: Readonly<Record<string, unknown>>): string {
  const names: Record<string, string> = {
    WorkingDirectoryNotAbsolutePath: 'The folder must be an absolute path.',
    WorkingDirectoryNotExists: 'There is no such folder.',
    JobNotFound: 'The portal does not have this job any more.',
    JobChanged: 'Nothing was started, because the job has changed since it was shown. Look at what it does now.',
    UserInputRequired: 'This needs your input.',
    TaskNotFound: 'The portal does not have this task any more.',
    SessionNotFound: 'There is no such session any more.',
    SessionBusy: 'A task uses the session. Wait for its end, or stop it.',
    ModelIdNotFound: 'The agent does not have this model.',
    JobNotEnded: 'The job runs. Stop it first.',
    JobCannotDelete: 'Runs of a database that portals share cannot be deleted.',
    JobCannotContinue: 'The job runs, or has succeeded.',
    JobNotRunning: 'The job does not run any more.',
    StepCannotSkip: 'This step cannot be skipped any more: it has ended, or its job runs again.',
    StepNotRunning: 'This step does not run at this portal now.',
    StepNotFound: 'This step has not run, or does not count any more.',
  };
  return oneLine(String(message ?? (Object.hasOwn(names, String(error)) ? names[String(error)] : error)));
}
