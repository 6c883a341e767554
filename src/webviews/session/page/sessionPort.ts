/** What a component can ask the extension to do in its session. */
import type { URI } from '../../../ahp/common/shapes.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import type { SessionGesture, SessionMessage } from '../protocol.ts';
import { post } from './vscodeApi.ts';

export interface SessionPort {
  post(this: void, message: SessionMessage): void;
  /** Performs an action of the user, in the session (`session/…`) or in a chat. */
  dispatch(this: void, uri: URI, action: SessionGesture): void;
}

export function sessionPort({ hostId, uri }: SessionRef): SessionPort {
  const postHere = (message: SessionMessage) => post({ type: 'inSession', session: { hostId, uri }, message });
  return { post: postHere, dispatch: (target, action) => postHere({ type: 'dispatch', uri: target, action }) };
}
