/** A host for the views, from what its client knows. */
import { problemText } from '../../ahp/client/connection/hostError.ts';
import type { SessionList } from '../../ahp/client/sessionList.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { HostConnectionView } from '../hosts/hostConnectionView.ts';
import type { HostInput } from './sessionTree.ts';

type Listed = Pick<SessionList, 'summaries' | 'state' | 'isCut'>;

interface Client {
  readonly sessions: Listed;
  topSession(this: void, uri: URI): URI;
}

export function hostInput(id: string, label: string, connection: HostConnectionView, { sessions, topSession }: Client): HostInput {
  const { summaries, state, isCut } = sessions;
  return {
    id,
    label,
    connection,
    sessions: summaries,
    listed: state === 'ready' || summaries.length > 0,
    isCut,
    listError: typeof state === 'object' ? problemText(state.error) : undefined,
    needsSignIn: needsSignIn(sessions),
    topSession,
  };
}

/** The host lists its sessions only after a sign-in. */
export function needsSignIn({ state }: Pick<Listed, 'state'>): boolean {
  return typeof state === 'object' && state.error.code === ErrorCode.AuthRequired;
}
