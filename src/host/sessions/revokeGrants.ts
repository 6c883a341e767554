/** Takes back what the user has allowed for the rest of a session (`ahp/grants`). Clients of both eras have this command. */
import { dropGrants } from '../../ahp/grants.ts';
import { type GrantCommand, type GrantCommandParams, grantCommands } from '../../ahp/schemas/grantSchemas.ts';
import { sameJson } from '../../base/sameJson.ts';
import { checkedParams } from '../checks/checkedParams.ts';
import { metaChanged } from '../state/sessionMeta.ts';
import { sessionNotFound, type Sessions } from './sessions.ts';
import type { StateStore } from '../state/stateStore.ts';

/** Throws InvalidParams and SessionNotFound. */
export function revokeGrants({ store, sessions }: { store: StateStore; sessions: Sessions }, method: GrantCommand, params: unknown): null {
  const { session, grants } = checkedParams(grantCommands[method], params) as GrantCommandParams<GrantCommand>;
  sessions.wake(session);
  const state = store.session(session);
  if (!state) throw sessionNotFound(session);
  const setMeta = (key: string, value: unknown) => store.dispatch(session, metaChanged(state, key, value));
  dropGrants({ state, setMeta }, (kept) => grants.some((grant) => sameJson(grant, kept)));
  return null;
}
