/**
 * Deletes and archives sessions. Some hosts confirm both and do neither: VS Code 1.117 only unloads a session, and archives it with an older
 * action. So the result is looked up in the host's list afterwards, and the user is told.
 */
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import type { StateAction } from '../../ahp/v1/actions.ts';
import type { SessionSummary } from '../../ahp/v1/session.ts';
import { UserError } from '../../base/errors.ts';
import { isArchived, sessionTitle } from '../../views/sessionList/sessionItem.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { showInfo } from '../notifications.ts';
import type { HiddenSessions } from '../sessions/hiddenSessions.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';

const HIDE = 'Hide in This Window';
/** Hosts announce a change a moment after they confirmed it (VS Code 1.117: 100 ms). For a session that they do not list it is the only sign. */
const ANNOUNCED_WITHIN_MS = 500;

export class SessionDisposal {
  constructor(private readonly hidden: HiddenSessions) {}

  /** Called after the host has confirmed. `summary` is the last known one. */
  async checkDeleted(host: RegisteredHost, session: SessionRef, summary: SessionSummary | undefined): Promise<void> {
    if (!(await listedSummary(host, session))) return;
    await this.#offerToHide(session, `${host.label} has stopped “${titleOf(summary)}” but still lists it. It does not delete sessions.`);
  }

  /** Rejects when the host refuses. */
  async archive(host: RegisteredHost, session: SessionRef, wanted: boolean): Promise<void> {
    if (!wanted && this.hidden.has(session)) await this.hidden.set(session, false);
    const known = host.client.sessions.get(session.uri);
    if (known && isArchived(known) === wanted) return;
    // A session that is no longer listed counts as archived. One that was never listed cannot be checked.
    const isDone = (summary: SessionSummary | undefined) => (summary ? isArchived(summary) === wanted : known !== undefined);
    const { uri } = session;
    const actions: StateAction[] = [
      { type: 'session/isArchivedChanged', session: uri, isArchived: wanted },
      { type: 'session/isDoneChanged', session: uri, isDone: wanted },
    ];
    for (const action of actions) {
      await dispatchSettled(host, session, action);
      if (isDone(await listedSummary(host, session)) || (await isAnnounced(host, session, isDone))) return;
    }
    const title = titleOf(host.client.sessions.get(uri));
    if (wanted) await this.#offerToHide(session, `${host.label} did not archive “${title}”.`);
    else throw new UserError(`${host.label} did not unarchive “${title}”.`);
  }

  async #offerToHide(session: SessionRef, what: string): Promise<void> {
    if ((await showInfo(`${what} You can hide it in this window.`, HIDE)) === HIDE) await this.hidden.set(session, true);
  }
}

/** Dispatches an action of the user. Rejects unless the host confirms it. */
export async function dispatchSettled({ client }: RegisteredHost, { uri }: SessionRef, action: StateAction): Promise<void> {
  // A host sends the outcome only to subscribers of the session.
  const subscription = client.subscribeSession(uri);
  try {
    await whenLive(subscription);
    const settlement = await client.dispatch(uri, action).settled;
    if (settlement.kind === 'rejected') throw new UserError(`The agent host refused: ${settlement.reason}`);
    if (settlement.kind === 'unknown') throw new UserError(`It is not known whether this was done: ${settlement.reason}`);
  } finally {
    subscription.dispose();
  }
}

function isAnnounced(
  { client: { sessions } }: RegisteredHost,
  { uri }: SessionRef,
  isDone: (summary?: SessionSummary) => boolean,
): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (done: boolean) => {
      clearTimeout(timer);
      listening.dispose();
      resolve(done);
    };
    const timer = setTimeout(() => settle(false), ANNOUNCED_WITHIN_MS);
    const listening = sessions.onDidChange(() => {
      if (isDone(sessions.get(uri))) settle(true);
    });
  });
}

async function listedSummary({ client }: RegisteredHost, { uri }: SessionRef): Promise<SessionSummary | undefined> {
  return (await client.listSessions()).find(({ resource }) => resource === uri);
}

function titleOf(summary: SessionSummary | undefined): string {
  return summary ? sessionTitle(summary) : 'the session';
}
