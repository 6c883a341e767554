import type { SessionRef } from '../views/session/sessionRef.ts';
import { sessionTitle } from '../views/sessionList/sessionItem.ts';
import type { ShownHost } from './shownHost.ts';
import * as l10n from '../base/l10n.ts';

/** The title that the host's list has for a session, or “Session”. */
export function titleOf(hosts: { get(hostId: string): Pick<ShownHost, 'client'> | undefined }, { hostId, uri }: SessionRef): string {
  const summary = hosts.get(hostId)?.client.sessions.summary(uri);
  return summary ? sessionTitle(summary) : l10n.t('Session');
}
