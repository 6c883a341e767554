import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { ToolResultContent } from '../../../ahp/common/tools.ts';
import { isRecord } from '../../../base/isRecord.ts';

/**
 * The protocol has no field for the exit code: our host puts it into the structured content, also that there is none, and VS Code's host begins the
 * first text with it. What a command has printed is no exit code.
 */
export function exitCode(call: ToolCallState, content: readonly ToolResultContent[]): number | undefined {
  const structured = 'structuredContent' in call ? call.structuredContent : undefined;
  if (isRecord(structured) && 'exitCode' in structured) return typeof structured.exitCode === 'number' ? structured.exitCode : undefined;
  const first = content.find((item) => item.type === 'text');
  const code = first && 'text' in first ? /^Exit code: (-?\d+)(?:\r?\n|$)/.exec(first.text)?.[1] : undefined;
  return code === undefined ? undefined : Number(code);
}
