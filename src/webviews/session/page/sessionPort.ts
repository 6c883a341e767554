/** What a component can ask the extension to do in its session. */
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import type { SessionGesture, SessionMessage } from '../protocol.ts';
import { post } from './vscodeApi.ts';

export interface SessionPort {
  post(this: void, message: SessionMessage): void;
  /** Dispatches an action of the user, in this session or in one of its subagents'. */
  dispatch(this: void, action: SessionGesture): void;
}

export function sessionPort({ hostId, uri }: SessionRef): SessionPort {
  const postHere = (message: SessionMessage) => post({ type: 'inSession', session: { hostId, uri }, message });
  return { post: postHere, dispatch: (action) => postHere({ type: 'dispatch', action }) };
}
