/** Carries out what the user does to a session in its page, and tells the page what the host did not take. */
import { said } from '../../base/text/phrase.ts';
import { reasonText } from '../../ahp/client/resources/subscription.ts';
import * as l10n from '../../base/l10n.ts';
import type { ActionLike } from '../../ahp/common/reducers/reducer.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { englishOf, UserError } from '../../base/errors.ts';
import { ownChat } from '../../views/session/chats.ts';
import { uriOf } from '../../views/session/composer/attachments.ts';
import { sendLater } from '../../views/session/composer/composer.ts';
import { type Gesture, isMessage } from '../../views/session/sessionGesture.ts';
import { sameSession, type SessionRef } from '../../views/session/sessionRef.ts';
import type { ExtensionMessage, ResolveUnknownMessage, SessionGesture } from '../../webviews/session/protocol.ts';
import { carriedOut, type CarriedOut, carryOut, type Decided, type DecidedIn } from '../answering/carryOut.ts';
import { whyNotDone } from '../answering/whyNotDone.ts';
import { titleOf } from '../titleOf.ts';
import { agreesToUnasked } from './unaskedConsent.ts';
import type { Questions, SessionPageServices } from './sessionPageServices.ts';
import type { ShownSession } from './shownSession.ts';

const NOT_LENT = l10n.t('A file of it is not lent any more. Remove that file from the message, and attach it again.');
type MessageGesture = Gesture<'chat/turnStarted' | 'chat/pendingMessageSet'>;
type GestureServices = Pick<SessionPageServices, 'drafts' | 'hosts' | 'logger' | 'bridge' | 'showError'>;

export interface GesturePage {
  /** What the page shows by now. */
  readonly shown: ShownSession | undefined;
  /** The same, also where its host is not listed. */
  readonly ref: SessionRef | undefined;
  tell(message: ExtensionMessage): void;
}

export class Gestures {
  /** Numbers what was never sent, because the page gives the words of each number back once. */
  #lastUnsent = 0;

  constructor(
    private readonly services: GestureServices,
    private readonly questions: Pick<Questions, 'choose'>,
    private readonly page: GesturePage,
  ) {}

  /** `uri`: of the session or of one of its chats. `asked`: the `questionKey` of what is answered. */
  async dispatch(shown: ShownSession, uri: URI, action: SessionGesture, asked: string | undefined): Promise<void> {
    const { ref } = shown;
    const model = shown.get(uri);
    const isOfSession = action.type.startsWith('session/');
    if (!model || (isOfSession ? uri !== ref.uri : !shown.holds(uri)))
      return this.refuseUnsent(ref, uri, l10n.t('The chat was not shown any more.'), action);
    if (isMessage(action) && action.message.attachments?.some((one) => shown.host.lent?.isGone(uriOf(one) ?? '')))
      return this.refuseUnsent(ref, uri, NOT_LENT, action);
    if (action.type === 'session/configChanged') {
      if (!(await agreesToUnasked(this.questions, titleOf(this.services.hosts, ref), shown.session, action.config))) return undefined;
    }
    const prepared = isMessage(action) ? this.#prepared(shown, uri, action) : undefined;
    if (isMessage(action) && prepared) return this.#dispatchPrepared(shown, uri, action, prepared);
    return this.#carryOut(shown, model, action, { action, asked });
  }

  /** A message whose turns were taken away. It is sent also where the page shows another chat or session by now. */
  async sendAgain(shown: ShownSession, uri: URI, action: MessageGesture): Promise<void> {
    if (action.message.attachments?.some((one) => shown.host.lent?.isGone(uriOf(one) ?? '')))
      return this.refuseUnsent(shown.ref, uri, NOT_LENT, action);
    const prepared = this.#prepared(shown, uri, action);
    if (prepared) return this.#dispatchPrepared(shown, uri, action, prepared);
    const chat = shown.host.client.chat(uri);
    try {
      return await this.#carryOut(shown, chat, action, { action });
    } finally {
      chat.dispose();
    }
  }

  /** Undefined where providers add nothing: to chats other than the first one, for example. */
  #prepared({ ref, session }: ShownSession, uri: URI, { message }: MessageGesture): Promise<string> | undefined {
    return uri === (session ? ownChat(session) : ref.uri) ? this.services.bridge?.preparePrompt(ref, message.text) : undefined;
  }

  async resolveUnknown(shown: ShownSession, { clientSeq, how }: ResolveUnknownMessage): Promise<void> {
    const { host, models } = shown;
    for (const { uri, mirrored } of models) {
      const found = mirrored.pending.find((pending) => pending.clientSeq === clientSeq && pending.outcome === 'unknown');
      if (!found) continue;
      const again = host.client.resolveUnknown(uri, clientSeq, how);
      if (again) await this.#report(shown, uri, found.asked ?? found.action, carriedOut(again.clientSeq, await again.settled));
      else if (how === 'sendAgain')
        throw new UserError(l10n.t`${host.label} does not provide the state of this session, so nothing can be sent to it now.`);
      return;
    }
  }

  /** What cannot be sent is shown as what a host refuses. */
  refuseUnsent(ref: SessionRef, uri: URI, reason: string, action: ActionLike): Promise<void> {
    return this.#refuse(ref, uri, --this.#lastUnsent, reason, action);
  }

  /** The page shows the refusal where the action was done, and puts the text of a message back into the field in which it was typed. */
  async #refuse(ref: SessionRef, uri: URI, clientSeq: number, reason: string, action: ActionLike, outcome?: 'unknown'): Promise<void> {
    this.page.tell({ type: 'rejected', session: ref, uri, clientSeq, reason, action, ...(outcome && { outcome }) });
    if (sameSession(ref, this.page.ref)) return;
    const title = titleOf(this.services.hosts, ref);
    this.services.showError(
      outcome
        ? l10n.t`It is not known whether the host received what you did in “${title}”, which is not shown any more. ${reason}`
        : l10n.t`What you did was not accepted in “${title}”, which is not shown any more. ${reason}`,
    );
  }

  /** So that a reload of the window does not lose what was sent and not confirmed. */
  storeSentPrompts(chat: SessionRef, pending: readonly { readonly action: ActionLike }[]): void {
    this.services.drafts.sent
      .store(chat, pending)
      .catch((error: unknown) => this.services.logger.error(`Storing the sent prompts: ${englishOf(error)}`));
  }

  /** A new message of the user, with what tool providers add to it. */
  async #dispatchPrepared(shown: ShownSession, uri: URI, action: MessageGesture, prepared: Promise<string>): Promise<void> {
    const { ref } = shown;
    // The page may show another session by the time that it is prepared. What was sent goes to its own.
    const chat = shown.host.client.chat(uri);
    try {
      // Stored first, while it is being prepared.
      this.storeSentPrompts({ hostId: ref.hostId, uri }, [...chat.pending, { action }]);
      const message = { ...action, message: { ...action.message, text: await prepared } };
      const { state } = chat;
      const sent = state ? sendLater(state, message, new Date().toISOString()) : message;
      await this.#carryOut(shown, chat, action, { action: sent });
    } finally {
      chat.dispose();
    }
  }

  /** `asked`: as the page said it. */
  async #carryOut(shown: ShownSession, model: DecidedIn, asked: ActionLike, decided: Decided): Promise<void> {
    const whyNot = () => whyNotDone(this.services.hosts, shown);
    const why = whyNot();
    if (why !== undefined) return this.refuseUnsent(shown.ref, model.uri, l10n.t`${said(why)} Nothing was sent.`, asked);
    return this.#report(shown, model.uri, asked, await carryOut(model, { decide: () => decided, whyNot }));
  }

  async #report({ host, ref }: ShownSession, uri: URI, action: ActionLike, done: CarriedOut): Promise<void> {
    switch (done.kind) {
      case 'confirmed':
        return undefined;
      case 'outdated':
        return this.refuseUnsent(ref, uri, l10n.t('Something else is asked by now. Nothing was sent.'), action);
      case 'notSent':
        return this.refuseUnsent(ref, uri, l10n.t`${reasonText(done)}. Nothing was sent.`, action);
      case 'rejected':
      case 'unknown': {
        const { kind, reason, clientSeq } = done;
        if (kind === 'unknown' && !this.#isOver(clientSeq, action)) return undefined;
        this.services.logger.info(`${action.type} ${kind === 'unknown' ? 'was not answered' : 'was refused'} by ${host.label}: ${reason}`);
        return this.#refuse(ref, uri, clientSeq, reasonText(done), action, kind === 'unknown' ? kind : undefined);
      }
    }
  }

  /** True when the user has nothing to decide about an action of unknown outcome. The page lists pending actions, and prompts outlive the client. */
  #isOver(clientSeq: number, action: ActionLike): boolean {
    if (isMessage(action) || action.type === 'chat/inputAnswerChanged') return false;
    const models = this.page.shown?.models ?? [];
    return !models.some(({ mirrored }) => mirrored.pending.some((one) => one.clientSeq === clientSeq));
  }
}
