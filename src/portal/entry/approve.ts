/** What a task may do without a question to the user, where its entry says so. */
import * as z from 'zod';

/** What it means, in words that follow the name of a task. */
const words = {
  'job-tools': 'calls the job tools, which only report to the portal',
  edits: 'reads and changes files in its folder',
  everything: 'runs commands, which can do whatever you can, fetches pages, calls tools, and reads and changes files in its folder',
} as const;
export type Approval = keyof typeof words;

export const approve = z
  .array(z.enum(Object.keys(words) as [Approval, ...Approval[]]))
  .min(1, 'names nothing: leave it out')
  .refine((names) => new Set(names).size === names.length, 'names something twice')
  .describe(
    'What the sessions of this task may do without asking, where the task does not run in a session of somebody else. job-tools: call the job tools. edits: change files in the folder. everything: also run commands, which can do whatever you can. Absent: each call asks as the agent does.',
  );

/** In words by the names of the tasks. Undefined when all of them ask as every session. */
export function withoutAsking(
  tasks: Readonly<Record<string, { approve?: readonly Approval[]; host?: string }>>,
): Record<string, string> | undefined {
  const told = Object.entries(tasks).flatMap(([name, { approve: approved = [], host }]) => {
    const said = approvalWords(approved);
    const where = host === undefined ? '' : `, at the agent host “${host}”`;
    return said === undefined ? [] : [[name, `${said}${where}`] as const];
  });
  return told.length > 0 ? Object.fromEntries(told) : undefined;
}

/** Such as “runs commands … without asking”. Undefined when it asks as every session. */
function approvalWords(approved: readonly Approval[]): string | undefined {
  if (approved.length === 0) return undefined;
  const told = approved.includes('everything') ? [words.everything] : approved.map((name) => words[name]);
  return `${told.join(', ')}, without asking`;
}
