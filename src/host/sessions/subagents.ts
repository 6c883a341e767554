/** Sessions of subagents. They have one turn, which the agent that started it ends. */
import { randomUUID } from 'node:crypto';
import type { URI } from '../../ahp/v1/common.ts';
import { SessionStatus, type SessionState } from '../../ahp/v1/session.ts';
import { subagentUri } from '../../ahp/subagentUri.ts';
import type { StartSubagentOptions, SubagentTurn } from '../agents/agent.ts';
import type { SessionRunner } from './sessionRunner.ts';
import type { TurnRun } from './turnRun.ts';

export interface SubagentOptions extends StartSubagentOptions {
  /** The state and the current turn of the session that starts the subagent. */
  parent: SessionState;
  parentTurn: TurnRun;
  now: number;
  isTaken(uri: URI): boolean;
  /** Creates the session. */
  add(uri: URI, state: SessionState): SessionRunner;
}

/** The subagent ends at the latest with its parent's turn. */
export function startSubagent({ parent, parentTurn, now, toolCallId, title, prompt, isTaken, add }: SubagentOptions): SubagentTurn {
  const { resource, provider, model, workingDirectory } = parent.summary;
  const named = subagentUri(resource, toolCallId);
  // Some engines number their calls from the start in every turn or run. The session of an earlier subagent keeps its URI.
  const uri = isTaken(named) ? `${named}-${randomUUID()}` : named;
  const runner = add(uri, {
    summary: {
      resource: uri,
      provider,
      title,
      status: SessionStatus.Idle,
      createdAt: now,
      modifiedAt: now,
      ...(model && { model }),
      ...(workingDirectory && { workingDirectory }),
    },
    lifecycle: 'ready',
    turns: [],
  });
  parentTurn.onDidEnd(() => runner.cancelTurn('the turn that started the subagent is over'));
  return runner.startSubagentTurn(prompt);
}
