/** Whether something can still be done to a session. What is asked, read or prepared before takes time, and meanwhile its host may go or be only looked at. */
import * as l10n from '../../base/l10n.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { ShownHost, ShownHosts } from '../shownHost.ts';

const GONE = l10n.t('The agent host of this session is not listed any more, or was replaced.');

/** The reason, as a sentence; undefined where it can. `host`: as it was when it was begun, where there was one. */
export function whyNotDone(
  hosts: Pick<ShownHosts, 'get' | 'of'>,
  { ref, host }: { readonly ref: SessionRef; readonly host: Pick<ShownHost, 'client'> | undefined },
): string | undefined {
  const now = hosts.of ? hosts.of(ref) : hosts.get(ref.hostId);
  return now && now.client === host?.client ? now.readOnly : GONE;
}
