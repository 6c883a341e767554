/** Which of a session's provider tools its agent is told of, in the protocol's words, and why the others are left out. */
import type { ToolDefinition } from '../../../ahp/common/tools.ts';
import { lentByMeta } from '../../../ahp/lentBy.ts';
import { isRecord } from '../../../base/isRecord.ts';
import { callParameters } from '../../../tap/owner/offeredTool.ts';
import type { OfferedTool } from '../../../tap/wire/owner/ownerMessages.ts';
import type { ToolState } from '../../../views/providers/facts.ts';
import type { ToolSwitch } from './toolSwitches.ts';

/** Hosts take 16 MiB in one message; what the agent's model reads should be far less. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Hosts refuse JSON that is nested deeper than 100, and the message puts some around each schema. */
export const MAX_DEPTH = 80;

export type LeftOut = Exclude<ToolState, 'on'>;

export interface Selection {
  readonly tools: readonly ToolDefinition[];
  readonly leftOut: readonly { readonly tool: OfferedTool; readonly why: LeftOut }[];
}

export function selectTools(
  offered: readonly OfferedTool[],
  agentTools: readonly string[],
  switchOf: (tool: OfferedTool) => ToolSwitch,
): Selection {
  const taken = new Set(agentTools);
  const tools: ToolDefinition[] = [];
  const leftOut: { tool: OfferedTool; why: LeftOut }[] = [];
  let bytes = 0;
  for (const tool of offered) {
    const state = switchOf(tool);
    const definition = state === 'on' && !taken.has(tool.name) ? definitionOf(tool) : undefined;
    const size = definition ? JSON.stringify(definition).length : 0;
    if (state !== 'on') leftOut.push({ tool, why: state });
    else if (!definition) leftOut.push({ tool, why: taken.has(tool.name) ? 'taken' : 'tooLarge' });
    else if (bytes + size > MAX_BYTES) leftOut.push({ tool, why: 'tooLarge' });
    else {
      bytes += size;
      taken.add(tool.name);
      tools.push(definition);
    }
  }
  return { tools, leftOut };
}

/** Undefined where the schema is nested too deeply. */
function definitionOf(tool: OfferedTool): ToolDefinition | undefined {
  const { name, description, provider, trust, origin, readOnly } = tool;
  const destructive = trust === 'internal' && tool.annotations?.destructiveHint === true;
  const parameters = callParameters(tool);
  if (isDeeperThan(parameters, MAX_DEPTH)) return undefined;
  const { properties, required, ...rest } = parameters as { properties?: unknown; required?: unknown };
  return {
    name,
    ...(description !== '' && { description }),
    inputSchema: {
      ...rest,
      type: 'object',
      ...(isRecord(properties) && {
        properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, asSchema(value)])),
      }),
      ...(Array.isArray(required) && { required: required.filter((key) => typeof key === 'string') }),
    },
    ...(readOnly && { annotations: { readOnlyHint: true } }),
    ...(destructive && { annotations: { destructiveHint: true } }),
    _meta: lentByMeta({ provider, trust, origin }),
  };
}

/** The protocol takes objects only, where JSON Schema has `true` and `false` too. */
function asSchema(value: unknown): object {
  if (isRecord(value)) return value;
  return value === false ? { not: {} } : {};
}

export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => isDeeperThan(member, depth - 1));
}
