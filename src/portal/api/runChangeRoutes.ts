/** What a person does to a run in the middle: pause, go on, retry, skip, steer. */
import * as z from 'zod';
import { stepInput } from '../../views/portal/answers/runAnswers.ts';
import { requestText, routes, shape } from './route.ts';

/** It is kept with the run, and told with its status. */
const MAX_TEXT = 100_000;

export const stepKey = z.templateLiteral([z.int(), '#', z.int()]).describe('workIdInJob, and how often it ran before.');
const loopCap = z.number().int().min(1).max(1_000_000).optional().describe('A loop that goes round more often fails the job.');
const words = requestText.max(MAX_TEXT).refine((value) => value.trim() !== '', 'must not be empty');

const continueOptions = shape('ContinueOptions', z.strictObject({ loopCap }));

const retryOptions = shape(
  'RetryOptions',
  z.strictObject({
    from: stepKey.describe('It runs again, with all that began after it had ended.'),
    edit: z
      .strictObject({
        step: stepKey.describe('A step that has run. The changes hold for its place in the job.'),
        userInput: words.optional().describe('What “$user-input” stands for in it.'),
        prompt: words.optional().describe('Instead of the prompt of its task.'),
      })
      .optional()
      .describe('What a step gets from now on.'),
    loopCap,
  }),
);

const skipBody = shape('SkipOptions', z.strictObject({ step: stepKey }));
const steerBody = shape('SteerOptions', z.strictObject({ step: stepKey, text: words }));

const goesOn = shape('JobGoesOn', z.strictObject({ jobId: z.string() }));

export const runChangeRoutes = routes({
  pause: {
    path: '/copilot/job/{id}/pause',
    changes: true,
    summary: 'Starts nothing new. The job is Paused once what runs has ended.',
    answer: shape('Pausing', z.strictObject({ result: z.literal('Pausing') })),
    errors: ['JobNotFound', 'JobNotRunning'],
  },
  continue: {
    path: '/copilot/job/{id}/continue',
    changes: true,
    summary: 'Goes on from the steps that failed, or that have not begun. A pause that has not come yet does not come.',
    body: { description: 'May be empty.', format: 'optionalJson', schema: continueOptions },
    answer: goesOn,
    errors: ['JobNotFound', 'JobCannotContinue'],
  },
  retry: {
    path: '/copilot/job/{id}/retry',
    changes: true,
    summary: 'Goes on from a step, also of a job that has succeeded, with other input or another prompt where that is given.',
    body: { description: 'From where, and what is changed.', format: 'optionalJson', schema: retryOptions },
    answer: goesOn,
    errors: ['JobNotFound', 'JobCannotContinue', 'StepNotFound'],
  },
  skip: {
    path: '/copilot/job/{id}/skip',
    changes: true,
    summary: 'A step that runs is stopped and counts as done. So does one that has failed or was stopped, and its job goes on.',
    body: { description: 'Which step.', format: 'optionalJson', schema: skipBody },
    answer: goesOn,
    errors: ['JobNotFound', 'StepNotFound', 'StepCannotSkip'],
  },
  steer: {
    path: '/copilot/job/{id}/steer',
    changes: true,
    summary: 'Tells the agent of a step that runs something, in the turn that runs.',
    body: { description: 'Which step, and the message.', format: 'optionalJson', schema: steerBody },
    answer: shape('Steered', z.strictObject({ result: z.literal('Steered') })),
    errors: ['JobNotFound', 'StepNotFound', 'StepNotRunning', 'SteerRefused'],
  },
  stepInput: {
    path: '/copilot/job/{id}/step/{workId}',
    changes: false,
    needsStore: true,
    summary: 'What a step of a job gets when it runs the next time.',
    answer: shape('StepInput', z.strictObject({ workId: z.int().min(0), taskName: z.string(), ...stepInput.shape })),
    errors: ['JobNotFound', 'StepNotFound'],
  },
});
