import type * as z from 'zod';

/** The first issue with its path, such as `providers.0.command: …`. */
export function firstIssue(error: z.ZodError): string {
  return `${error.issues[0]?.path.join('.') || 'params'}: ${reasonOf(error)}`;
}

/** The first issue without its path. For an invalid key it is the issue of the key. */
export function reasonOf({ issues: [issue] }: z.ZodError): string {
  return (issue?.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue?.message ?? 'is not valid';
}
