/** Lets the rules of the session decide about each call of the engine, before its permission is asked and anything of it is done. */
import { randomUUID } from 'node:crypto';
import { withContext } from '../../../../base/text/contextBlock.ts';
import { englishOf } from '../../../../base/errors.ts';
import type { CopilotTurn } from '../turn/copilotTurn.ts';

/** The answer to the engine's question. Never rejects, because the engine would run the call then. */
export async function checkToolUse(
  { toolName, toolArgs }: { toolName: string; toolArgs: unknown },
  current: CopilotTurn | undefined,
): Promise<{ permissionDecision: 'deny'; permissionDecisionReason: string } | { additionalContext: string } | undefined> {
  const denied = (permissionDecisionReason: string) => ({ permissionDecision: 'deny', permissionDecisionReason }) as const;
  // eslint-disable-next-line texts/translated -- for the model
  if (!current) return denied('No turn is in progress.');
  const { turn, calls } = current;
  try {
    const call = await calls.aboutToRun(toolName, toolArgs);
    const unknown = { chat: turn.chat, turnId: turn.id, toolCallId: randomUUID(), toolName, input: JSON.stringify(toolArgs) };
    const verdict = await (call ? call.check() : turn.evaluate(unknown));
    if (!verdict.allowed) return denied(verdict.message);
    // The result of a client's tool has it already.
    if (verdict.context.length === 0 || call?.isLent) return undefined;
    return {
      additionalContext: withContext(
        verdict.context.map((said) => ({ kind: 'hook', ...said })),
        '',
      ),
    };
  } catch (error) {
    return denied(englishOf(error));
  }
}
