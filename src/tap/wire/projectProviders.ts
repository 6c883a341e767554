/** Providers of a folder, as `tap.config.json` and the owner link describe them. */
import * as z from 'zod';
import { name } from './fields.ts';

const MAX_PROVIDERS = 20;
const noNul = /^[^\0]*$/;
const argument = z.string().max(32_768).regex(noNul, 'must not hold a NUL');
/** Variables that the gateway sets itself. */
const ownVariable = /^TAP_/i;

const projectProvider = z.strictObject({
  name: name.describe('The only name with which the provider can say hello to the gateway.'),
  command: argument
    .min(1)
    .describe('A program: a name that is found through PATH, or a path. A relative path starts at `cwd`. No shell is involved.'),
  args: z.array(argument).max(200).default([]).describe('Passed to the program as they stand here.'),
  cwd: argument.min(1).max(4096).optional().describe('A folder inside the project, relative to it. Default: the project folder.'),
  env: z
    .record(
      z
        .string()
        .regex(/^[^=\0]+$/, 'is no name of a variable')
        .refine((key) => !ownVariable.test(key), 'is set by the gateway'),
      argument,
    )
    .default({})
    .describe('Variables that are added to the environment. Those that begin with TAP_ are set by the gateway.'),
});
export type ProjectProviderConfig = z.output<typeof projectProvider>;

export const projectProviders = z
  .array(projectProvider)
  .max(MAX_PROVIDERS)
  .superRefine((list, context) => {
    const seen = new Set<string>();
    for (const [at, { name: own }] of list.entries()) {
      if (seen.has(own)) context.addIssue({ code: 'custom', path: [at, 'name'], message: `${JSON.stringify(own)} is named twice` });
      seen.add(own);
    }
  });
