import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { ToolResultContent } from '../../../ahp/common/tools.ts';

/** The protocol has no field for the exit code: our host puts it into the structured content, and VS Code's host begins the text with it. */
export function exitCode(call: ToolCallState, content: readonly ToolResultContent[]): number | undefined {
  const structured = 'structuredContent' in call ? call.structuredContent?.exitCode : undefined;
  if (typeof structured === 'number') return structured;
  for (const item of content) {
    const code = item.type === 'text' ? /^Exit code: (-?\d+)/.exec(item.text)?.[1] : undefined;
    if (code !== undefined) return Number(code);
  }
  return undefined;
}
