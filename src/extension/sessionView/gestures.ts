/** Carries out what the user does to a session in its page, and tells the page what the host did not take. */
import type { PendingAction } from '../../ahp/client/resources/pending.ts';
import type { Dispatched } from '../../ahp/client/resources/subscription.ts';
import { isSubagentOf } from '../../ahp/subagentUri.ts';
import type { StateAction } from '../../ahp/v1/actions.ts';
import type { SessionState } from '../../ahp/v1/session.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { sendLater } from '../../views/session/composer/composer.ts';
import { sameSession, type SessionRef } from '../../views/session/sessionRef.ts';
import type { ExtensionMessage, ResolveUnknownMessage, SessionGesture } from '../../webviews/session/protocol.ts';
import { showError } from '../notifications.ts';
import { titleOf } from '../sessions/titleOf.ts';
import { agreesToUnasked } from './consent.ts';
import type { SessionServices } from './sessionServices.ts';
import type { ShownSession } from './shownSession.ts';

type MessageGesture = Extract<SessionGesture, { type: 'session/turnStarted' | 'session/pendingMessageSet' }>;
type GestureServices = Pick<SessionServices, 'drafts' | 'hosts' | 'logger' | 'preparePrompt'>;

export interface GesturePage {
  /** What the page shows by now. */
  readonly shown: ShownSession | undefined;
  /** The same, also where its host is not listed. */
  readonly ref: SessionRef | undefined;
  tell(message: ExtensionMessage): void;
}

export class Gestures {
  constructor(
    private readonly services: GestureServices,
    private readonly page: GesturePage,
  ) {}

  async dispatch(shown: ShownSession, action: SessionGesture): Promise<void> {
    const { host, ref } = shown;
    if (action.session !== ref.uri && !isSubagentOf(action.session, ref.uri)) {
      throw new Error('The session view acted on a session that it does not show.');
    }
    if (action.type === 'session/configChanged') {
      const session = shown.session(action.session);
      if (!(await agreesToUnasked(titleOf(this.services.hosts, ref), session, action.config))) return;
    }
    const isMessage = action.type === 'session/turnStarted' || action.type === 'session/pendingMessageSet';
    const prepared = isMessage && action.session === ref.uri ? this.services.preparePrompt(ref, action.userMessage.text) : undefined;
    if (isMessage && prepared) await this.#dispatchPrepared(shown, action, prepared);
    else await this.#reportRefusal(shown, action, host.client.dispatch(action.session, action));
  }

  async resolveUnknown(shown: ShownSession, { clientSeq, how }: ResolveUnknownMessage): Promise<void> {
    const { host, subscriptions } = shown;
    for (const subscription of subscriptions) {
      const found = subscription.pending.find((pending) => pending.clientSeq === clientSeq && pending.outcome === 'unknown');
      if (!found) continue;
      const again = host.client.resolveUnknown(subscription.uri, clientSeq, how);
      if (again) await this.#reportRefusal(shown, found.action, again);
      else if (how === 'sendAgain')
        throw new UserError(`${host.label} does not provide the state of this session, so nothing can be sent to it now.`);
      return;
    }
  }

  /** The page shows the refusal where the action was done, and puts the text of a message back into the field in which it was typed. */
  async refuse(ref: SessionRef, clientSeq: number, reason: string, action: StateAction, outcome?: 'unknown'): Promise<void> {
    this.page.tell({ type: 'rejected', session: ref, clientSeq, reason, action, ...(outcome && { outcome }) });
    if (sameSession(ref, this.page.ref)) return;
    const what = outcome ? 'It is not known whether the host received what you did' : 'What you did was not accepted';
    await showError(`${what} in “${titleOf(this.services.hosts, ref)}”, which is not shown any more. ${reason}`);
  }

  /** So that a reload of the window does not lose what was sent and not confirmed. */
  storeSentPrompts(ref: SessionRef, pending: readonly PendingAction[]): void {
    this.services.drafts.sent
      .store(ref, pending)
      .catch((error: unknown) => this.services.logger.error(`Storing the sent prompts: ${messageOf(error)}`));
  }

  /** A new message of the user, with what tool providers add to it. */
  async #dispatchPrepared(shown: ShownSession, action: MessageGesture, prepared: Promise<string>): Promise<void> {
    const { host, ref } = shown;
    const subscription = () => this.page.shown?.get(ref.uri);
    // Stored first, while it is being prepared.
    this.storeSentPrompts(ref, [...(subscription()?.pending ?? []), { clientSeq: 0, action }]);
    const message = { ...action, userMessage: { ...action.userMessage, text: await prepared } };
    const state = subscription()?.state as SessionState | undefined;
    let dispatched: Dispatched;
    try {
      dispatched = host.client.dispatch(ref.uri, state ? sendLater(state, message) : message);
    } catch (error) {
      // The connection to the host has ended meanwhile.
      await this.refuse(ref, 0, messageOf(error), action);
      return;
    }
    await this.#reportRefusal(shown, action, dispatched);
  }

  async #reportRefusal({ host, ref }: ShownSession, action: StateAction, { clientSeq, settled }: Dispatched): Promise<void> {
    const settlement = await settled;
    if (settlement.kind === 'confirmed') return;
    const { kind, reason } = settlement;
    if (kind === 'unknown' && !this.#isOver(clientSeq, action)) return;
    this.services.logger.info(`${action.type} ${kind === 'unknown' ? 'was not answered' : 'was refused'} by ${host.label}: ${reason}`);
    await this.refuse(ref, clientSeq, reason, action, kind === 'unknown' ? kind : undefined);
  }

  /** True when the user has nothing to decide about an action of unknown outcome. The page lists pending actions, and prompts outlive the client. */
  #isOver(clientSeq: number, { type }: StateAction): boolean {
    if (type === 'session/turnStarted' || type === 'session/pendingMessageSet' || type === 'session/inputAnswerChanged') return false;
    const subscriptions = this.page.shown?.subscriptions ?? [];
    return !subscriptions.some(({ pending }) => pending.some((one) => one.clientSeq === clientSeq));
  }
}
