/** What an entry approves, as the host's own setting of a session. The host decides about calls by it, and the portal answers none of them. */
import type { SessionConfigSchema } from '../../ahp/channels/shapes/config.ts';
import type { Approval } from '../entry/approve.ts';

/** The property of the configuration of a session, at our agents. */
const PROPERTY = 'approvals';
/** Its values, by agent. */
const levels = { edits: ['edits'], everything: ['all', 'auto'] } as const;

/** `{}` where no setting is needed: the job tools are the portal's own. Undefined when the agent has no setting for it. */
export function approvalConfig(schema: SessionConfigSchema, approve: readonly Approval[]): Record<string, string> | undefined {
  const wanted = approve.includes('everything') ? 'everything' : approve.includes('edits') ? 'edits' : undefined;
  if (!wanted) return {};
  const offered = schema.properties[PROPERTY]?.enum ?? [];
  const level = levels[wanted].find((name) => offered.includes(name));
  return level === undefined ? undefined : { [PROPERTY]: level };
}

/** The setting as it is now. Undefined: the session has none. */
export function approvalsOf({ config }: { config?: { values: Record<string, unknown> } }): string | undefined {
  const value = config?.values[PROPERTY];
  return typeof value === 'string' ? value : undefined;
}

/** Every call asks again. */
export const asking: Readonly<Record<string, string>> = { [PROPERTY]: 'ask' };

/** Whether the session still has this setting: a user may have changed it. */
export function hasConfig({ config }: { config?: { values: Record<string, unknown> } }, given: Readonly<Record<string, string>>): boolean {
  return Object.entries(given).every(([key, value]) => config?.values[key] === value);
}
