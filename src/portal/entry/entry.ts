/** The tasks and jobs of a portal, as its user writes them. Their rules are in `validateEntry.ts`. */
import * as z from 'zod';
import { type Budget, budget } from '../limits/taskLimits.ts';
import { hosts } from './hosts.ts';
import { schedule, type Schedule } from './jobSchedule.ts';
import { prompt, task } from './task.ts';
import { type Work, work } from './work.ts';
import { type Worktree, worktree } from './folders/worktreePolicy.ts';

/** Chains of variables are followed recursively. */
const MAX_VARIABLES = 1000;

const modelId = z.string().min(1);
const job = z.strictObject({
  requireUserInput: z.boolean().optional().describe('Computed: whether one of its tasks requires user input.'),
  work: work.describe('What the job does.'),
  worktree: worktree.optional(),
  schedule: schedule.optional().describe('When it starts by itself.'),
  budget: budget.optional(),
});
const gridColumn = z.strictObject({
  name: z.string().describe('The label of the cell.'),
  jobName: z.string().describe('The job that it starts.'),
});
export type GridColumn = z.infer<typeof gridColumn>;
export const gridRow = z.strictObject({
  keyword: z.string().describe('The label of the row.'),
  jobs: z.array(gridColumn.nullable()).describe('Its cells; null leaves one empty.'),
});
export type GridRow = z.infer<typeof gridRow>;

/** Of a later version of the portal's specification. */
export const drivingSessionRetries = z.array(
  z.strictObject({
    modelId: modelId.describe('The id of a model.'),
    retries: z.int().min(0).max(1000).describe('How often a prompt is tried with it.'),
  }),
);
export type DrivingSessionRetries = z.infer<typeof drivingSessionRetries>;

const atMost = z.int().min(1).max(1000);
export const runLimits = z.strictObject({
  perModel: z.record(modelId, atMost).optional().describe('By the ids of models: so many runs that use it run at the same time.'),
  perFolder: atMost
    .optional()
    .describe('So many runs work in the same folder at the same time. Those with work trees of their own do not count.'),
});
export type RunLimits = z.infer<typeof runLimits>;

export const entry = z.strictObject({
  $schema: z.string().optional().describe('For editors.'),
  models: z
    .object({ driving: modelId.describe('The model that checks conditions.') })
    .catchall(modelId)
    .describe('Ids of models by category.'),
  drivingSessionRetries: drivingSessionRetries
    .optional()
    .describe('The models that check conditions, one after the other, while their sessions crash. Absent: models.driving, five times.'),
  promptVariables: z
    .record(z.string(), prompt)
    .refine((variables) => Object.keys(variables).length <= MAX_VARIABLES, `must not have more than ${MAX_VARIABLES} variables`)
    .describe('Texts that prompts name as $name.'),
  hosts: hosts.optional(),
  tasks: z.record(z.string(), task).describe('Tasks by name.'),
  jobs: z.record(z.string(), job).describe('Jobs by name.'),
  grid: z.array(gridRow).describe('How jobs are laid out on the page.'),
  limits: runLimits.optional().describe('Runs of jobs beyond these wait in a queue.'),
});
/** As it is written. */
export type GivenEntry = z.output<typeof entry>;

/** A validated job. */
export interface Job {
  requireUserInput: boolean;
  work: Work<number>;
  worktree?: Worktree;
  schedule?: Schedule;
  budget?: Budget;
}
/** A validated entry. Each prompt is one text without prompt variables. */
export type Entry = Omit<GivenEntry, 'jobs'> & { jobs: Record<string, Job> };
