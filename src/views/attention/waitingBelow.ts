/** What waits in a session and in the subagents that it has started. */
import type { URI } from '../../ahp/v1/common.ts';
import type { SessionState } from '../../ahp/v1/session.ts';
import { type Waiting, waitingOf } from '../session/waiting/waiting.ts';
import { subagentsOf } from './attentionItems.ts';

export interface WaitingIn {
  /** The session in which it waits, which may be that of a subagent. */
  uri: URI;
  waiting: Waiting;
}

/** What waits in the session itself comes first. `stateOf`: of the subagents' sessions that are known. */
export function waitingBelow(uri: URI, session: SessionState, stateOf: (uri: URI) => SessionState | undefined): WaitingIn[] {
  const below = [...new Set(subagentsOf(uri, session))].flatMap((subagent) => {
    const state = stateOf(subagent);
    return state ? waitingBelow(subagent, state, stateOf) : [];
  });
  return [...waitingOf(session).map((waiting) => ({ uri, waiting })), ...below];
}
