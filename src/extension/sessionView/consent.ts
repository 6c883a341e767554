/** Asks before an agent gets to act without asking, and takes back what was allowed. */
import { type Grant, hasGrants } from '../../ahp/grants.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { UserError } from '../../base/errors.ts';
import { newlyUnasked } from '../../views/session/frame/consent.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { confirmUnlikely } from '../notifications.ts';

/** True when this change of its settings leaves the agent asking, or the user has agreed that it does not. */
export async function agreesToUnasked(
  title: string,
  session: Pick<SessionState, 'config'> | undefined,
  change: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  if (!session) return false;
  const settings = newlyUnasked(session, change);
  if (settings.length === 0) return true;
  const what = settings.map(({ label, description }) => `“${label}”${description && `: ${description}`}`);
  const lasts = 'This holds until you switch it back, also while no window shows the session. The session says so as long as it holds.';
  return confirmUnlikely(
    `Let the agent of “${title}” act without asking you?`,
    [...what, lasts].join('\n\n'),
    'Stop Asking Me',
    'Keep Asking',
  );
}

export async function revokeGrants({ client, label }: RegisteredHost, session: URI, grants: Grant[]): Promise<void> {
  if (client.state.kind !== 'connected')
    throw new UserError(`Nothing was taken back, because ${label} is not connected. Try again when it is.`);
  if (!hasGrants(client.hostMeta))
    throw new UserError(`Nothing was taken back, because ${label} runs a version that cannot do it. Update it, or delete the session.`);
  await client.requestOwn('tapline/revokeGrants', { session, grants });
}
