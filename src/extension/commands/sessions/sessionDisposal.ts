/**
 * Deletes and archives sessions. Some hosts confirm both and do neither: VS Code 1.117 only unloads a session, and archives it with an older
 * action. So the result is looked up in the host's list afterwards, and the user is told.
 */
import * as l10n from '../../../base/l10n.ts';
import { whenLive } from '../../../ahp/client/resources/whenLive.ts';
import type { SessionSummary } from '../../../ahp/channels/shapes/summaries.ts';
import type { SessionModel } from '../../../ahp/client/model/sessionModel.ts';
import { type Dispatched, reasonText } from '../../../ahp/client/resources/subscription.ts';
import { UserError } from '../../../base/errors.ts';
import { isArchived, sessionTitle } from '../../../views/sessionList/sessionItem.ts';
import type { RegisteredHost } from '../../hosts/registeredHost.ts';
import { showInfo } from '../../notifications.ts';
import type { SessionSet } from '../../sessions/sessionSet.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';

const HIDE = l10n.t('Hide in This Window');
/** Hosts announce a change a moment after they confirmed it (VS Code 1.117: 100 ms). For a session that they do not list it is the only sign. */
const ANNOUNCED_WITHIN_MS = 500;

export class SessionDisposal {
  /** `hidden`: sessions that the user hides in this window, because their host can neither delete nor archive them. */
  constructor(private readonly hidden: SessionSet) {}

  /** Called after the host has confirmed. `summary` is the last known one. */
  async checkDeleted(host: RegisteredHost, session: SessionRef, summary: SessionSummary | undefined): Promise<void> {
    if (!(await listedSummary(host, session))) return;
    await this.#offerToHide(
      session,
      l10n.t`${host.label} has stopped “${titleOf(summary)}” but still lists it. It does not delete sessions.`,
    );
  }

  /** Rejects when the host refuses. */
  async archive(host: RegisteredHost, session: SessionRef, wanted: boolean): Promise<void> {
    if (!wanted && this.hidden.has(session)) await this.hidden.set([session], false);
    const known = host.client.sessions.summary(session.uri);
    if (known && isArchived(known) === wanted) return;
    // A session that is no longer listed counts as archived. One that was never listed cannot be checked.
    const isDone = (summary: SessionSummary | undefined) => (summary ? isArchived(summary) === wanted : known !== undefined);
    const isV1 = host.client.dialect?.name === 'v1';
    const ways = [(model: SessionModel) => model.setArchived(wanted), ...(isV1 ? [(model: SessionModel) => model.setDone(wanted)] : [])];
    for (const how of ways) {
      await performSettled(host, session, how);
      if (isDone(await listedSummary(host, session)) || (await isAnnounced(host, session, isDone))) return;
    }
    const title = titleOf(host.client.sessions.summary(session.uri));
    if (wanted) await this.#offerToHide(session, l10n.t`${host.label} did not archive “${title}”.`);
    else throw new UserError(l10n.t`${host.label} did not unarchive “${title}”.`);
  }

  async #offerToHide(session: SessionRef, what: string): Promise<void> {
    if ((await showInfo(l10n.sentencesText([what, l10n.t('You can hide it in this window.')]), HIDE)) === HIDE)
      await this.hidden.set([session], true);
  }
}

/** Does something to a session. Rejects unless the host confirms it. */
export async function performSettled(
  { client }: RegisteredHost,
  { uri }: SessionRef,
  perform: (session: SessionModel) => Dispatched,
): Promise<void> {
  // A host sends the outcome only to subscribers of the session.
  const model = client.session(uri);
  try {
    await whenLive(model);
    const settlement = await perform(model).settled;
    if (settlement.kind === 'rejected') throw new UserError(l10n.t`The agent host refused: ${reasonText(settlement)}`);
    if (settlement.kind === 'unknown') throw new UserError(l10n.t`It is not known whether this was done: ${reasonText(settlement)}`);
  } finally {
    model.dispose();
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
      if (isDone(sessions.summary(uri))) settle(true);
    });
  });
}

async function listedSummary({ client }: RegisteredHost, { uri }: SessionRef): Promise<SessionSummary | undefined> {
  await client.listSessions();
  return client.sessions.summary(uri);
}

function titleOf(summary: SessionSummary | undefined): string {
  return summary ? sessionTitle(summary) : l10n.t('the session');
}
