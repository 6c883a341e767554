/** What the host keeps in a session's `_meta`: as durable as the session, seen by clients, changed by nobody else. */
import type { SessionAction, SessionState } from '../../ahp/v1/session.ts';

/** Messages that the agent has taken and its model has not heard yet (`PendingMessage[]`). */
export const UNHEARD = 'tapline.unheard';

/** The action that sets one value and leaves the others; undefined removes it. */
export function metaChanged({ summary: { resource: session }, _meta }: SessionState, key: string, value: unknown): SessionAction {
  const { [key]: _earlier, ...rest } = _meta ?? {};
  const meta = value === undefined ? rest : { ...rest, [key]: value };
  return { type: 'session/metaChanged', session, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
}
