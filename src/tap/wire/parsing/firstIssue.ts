import type * as z from 'zod';

/** The first issue with its path, such as `providers.0.command: …`. For an invalid key it is the issue of the key. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'invalid';
  const why = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return `${issue.path.join('.') || 'params'}: ${why}`;
}
