/** What a chat shows of the commands that its agent has run. */
import type { ActiveTurn, ChatState, Turn } from '../../../ahp/channels/chat/state.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import { listOf } from '../../../ahp/common/reducers/reducer.ts';
import { Limit } from '../../../tap/wire/limits.ts';
import type { SeenCommand } from '../../../tap/wire/owner/ownerQuestions.ts';
import { exitCode } from '../toolCall/exitCode.ts';

const MAX_INPUT = 200_000;
/** In calls of our own host, where a long output was shortened. */
const LEFT_OUT = /^\[\d+ characters are left out here\]$/m;

/** The runs of exactly this command, newest first. One that was denied, or that nobody has decided about, was not run. */
export function seenCommands({ turns, activeTurn }: Pick<ChatState, 'turns' | 'activeTurn'>, command: string): SeenCommand[] {
  const wanted = command.trim();
  const found: SeenCommand[] = [];
  const newestFirst: readonly (Turn | ActiveTurn)[] = [...(activeTurn ? [activeTurn] : []), ...turns.toReversed()];
  for (const { responseParts } of newestFirst)
    for (const part of listOf(responseParts).toReversed()) {
      if (part.kind !== 'toolCall' || !('toolCall' in part) || commandIn(part.toolCall) !== wanted) continue;
      const seen = seenRun(part.toolCall);
      if (seen) found.push(seen);
      if (found.length === Limit.seenCommands) return found;
    }
  return found;
}

function seenRun(call: ToolCallState): SeenCommand | undefined {
  if (call.status === 'running') return { output: '', isCut: true };
  if (call.status !== 'completed' && call.status !== 'pending-result-confirmation') return undefined;
  const content = listOf(call.content);
  const output = content.flatMap((item) => (item.type === 'text' && 'text' in item ? [item.text] : [])).join('\n');
  const code = exitCode(call, content);
  const hasTerminal = content.some(({ type }) => type === 'terminal');
  const isCut = output.length > Limit.seenOutput || LEFT_OUT.test(output) || hasTerminal;
  // The end says most.
  return { ...(code !== undefined && { exitCode: code }), output: output.slice(-Limit.seenOutput), isCut };
}

/** Of the host's own shell alone: what a client or a server calls a command, or an exit code, is its word. A shell gets its line as it is. */
function commandIn(call: ToolCallState): string | undefined {
  const input = 'toolInput' in call ? call.toolInput : undefined;
  const isShell = call._meta?.toolKind === 'terminal' && !call.contributor;
  return isShell && typeof input === 'string' && input.length <= MAX_INPUT ? input.trim() : undefined;
}
