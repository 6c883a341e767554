/** Entries to begin with: each can be started as it is, once its model is one that the portal's host knows. */
import * as l10n from '../../../base/l10n.ts';

export interface EntryTemplate {
  label: string;
  detail: string;
  entry: object;
}

/** `folder`: where a job works that starts by itself. */
export const entryTemplates = (folder: string): readonly EntryTemplate[] => [
  {
    label: l10n.t('One Task'),
    detail: l10n.t('a prompt that asks for what you type at the start'),
    entry: oneTask,
  },
  {
    label: l10n.t('A Task with a Check and Retries'),
    detail: l10n.t('the work counts when a question about it is answered with yes, otherwise it is tried again'),
    entry: checkedTask,
  },
  {
    label: l10n.t('A Review in Parallel'),
    detail: l10n.t('two tasks look at the same change side by side, a third one puts together what they wrote'),
    entry: review,
  },
  {
    label: l10n.t('Every Night'),
    detail: l10n.t('a job that starts by itself at 3 in the morning'),
    entry: nightly(folder),
  },
];

/* eslint-disable texts/translated -- from here on for a file, and for the model */

const MODEL = { category: 'driving' };
const task = (prompt: string[], more: object = {}) => ({ model: MODEL, prompt, requireUserInput: false, ...more });
const ref = (taskId: string) => ({ kind: 'Ref', taskId });

function entry(jobName: string, job: object, tasks: object): object {
  return {
    models: { driving: 'the id of a model' },
    promptVariables: {},
    tasks,
    jobs: { [jobName]: job },
    grid: [{ keyword: 'jobs', jobs: [{ name: jobName, jobName }] }],
  };
}

const oneTask = entry('Do it', { work: ref('do it') }, { 'do it': task(['$user-input'], { requireUserInput: true }) });

const CHECKED = {
  condition: ['Do the tests of the project pass? Call job_boolean_true if they do, and job_boolean_false with the reason if not.'],
  runConditionInSameSession: true,
  failureAction: { retryTimes: 2, additionalPrompt: ['The check did not hold. Find the cause, and mend it.'] },
};

const checkedTask = entry(
  'Mend the tests',
  { work: ref('mend') },
  { mend: task(['Run the tests, and mend what fails.'], { criteria: CHECKED }) },
);

const review = entry(
  'Review',
  {
    work: {
      kind: 'Seq',
      works: [{ kind: 'Par', works: [ref('look for bugs'), ref('look at the tests')] }, ref('put together')],
    },
  },
  {
    'look for bugs': task(['Look for bugs in the last commit. Write what you find to `review-bugs.md`.']),
    'look at the tests': task(['What does the last commit leave untested? Write it to `review-tests.md`.']),
    'put together': task(['Put `review-bugs.md` and `review-tests.md` together in `review.md`, the worst first.']),
  },
);

function nightly(folder: string): object {
  return entry(
    'Nightly',
    { work: ref('summarise'), schedule: { cron: '0 3 * * *', folder } },
    { summarise: task(['Write what was committed in the last 24 hours to `yesterday.md`.']) },
  );
}
