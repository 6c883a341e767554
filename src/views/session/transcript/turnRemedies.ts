/** What a user can do after the last turn of a session failed. */
import type { ErrorInfo, UserMessage } from '../../../ahp/v1/common.ts';
import type { RootState } from '../../../ahp/v1/root.ts';
import type { SessionState } from '../../../ahp/v1/session.ts';
import { agentOf, modelProblem, modelSources, type ModelSource } from '../../hosts/agentModels.ts';
import { saveProblem } from '../composer/composer.ts';

export type Remedy =
  /** Starts a turn with this message. */
  { kind: 'send'; label: string; userMessage: UserMessage } | { kind: 'giveModels'; source: ModelSource } | { kind: 'chooseModel' };

/** Errors of turns that were interrupted from outside. `EngineDied` comes from the Copilot agent of our host. */
const INTERRUPTIONS = new Set(['hostRestarted', 'EngineDied']);
const GO_ON: UserMessage = { text: 'Continue where you were interrupted.' };

export function isInterruption(error: ErrorInfo | undefined): boolean {
  return error !== undefined && INTERRUPTIONS.has(error.errorType);
}

/** Best first. Empty while a turn is running, when the last one did not fail, or when nothing can be sent. */
export function turnRemedies(session: SessionState, root: RootState | undefined): Remedy[] {
  const last = session.turns.at(-1);
  if (!last || session.activeTurn || (last.state !== 'error' && !last.error) || saveProblem(session) !== undefined) return [];
  const retry: Remedy = { kind: 'send', label: 'Retry', userMessage: last.userMessage };
  const agent = agentOf(session, root);
  const problem = modelProblem(session, root);
  if (problem?.kind === 'gone') return [{ kind: 'chooseModel' }];
  if (agent && (problem?.kind === 'none' || last.error?.errorType === 'authRequired')) {
    return [...modelSources(agent).map((source): Remedy => ({ kind: 'giveModels', source })), retry];
  }
  if (isInterruption(last.error) && last.responseParts.length > 0) {
    return [{ kind: 'send', label: 'Continue', userMessage: GO_ON }, retry];
  }
  return [retry];
}
