import type * as z from 'zod';

/** `providers.0.command: …`. What is wrong with a key is said at the key. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'not as it should be';
  const why = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return `${issue.path.join('.') || 'params'}: ${why}`;
}
