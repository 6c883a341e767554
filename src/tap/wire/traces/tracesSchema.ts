import * as z from 'zod';
import { english, type Words } from '../../../base/text/phrase.ts';
import { endpointProblem, fileProblem } from './tracesConfig.ts';

/** Of a `TracesConfig` from elsewhere. */
export const tracesSchema = z.object({
  enabled: z.boolean().default(false),
  endpoint: without(endpointProblem).optional(),
  file: without(fileProblem).optional(),
  content: z.boolean().default(false),
});

function without(problemOf: (text: string) => Words | undefined) {
  return z.string().superRefine((text, { addIssue }) => {
    const problem = problemOf(text);
    if (problem !== undefined) addIssue({ code: 'custom', message: english(problem) });
  });
}
