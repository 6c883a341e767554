/** Entries to begin with: each can be started as it is, once its model is one that the portal's host knows. */
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
    models: { driving: 'the id of a model' },
    promptVariables: {},
    tasks,
    jobs: { [jobName]: job },
    grid: [{ keyword: 'jobs', jobs: [{ name: jobName, jobName }] }],
  };
}

const CHECKED = {
  condition: ['Do the tests of the project pass? Call job_boolean_true if they do, and job_boolean_false with the reason if not.'],
  runConditionInSameSession: true,
  failureAction: { retryTimes: 2, additionalPrompt: ['The check did not hold. Find the cause, and mend it.'] },
};

/** `folder`: where a job works that starts by itself. */
export const entryTemplates = (folder: string): readonly EntryTemplate[] => [
  {
    label: 'One Task',
    detail: 'a prompt that asks for what you type at the start',
    entry: entry('Do it', { work: ref('do it') }, { 'do it': task(['$user-input'], { requireUserInput: true }) }),
  },
  {
    label: 'A Task with a Check and Retries',
    detail: 'the work counts when a question about it is answered with yes, otherwise it is tried again',
    entry: entry('Mend the tests', { work: ref('mend') }, { mend: task(['Run the tests, and mend what fails.'], { criteria: CHECKED }) }),
  },
  {
    label: 'A Review in Parallel',
    detail: 'two tasks look at the same change side by side, a third one puts together what they wrote',
    entry: entry(
      'Review',
      { work: { kind: 'Seq', works: [{ kind: 'Par', works: [ref('look for bugs'), ref('look at the tests')] }, ref('put together')] } },
      {
        'look for bugs': task(['Look for bugs in the last commit. Write what you find to `review-bugs.md`.']),
        'look at the tests': task(['What does the last commit leave untested? Write it to `review-tests.md`.']),
        'put together': task(['Put `review-bugs.md` and `review-tests.md` together in `review.md`, the worst first.']),
      },
    ),
  },
  {
    label: 'Every Night',
    detail: 'a job that starts by itself at 3 in the morning',
    entry: entry(
      'Nightly',
      { work: ref('summarise'), schedule: { cron: '0 3 * * *', folder } },
      { summarise: task(['Write what was committed in the last 24 hours to `yesterday.md`.']) },
    ),
  },
];
