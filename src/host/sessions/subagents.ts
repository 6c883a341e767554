/** Sessions of subagents: they lie below the session that started them, with one turn that whoever started it ends. */
import { randomUUID } from 'node:crypto';
import type { URI } from '../../ahp/v1/common.ts';
import { SessionStatus, type SessionState } from '../../ahp/v1/session.ts';
import type { StartSubagentOptions, SubagentTurn } from '../agents/agent.ts';
import type { SessionController } from './sessionController.ts';
import type { TurnRun } from './turnRun.ts';

const SUBAGENT_PATH = '/subagent/';

export function isSubagent(uri: URI): boolean {
  return uri.includes(SUBAGENT_PATH);
}

export function isSubagentOf(uri: URI, parent: URI): boolean {
  return uri.startsWith(parent + SUBAGENT_PATH);
}

export interface SubagentOptions extends StartSubagentOptions {
  /** State and turn in progress of the session that starts it. */
  parent: SessionState;
  parentTurn: TurnRun;
  now: number;
  isTaken(uri: URI): boolean;
  /** Makes the session. */
  add(uri: URI, state: SessionState): SessionController;
}

/** Ends with its parent's turn at the latest. */
export function startSubagent({ parent, parentTurn, now, toolCallId, title, prompt, isTaken, add }: SubagentOptions): SubagentTurn {
  const { resource, provider, model, workingDirectory } = parent.summary;
  const named = resource + SUBAGENT_PATH + encodeURIComponent(toolCallId);
  // Some engines number their calls anew in every turn or run: the session of an earlier subagent keeps its name.
  const uri = isTaken(named) ? `${named}-${randomUUID()}` : named;
  const controller = add(uri, {
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
  parentTurn.onDidEnd(() => controller.cancelTurn('the turn that started the subagent is over'));
  return controller.startSubagentTurn(prompt);
}
