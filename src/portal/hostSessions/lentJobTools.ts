import type { ToolDefinition } from '../../ahp/common/tools.ts';
import { jobTools } from '../entry/jobTools.ts';

/** The job tools, as a client lends them to a session. */
export const lentJobTools: ToolDefinition[] = jobTools.map(({ name, description, argument }) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { argument: { type: 'string', description: argument } }, required: ['argument'] },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
}));
