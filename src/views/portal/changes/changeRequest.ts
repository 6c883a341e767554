import type { RunChange } from './runChange.ts';

/** How the portal is asked for a change of a run. */
export function changeRequest(jobId: string, { kind, ...body }: RunChange): { path: string; body?: string } {
  const path = `copilot/job/${encodeURIComponent(jobId)}/${kind}`;
  return { path, ...(Object.keys(body).length > 0 && { body: JSON.stringify(body) }) };
}
