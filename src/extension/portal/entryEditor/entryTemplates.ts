/** Entries to begin with: each can be started as it is, once its model is one that the portal's host knows. */
import * as l10n from '@vscode/l10n';

export interface EntryTemplate {
  label: string;
  detail: string;
  entry: object;
}

const MODEL = { category: 'driving' };
const task = (prompt: string[], more: object = {}) => ({ model: MODEL, prompt, requireUserInput: false, ...more });
const ref = (taskId: string) => ({ kind: 'Ref', taskId });

function entry(jobName: string, job: object, tasks: object): object {
  return {
    models: { driving: l10n.t('the id of a model') },
    promptVariables: {},
    tasks,
    jobs: { [jobName]: job },
    grid: [{ keyword: 'jobs', jobs: [{ name: jobName, jobName }] }],
  };
}

const CHECKED = {
  condition: [l10n.t('Do the tests of the project pass? Call job_boolean_true if they do, and job_boolean_false with the reason if not.')],
  runConditionInSameSession: true,
  failureAction: { retryTimes: 2, additionalPrompt: [l10n.t('The check did not hold. Find the cause, and mend it.')] },
};

/** `folder`: where a job works that starts by itself. */
export const entryTemplates = (folder: string): readonly EntryTemplate[] => [
  {
    label: l10n.t('One Task'),
    detail: l10n.t('a prompt that asks for what you type at the start'),
    entry: entry(l10n.t('Do it'), { work: ref(l10n.t('do it')) }, { 'do it': task(['$user-input'], { requireUserInput: true }) }),
  },
  {
    label: l10n.t('A Task with a Check and Retries'),
    detail: l10n.t('the work counts when a question about it is answered with yes, otherwise it is tried again'),
    entry: entry(
      l10n.t('Mend the tests'),
      { work: ref('mend') },
      { mend: task([l10n.t('Run the tests, and mend what fails.')], { criteria: CHECKED }) },
    ),
  },
  {
    label: l10n.t('A Review in Parallel'),
    detail: l10n.t('two tasks look at the same change side by side, a third one puts together what they wrote'),
    entry: entry(
      'Review',
      {
        work: {
          kind: 'Seq',
          works: [{ kind: 'Par', works: [ref(l10n.t('look for bugs')), ref(l10n.t('look at the tests'))] }, ref(l10n.t('put together'))],
        },
      },
      {
        'look for bugs': task([l10n.t('Look for bugs in the last commit. Write what you find to `review-bugs.md`.')]),
        'look at the tests': task([l10n.t('What does the last commit leave untested? Write it to `review-tests.md`.')]),
        'put together': task([l10n.t('Put `review-bugs.md` and `review-tests.md` together in `review.md`, the worst first.')]),
      },
    ),
  },
  {
    label: l10n.t('Every Night'),
    detail: l10n.t('a job that starts by itself at 3 in the morning'),
    entry: entry(
      'Nightly',
      { work: ref('summarise'), schedule: { cron: '0 3 * * *', folder } },
      { summarise: task([l10n.t('Write what was committed in the last 24 hours to `yesterday.md`.')]) },
    ),
  },
];
