import * as z from 'zod';
import { approve } from './approve.ts';
import { hostName } from './hosts.ts';
import { limits } from '../limits/taskLimits.ts';
import { jobToolNames } from './jobTools.ts';

const MAX_RETRIES = 1000;

export const model = z.union(
  [
    z.strictObject({ category: z.string().min(1).describe('A key of models.') }),
    z.strictObject({ id: z.string().min(1).describe('The id of a model.') }),
  ],
  { error: 'must be {"category": a key of models} or {"id": the id of a model}' },
);
export type Model = z.infer<typeof model>;

export const prompt = z.array(z.string()).min(1, 'the prompt is empty').describe('Lines of a text, in which $name stands for a variable.');
export type Prompt = z.infer<typeof prompt>;

const condition = prompt.describe('A question that asks for a call of job_boolean_true or job_boolean_false.');

const taskRetry = z.strictObject({
  retryTimes: z.int().min(0).max(MAX_RETRIES).describe('At most so many retries.'),
  additionalPrompt: prompt.optional().describe('Added to the prompt of a retry.'),
});
export type TaskRetry = z.infer<typeof taskRetry>;

const availability = z.strictObject({
  previousTasks: z.array(z.string()).optional().describe('Tasks that must have succeeded in the same job.'),
  condition: condition.optional(),
});

const criteria = z
  .strictObject({
    toolExecuted: z.array(z.enum(jobToolNames)).optional().describe('Tools that the task must have called in its last round.'),
    condition: condition.optional(),
    runConditionInSameSession: z
      .boolean()
      .optional()
      .describe('False: each prompt gets a session of its own, and conditions run on models.driving.'),
    failureAction: taskRetry.describe('What happens when they do not hold.'),
  })
  .superRefine((value, context) => {
    const missing =
      value.condition && value.runConditionInSameSession === undefined
        ? ['runConditionInSameSession', 'condition']
        : !value.condition && value.runConditionInSameSession !== undefined
          ? ['condition', 'runConditionInSameSession']
          : undefined;
    if (missing) context.addIssue({ code: 'custom', path: [missing[0] ?? ''], message: `is needed beside ${missing[1]}` });
  })
  .meta({ dependencies: { condition: ['runConditionInSameSession'], runConditionInSameSession: ['condition'] } });

export const task = z.strictObject({
  model: model.optional().describe('The model that runs it. Absent: the work that runs the task must name one.'),
  prompt,
  requireUserInput: z.boolean().describe('True exactly when the prompt has $user-input.'),
  approve: approve.optional(),
  host: hostName.optional().describe('The agent host that runs it, by its name in the list of the portal. Absent: that of the portal.'),
  limits: limits.optional(),
  availability: availability.optional().describe('What must hold before the task runs.'),
  criteria: criteria.optional().describe('What must hold for the task to succeed.'),
});
export type Task = z.infer<typeof task>;
