import type { AgentToolCall, ToolCallReady } from '../agent.ts';
import { ruleRefusal } from './refusal.ts';
import type { Voice } from './voice.ts';

/** Shows the call as running, for a reason that needs no question. False when a rule of the session denies it, which the agent then says. */
export async function begin(voice: Voice, call: AgentToolCall, ready: ToolCallReady, reason: 'not-needed' | 'setting'): Promise<boolean> {
  const verdict = await call.check(ready);
  if (verdict.allowed) call.run(ready, reason);
  else await voice.say(ruleRefusal(verdict.message));
  return verdict.allowed;
}
