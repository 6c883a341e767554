import { withTimeout } from '../../../base/errors.ts';
import { phrase } from '../../../base/text/phrase.ts';
import type { Agent } from '../../agents/agent.ts';

/** How long an agent may take to answer something that a client waits for. */
const AGENT_CALL_TIMEOUT_MS = 30_000;

/** Limits the time that an agent has for a client's command. */
export function agentCall<T>(agent: Agent, answer: Promise<T>): Promise<T> {
  return withTimeout(answer, AGENT_CALL_TIMEOUT_MS, phrase`the answer of ${agent.info.displayName}`);
}
