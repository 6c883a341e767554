/** Values that the host keeps in a session's `_meta`. They last as long as the session. Clients see them and cannot change them. */
import type { SessionAction } from '../../ahp/channels/session/actions.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';

/** Messages that the agent has taken and its model has not heard yet (`UnheardMessage[]`). */
export const UNHEARD = 'tapline.unheard';

/** The action that sets one value and keeps the others. Undefined removes the value. */
export function metaChanged({ _meta }: SessionState, key: string, value: unknown): SessionAction {
  const { [key]: _earlier, ...rest } = _meta ?? {};
  const meta = value === undefined ? rest : { ...rest, [key]: value };
  return { type: 'session/metaChanged', ...(Object.keys(meta).length > 0 && { _meta: meta }) };
}
