/**
 * Deleting and archiving sessions. Some hosts confirm both and do neither (VS Code 1.117 only unloads a session, and archives it by an older
 * action), so what became of it is looked up in the host's list afterwards, and said.
 */
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import type { StateAction } from '../../ahp/v1/actions.ts';
import type { SessionSummary } from '../../ahp/v1/session.ts';
import { UserError } from '../../base/errors.ts';
import { isArchived, sessionTitle } from '../../views/sessionItem.ts';
import type { AgentHost } from '../hosts/agentHost.ts';
import { showInfo } from '../notifications.ts';
import type { HiddenSessions } from '../sessions/hiddenSessions.ts';
import type { SessionRef } from '../sessions/sessionRef.ts';

const HIDE = 'Hide in This Window';
/** Hosts tell of a change a moment after they have confirmed it (VS Code 1.117: 100 ms), and of a session that they do not list only so. */
const TOLD_WITHIN_MS = 500;

export class SessionDisposal {
  constructor(private readonly hidden: HiddenSessions) {}

  /** After the host said that it disposed of the session; `summary` is what was known of it before. */
  async checkDeleted(host: AgentHost, session: SessionRef, summary: SessionSummary | undefined): Promise<void> {
    if (!(await listed(host, session))) return;
    await this.#offerToHide(session, `${host.label} has stopped “${titleOf(summary)}” but still lists it. It does not delete sessions.`);
  }

  /** Rejects when the host refuses. */
  async archive(host: AgentHost, session: SessionRef, wanted: boolean): Promise<void> {
    if (!wanted && this.hidden.has(session)) await this.hidden.set(session, false);
    const known = host.client.sessions.get(session.uri);
    if (known && isArchived(known) === wanted) return;
    // One that was listed and is not any more is out of the way; of one that was never listed nothing can be seen.
    const isDone = (summary: SessionSummary | undefined) => (summary ? isArchived(summary) === wanted : known !== undefined);
    const { uri } = session;
    const actions: StateAction[] = [
      { type: 'session/isArchivedChanged', session: uri, isArchived: wanted },
      { type: 'session/isDoneChanged', session: uri, isDone: wanted },
    ];
    for (const action of actions) {
      await dispatchSettled(host, session, action);
      if (isDone(await listed(host, session)) || (await isTold(host, session, isDone))) return;
    }
    const title = titleOf(host.client.sessions.get(uri));
    if (wanted) await this.#offerToHide(session, `${host.label} did not archive “${title}”.`);
    else throw new UserError(`${host.label} did not take “${title}” out of its archive.`);
  }

  async #offerToHide(session: SessionRef, what: string): Promise<void> {
    if ((await showInfo(`${what} You can hide it in this window.`, HIDE)) === HIDE) await this.hidden.set(session, true);
  }
}

/** Sends an action of the user and rejects with what became of it, unless the host took it. */
export async function dispatchSettled({ client }: AgentHost, { uri }: SessionRef, action: StateAction): Promise<void> {
  // Subscribed meanwhile: a host tells the outcome to those who read the session.
  const subscription = client.subscribeSession(uri);
  try {
    await whenLive(subscription);
    const settlement = await client.dispatch(uri, action).settled;
    if (settlement.kind === 'rejected') throw new UserError(`The agent host refused: ${settlement.reason}`);
    if (settlement.kind === 'unknown') throw new UserError(`It is not known whether that was done: ${settlement.reason}`);
  } finally {
    subscription.dispose();
  }
}

function isTold({ client: { sessions } }: AgentHost, { uri }: SessionRef, isDone: (summary?: SessionSummary) => boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (done: boolean) => {
      clearTimeout(timer);
      listening.dispose();
      resolve(done);
    };
    const timer = setTimeout(() => settle(false), TOLD_WITHIN_MS);
    const listening = sessions.onDidChange(() => {
      if (isDone(sessions.get(uri))) settle(true);
    });
  });
}

async function listed({ client }: AgentHost, { uri }: SessionRef): Promise<SessionSummary | undefined> {
  return (await client.listSessions()).find(({ resource }) => resource === uri);
}

function titleOf(summary: SessionSummary | undefined): string {
  return summary ? sessionTitle(summary) : 'the session';
}
