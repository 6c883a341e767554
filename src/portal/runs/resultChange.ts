/** What somebody has done with the result of a run: also after it has ended, because that is when most of it is done. */
import * as z from 'zod';

export const resultChange = z.strictObject({
  did: z.enum(['discarded', 'committed', 'pushed', 'opened']).describe('opened: a pull request.'),
  by: z.string().describe('Who did it, in words.'),
  files: z.array(z.string()).optional().describe('What was discarded or committed: the first of the paths.'),
  more: z.int().min(1).optional().describe('So many more files.'),
  branch: z.string().optional().describe('On which it was committed, or that was pushed.'),
  base: z.string().optional().describe('The branch that the work tree was on.'),
  commit: z.string().optional(),
  folder: z.string().optional().describe('The top folder of the work tree.'),
  address: z.string().optional().describe('Where it was pushed to, or that of the pull request.'),
});
export type ResultChange = z.infer<typeof resultChange>;
