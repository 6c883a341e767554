import * as z from 'zod';
import { endpointProblem, fileProblem } from './tracesConfig.ts';

/** Of a `TracesConfig` from elsewhere. */
export const tracesSchema = z.object({
  enabled: z.boolean().default(false),
  endpoint: without(endpointProblem).optional(),
  file: without(fileProblem).optional(),
  content: z.boolean().default(false),
});

function without(problemOf: (text: string) => string | undefined) {
  return z.string().superRefine((text, { addIssue }) => {
    const message = problemOf(text);
    if (message !== undefined) addIssue({ code: 'custom', message });
  });
}
