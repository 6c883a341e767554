/** What somebody has answered in a session of a task, as it is kept with the run. */
import * as z from 'zod';

export const personAnswer = z.strictObject({
  about: z
    .enum(['call', 'result', 'question', 'setting', 'turn'])
    .describe(
      'A call of a tool, whether the model gets its result, a question, what the session does without asking from then on, or what the agent is to do in the turn that runs.',
    ),
  answer: z.enum(['approved', 'denied', 'skipped', 'accepted', 'declined', 'cancelled', 'changed', 'steered']),
  by: z.string().describe('Who or what has answered, as far as it is known: in words.'),
  tool: z.string().optional().describe('The tool of the call.'),
  input: z.string().optional().describe('What the tool was to get, or what the agent was told, cut.'),
  reason: z.string().optional().describe('What was said with a refusal.'),
  option: z.string().optional().describe('The answer that was chosen of those that the agent offered, or the setting as it is now.'),
});
export type PersonAnswer = z.infer<typeof personAnswer>;

/** Who has done something, where nobody knows it. */
export const SOMEBODY = 'somebody';

/** Something was not to run, or not to be told to the model. */
export function isDenial({ about, answer }: PersonAnswer): boolean {
  return (about === 'call' || about === 'result') && (answer === 'denied' || answer === 'skipped');
}
