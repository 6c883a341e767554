/** What a component can ask the extension to do in its session. */
import type { URI } from '../../../ahp/common/shapes.ts';
import type { SessionGesture, SessionMessage } from '../protocol.ts';

export interface SessionPort {
  post(this: void, message: SessionMessage): void;
  /** Performs an action of the user, in the session (`session/…`) or in a chat. `asked`: the `questionKey` of what it answers. */
  dispatch(this: void, uri: URI, action: SessionGesture, asked?: string): void;
}

export function dispatchMessage(uri: URI, action: SessionGesture, asked: string | undefined): SessionMessage {
  return { type: 'dispatch', uri, action, ...(asked !== undefined && { asked }) };
}
