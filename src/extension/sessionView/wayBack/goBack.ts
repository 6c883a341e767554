/** Goes back in a chat: asks first, undoes what the turns changed in files if the user wants it, takes the turns away, and sends what is sent again. */
import type { ChatModel } from '../../../ahp/client/model/chatModel.ts';
import { whenLive } from '../../../ahp/client/resources/whenLive.ts';
import type { Message } from '../../../ahp/channels/shapes/message.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { UserError, withTimeout } from '../../../base/errors.ts';
import { isReadOnly } from '../../../views/session/composer/composer.ts';
import { uriOf } from '../../../views/session/composer/attachments.ts';
import { folderOf } from '../../../views/session/openChat.ts';
import { isSameWay, type WayBack, type WayBackKind, wayBack } from '../../../views/session/wayBack/wayBack.ts';
import { goOnQuestion, wayBackQuestion } from '../../../views/session/wayBack/wayBackQuestion.ts';
import { wellFormedChat } from '../../../views/wellFormed/index.ts';
import type { ShownSession } from '../shownSession.ts';
import { changesOfTurns, undoTurns } from './turnChanges.ts';

/** Until a turn that was stopped is over. */
const STOP_MS = 30_000;
const CHANGED = 'Nothing was done, because the conversation has changed meanwhile. Look at it, and choose again.';

export interface WayBackRequest {
  readonly chat: URI;
  /** The message is that of this turn. */
  readonly turnId: string;
  readonly how: WayBackKind;
  /** For `edit`: the new words. */
  readonly words?: string | undefined;
}

interface WayBackServices {
  /** Undefined: the user has left the question. */
  choose(question: string, detail: string, ...answers: string[]): Promise<string | undefined>;
  confirm(question: string, detail: string, yes: string): Promise<boolean>;
  /** Starts a turn with the message. */
  send(message: Message): void;
}
type Shown = Pick<ShownSession, 'host' | 'session' | 'holds'>;

/** False: the user has left the question. Rejects with a text for the user. */
export async function goBack(shown: Shown, request: WayBackRequest, { choose, confirm, send }: WayBackServices): Promise<boolean> {
  const { host, session } = shown;
  if (host.client.state.kind !== 'connected') throw new UserError(`${host.label} is not connected. Try again when it is.`);
  if (!session || !shown.holds(request.chat)) throw new UserError('The chat is not shown any more.');
  const chat = host.client.chat(request.chat);
  try {
    await whenLive(chat);
    const way = wayOf(chat, request);
    if (way?.message?.attachments?.some((one) => host.lent.isGone(uriOf(one) ?? '')))
      throw new UserError('Nothing was done, because a file of the message is not lent any more. Send a new message with the file in it.');
    const folder = folderOf(session);
    let found = await changesOfTurns(host.client, session, folder, way.turns);
    const asked = wayBackQuestion(way, found.paths);
    const chosen = asked && (await choose(asked.question, asked.detail, ...asked.answers.map(({ label }) => label)));
    if (asked && chosen === undefined) return false;
    const now = wayOf(chat, request);
    if (!isSameWay(way, now)) throw new UserError(CHANGED);
    if (asked?.answers.find(({ label }) => label === chosen)?.undo) {
      if (now.isRunning) {
        await stopped(chat);
        if (!isSameWay(way, wayOf(chat, request))) throw new UserError(CHANGED);
        found = await changesOfTurns(host.client, session, folder, now.turns);
      }
      const left = await undoTurns(host.client, found.changes);
      const again = left.length > 0 ? goOnQuestion(left) : undefined;
      if (again && !(await confirm(again.question, again.detail, again.yes))) return false;
    }
    await truncate(chat, way);
    if (way.message) send(way.message);
    return true;
  } finally {
    chat.dispose();
  }
}

function wayOf(chat: ChatModel, { turnId, how, words }: WayBackRequest): WayBack {
  const state = chat.state && wellFormedChat(chat.state);
  if (!state || isReadOnly(state)) throw new UserError('This chat can only be read.');
  const way = wayBack(state, turnId, how, words);
  if (way === 'unloaded') throw new UserError('What comes before this message is not loaded. Load older turns first, then choose again.');
  if (!way) throw new UserError(state.turns.some(({ id }) => id === turnId) ? 'The message is empty.' : CHANGED);
  return way;
}

/** Hosts undo nothing while a turn runs. */
async function stopped(chat: ChatModel): Promise<void> {
  const settlement = await chat.stop().settled;
  if (settlement.kind !== 'confirmed' && chat.state?.activeTurn)
    throw new UserError(`Nothing was undone, because the turn that runs was not stopped. ${settlement.reason}`);
  let stop = () => undefined as void;
  const over = new Promise<void>((resolve) => {
    const look = () => void (chat.state?.activeTurn || resolve());
    const listening = chat.onDidChange(look);
    stop = () => listening.dispose();
    look();
  });
  try {
    await withTimeout(over, STOP_MS, 'the end of the turn');
  } finally {
    stop();
  }
}

/** It names the turn that stays, so nothing happens where somebody else has removed it. What was added since would go, too, so that is looked at once more. */
async function truncate(chat: ChatModel, way: WayBack): Promise<void> {
  const first = way.turns[0]?.id ?? '';
  if (!isSameWay(way, wayOf(chat, { chat: chat.uri, turnId: first, how: 'back' }))) throw new UserError(CHANGED);
  const settlement = await chat.truncate(way.keeps).settled;
  if (settlement.kind === 'confirmed') return;
  const what = settlement.kind === 'unknown' ? 'It is not known whether the host went back.' : 'The conversation stays as it is.';
  throw new UserError(`${what} ${settlement.reason}`);
}
