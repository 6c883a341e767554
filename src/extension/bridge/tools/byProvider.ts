import type { OfferedTool } from '../../../tap/wire/owner/ownerMessages.ts';
import { isSameProvider } from '../../../tap/wire/trust.ts';

/** Tools of one provider. */
export type ToolsOfOne = readonly [OfferedTool, ...OfferedTool[]];

/** In the order of the first tool of each. */
export function byProvider(tools: readonly OfferedTool[]): ToolsOfOne[] {
  const groups: [OfferedTool, ...OfferedTool[]][] = [];
  for (const tool of tools) {
    const group = groups.find(([first]) => isSameProvider(first, tool));
    if (group) group.push(tool);
    else groups.push([tool]);
  }
  return groups;
}
