/** Goes back in a chat: asks first, undoes what the turns changed in files if the user wants it, takes the turns away, and sends what is sent again. */
import { said } from '../../base/text/phrase.ts';
import { reasonText } from '../../ahp/client/resources/subscription.ts';
import * as l10n from '../../base/l10n.ts';
import type { ChatModel } from '../../ahp/client/model/chatModel.ts';
import type { WhyNot } from '../../ahp/client/resources/unsettled.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { unlessAborted, UserError, withTimeout } from '../../base/errors.ts';
import { isReadOnly } from '../../views/session/composer/composer.ts';
import { uriOf } from '../../views/session/composer/attachments.ts';
import { folderOf } from '../../views/session/openChat.ts';
import { isSameWay, type WayBack, type WayBackKind, wayBack } from '../../views/session/wayBack/wayBack.ts';
import { goOnQuestion, type WayBackChoice, wayBackQuestion } from '../../views/session/wayBack/wayBackQuestion.ts';
import type { ShownHost } from '../shownHost.ts';
import { changesOfTurns, type ChangesOfTurns, undoTurns } from './turnChanges.ts';

/** Until a turn that was stopped is over. */
const STOP_MS = 30_000;
export interface WayBackRequest {
  readonly chat: URI;
  /** The message is that of this turn. */
  readonly turnId: string;
  readonly how: WayBackKind;
  /** For `edit`: the new words. */
  readonly words?: string | undefined;
}

interface WayBackServices {
  /** Undefined: the user has left the question. Enter takes the first answer. */
  choose(question: string, detail: string, ...answers: string[]): Promise<string | undefined>;
  /** Starts a turn with the message. */
  send(message: Message): void;
  /** Says what is waited for. The signal is aborted when the user does not want to wait any longer. */
  wait<T>(title: string, task: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Why nothing may be done to the session any more. */
  readonly whyNot: WhyNot;
}
interface SessionView {
  readonly host: Pick<ShownHost, 'client' | 'label' | 'lent'>;
  readonly session: SessionState | undefined;
  /** True for the session's chats. */
  holds(uri: URI): boolean;
}

/** False: the user has left a question, or does not wait any longer. Rejects with a text for the user, which begins with what was done. */
export async function goBack(shown: SessionView, request: WayBackRequest, services: WayBackServices): Promise<boolean> {
  const { host, session } = shown;
  checkCanDo(host, services.whyNot, []);
  if (!session || !shown.holds(request.chat)) throw new UserError(l10n.t('The chat is not shown any more.'));
  const chat = host.client.chat(request.chat);
  const { send, wait, whyNot } = services;
  /** What the user is told when something else fails. */
  const done: string[] = [];
  const check = () => checkCanDo(host, whyNot, done);
  /** Asks nothing that cannot be done, and takes no answer to what cannot be done any more. */
  const choose: WayBackServices['choose'] = async (...asked) => {
    check();
    const answer = await services.choose(...asked);
    if (answer !== undefined) check();
    return answer;
  };
  const folder = folderOf(session);
  const look = async ({ turns }: WayBack) => {
    const title = l10n.t('Looking at what the turns changed');
    return wait(title, async (signal) => {
      const found = await changesOfTurns(host.client, session, folder, turns, { signal });
      return signal.aborted ? undefined : found;
    });
  };
  const ask = async (way: WayBack, { paths, subagents }: ChangesOfTurns): Promise<WayBackChoice> => {
    const asked = wayBackQuestion(way, paths, subagents);
    if (!asked) return 'keep';
    const chosen = await choose(asked.question, asked.detail, ...asked.answers.map(({ label }) => label));
    return asked.answers.find(({ label }) => label === chosen)?.choice ?? 'nothing';
  };
  /** The same turns, after something was waited for. */
  const stillThere = (way: WayBack): WayBack => {
    check();
    const now = wayOf(chat, request, done);
    if (!isSameWay(way, now)) throw hasChanged(done);
    return now;
  };
  try {
    const isThere = await wait(l10n.t('Waiting for the chat'), (signal) => unlessLeft(whenLive(chat), signal));
    if (!isThere) return false;
    const way = wayOf(chat, request, done);
    if (way.message?.attachments?.some((one) => host.lent?.isGone(uriOf(one) ?? '')))
      throw new UserError(
        l10n.t('Nothing was done, because a file of the message is not lent any more. Send a new message with the file in it.'),
      );
    let found = await look(way);
    if (!found) return false;
    let choice = await ask(way, found);
    if (choice === 'nothing') return false;
    const now = stillThere(way);
    if (choice === 'undo' && now.isRunning) {
      if (!(await wait(l10n.t('Stopping the turn that runs'), (signal) => unlessLeft(stopped(chat, whyNot), signal)))) return false;
      done.push(l10n.t('The turn that ran was stopped.'));
      const ended = stillThere(way);
      const shownPaths = new Set(found.paths.undoable);
      found = await look(ended);
      if (!found) return false;
      // It may have changed more until it was stopped.
      if (found.paths.undoable.some((path) => !shownPaths.has(path))) choice = await ask(ended, found);
      if (choice === 'nothing') return false;
      stillThere(way);
    }
    if (choice === 'undo') {
      const { changes } = found;
      const { some, left } = await wait(l10n.t('Undoing the changes of the turns'), (signal) =>
        undoTurns(host.client, changes, { signal, whyNot }),
      );
      if (some) done.push(left.length > 0 ? l10n.t('Some changes in files were undone.') : l10n.t('The changes in files were undone.'));
      if (left.length > 0) {
        const { question, detail, yes, no } = goOnQuestion(way.kind, left);
        if ((await choose(question, detail, no, yes)) !== yes) return false;
      }
    }
    check();
    await truncate(chat, way, done, whyNot);
    if (way.message) send(way.message);
    return true;
  } finally {
    chat.dispose();
  }
}

/** False: the user does not wait for it any longer. */
async function unlessLeft(waited: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  try {
    await unlessAborted(waited, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

function checkCanDo({ client, label }: SessionView['host'], whyNot: WhyNot, done: readonly string[]): void {
  const why = whyNot();
  if (why !== undefined)
    throw new UserError(
      afterDone(done, done.length > 0 ? l10n.t`${said(why)} No turns were taken away.` : l10n.t`${said(why)} Nothing was done.`),
    );
  if (client.state.kind !== 'connected') throw new UserError(afterDone(done, l10n.t`${label} is not connected. Try again when it is.`));
}

function hasChanged(done: readonly string[]): UserError {
  const why =
    done.length > 0
      ? l10n.t('No turns were taken away, because the conversation has changed meanwhile. Look at it, and choose again.')
      : l10n.t('Nothing was done, because the conversation has changed meanwhile. Look at it, and choose again.');
  return new UserError(afterDone(done, why));
}

function afterDone(done: readonly string[], text: string): string {
  return l10n.sentencesText([...done, text]);
}

function wayOf(chat: ChatModel, { turnId, how, words }: Omit<WayBackRequest, 'chat'>, done: readonly string[]): WayBack {
  const { state } = chat;
  if (!state || isReadOnly(state)) throw new UserError(afterDone(done, l10n.t('This chat can only be read.')));
  const way = wayBack(state, turnId, how, words);
  if (way === 'unloaded')
    throw new UserError(
      afterDone(done, l10n.t('What comes before this message is not loaded. Load older turns first, then choose again.')),
    );
  if (!way)
    throw state.turns.some(({ id }) => id === turnId) ? new UserError(afterDone(done, l10n.t('The message is empty.'))) : hasChanged(done);
  return way;
}

/** Hosts undo nothing while a turn runs. */
async function stopped(chat: ChatModel, whyNot: WhyNot): Promise<void> {
  const settlement = await chat.stop(undefined, whyNot).settled;
  if (settlement.kind !== 'confirmed' && chat.state?.activeTurn)
    throw new UserError(l10n.t`Nothing was undone, because the turn that runs was not stopped. ${reasonText(settlement)}`);
  let stop = () => undefined as void;
  const over = new Promise<void>((resolve) => {
    const look = () => void (chat.state?.activeTurn || resolve());
    const listening = chat.onDidChange(look);
    stop = () => listening.dispose();
    look();
  });
  try {
    await withTimeout(over, STOP_MS, l10n.t('the end of the turn'));
  } finally {
    stop();
  }
}

/** It names the turn that stays, so nothing happens where somebody else has removed it. What was added since would go, too, so that is looked at once more. */
async function truncate(chat: ChatModel, way: WayBack, done: readonly string[], whyNot: WhyNot): Promise<void> {
  const first = way.turns[0]?.id ?? '';
  if (!isSameWay(way, wayOf(chat, { turnId: first, how: 'back' }, done))) throw hasChanged(done);
  const settlement = await chat.truncate(way.keeps, whyNot).settled;
  if (settlement.kind === 'confirmed') return;
  const { kind, reason } = settlement;
  const what =
    kind === 'unknown' ? l10n.t`It is not known whether the turns were taken away. ${reason}` : l10n.t`No turns were taken away. ${reason}`;
  throw new UserError(afterDone(done, what));
}
