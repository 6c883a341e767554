/** Going back in the chat that is shown: the message that is edited in its place, and the requests to the extension, which asks the user. */
import * as l10n from '../../../base/l10n.ts';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ActiveTurn, Turn } from '../../../ahp/channels/chat/state.ts';
import type { Message } from '../../../ahp/channels/shapes/message.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { messageOf } from '../../../base/errors.ts';
import { sameJson } from '../../../base/sameJson.ts';
import { chooseModel, wordsOf } from '../../../views/session/composer/composer.ts';
import type { OpenChat } from '../../../views/session/openChat.ts';
import { canGoBack, isOwnMessage, lastMessage, type WayBackKind } from '../../../views/session/wayBack/wayBack.ts';
import { sameSession, type SessionRef, sessionKey } from '../../../views/session/sessionRef.ts';
import { draftOf, giveBack as withMessage, saveDraft } from '../drafts/chatDrafts.ts';
import { request } from '../page/pageRequests.ts';
import type { WayBackOffer } from '../page/sessionContext.tsx';
import type { SessionPort } from '../page/sessionPort.ts';
import { persist, readPersisted } from '../page/pageShell.ts';
import type { Draft } from '../protocol.ts';

interface Composer {
  focus(): void;
  giveBack(message: Message): void;
  add(draft: Draft): void;
  say(problem: string): void;
}

interface Place {
  port: SessionPort;
  hostId: string;
  chat: URI | undefined;
  /** Where the draft of the chat is kept. */
  draft: SessionRef;
  open: OpenChat | undefined;
  /** Nothing can be done, only looked at. */
  isBlocked: boolean;
  composer: { current: Composer | null };
  /** A message was sent. */
  onSent(): void;
}

interface Edit {
  turnId: string;
  words: string;
}

export function useWayBack(place: Place) {
  const latest = useRef(place);
  latest.current = place;
  const [isGoing, setGoing] = useState(false);
  const going = useRef(false);
  const [, redraw] = useState(0);
  const { open, isBlocked } = place;
  const edit = editOf(place);
  const edited = edit?.turnId;
  const isOffered = !isBlocked && open !== undefined && canGoBack(open);

  const actions = useMemo(() => {
    const keep = (next: Edit | undefined, of = latest.current) => {
      persist('forms', formOf(of), next);
      redraw((count) => count + 1);
    };
    const ask = async (turnId: string, how: WayBackKind, words?: string) => {
      const from = latest.current;
      const { port, chat, open: at } = from;
      const message = at && turnOf(at, turnId)?.message;
      if (going.current || chat === undefined || !message) return;
      going.current = true;
      setGoing(true);
      try {
        const { isDone } = await request(port.post, 'goBack', { chat, turnId, how, ...(words !== undefined && { words }) });
        if (!isDone) return;
        if (how === 'edit' && editOf(from)?.turnId === turnId) keep(undefined, from);
        const { composer, draft } = latest.current;
        // The user may have gone on to another chat or session meanwhile.
        if (!composer.current || !sameSession(draft, from.draft)) {
          if (how === 'back' && isOwnMessage(message)) saveDraft(from.draft, withMessage(draftOf(from.draft), message));
          return;
        }
        if (how === 'back') giveBack(message);
        else latest.current.onSent();
        composer.current.focus();
      } catch (error) {
        latest.current.composer.current?.say(
          l10n.sentencesText([messageOf(error), l10n.t('Look at the conversation before you try again.')]),
        );
      } finally {
        going.current = false;
        setGoing(false);
      }
    };
    /** What is in the composer stays, after the words that are back. */
    const giveBack = (message: Message) => {
      const { port, chat, open: at, composer } = latest.current;
      if (!isOwnMessage(message)) return;
      composer.current?.giveBack(message);
      const { model } = message;
      if (at && chat !== undefined && model && !sameJson(model, at.chat.draft?.model)) port.dispatch(chat, chooseModel(at.chat, model));
    };
    const begin = (turnId: string) => {
      const { open: at, composer } = latest.current;
      const message = at && turnOf(at, turnId)?.message;
      const before = editOf(latest.current);
      if (!message || going.current || before?.turnId === turnId) return;
      // One is edited at a time. What was typed in the other one is not lost.
      const other = before && turnOf(at, before.turnId);
      if (before && (!other || wordsOf(other.message) !== before.words)) composer.current?.add({ text: before.words, attachments: [] });
      keep({ turnId, words: wordsOf(message) });
    };
    const ofLast = (how: WayBackKind) => {
      const { open: at } = latest.current;
      const last = at && lastMessage(at.chat);
      if (!last || (how !== 'back' && !isOwnMessage(last.message))) return;
      if (how === 'edit') begin(last.turnId);
      else void ask(last.turnId, how);
    };
    return {
      keep,
      ofLast,
      offer: {
        go: (turnId: string, how: 'back' | 'retry') => void ask(turnId, how),
        beginEdit: begin,
        words: () => editOf(latest.current)?.words ?? '',
        type(words: string) {
          const current = editOf(latest.current);
          if (current) persist('forms', formOf(latest.current), { ...current, words });
        },
        sendEdited() {
          const current = editOf(latest.current);
          if (current) void ask(current.turnId, 'edit', current.words);
        },
        cancelEdit: () => keep(undefined),
      },
    };
  }, []);

  // Another client has taken the message away. What was typed goes to the composer. Among older turns that are not loaded it may still be there.
  const isWhole = open !== undefined && open.chat.turnsNextCursor === undefined;
  const isGone = edited !== undefined && isWhole && !isGoing && !turnOf(open, edited);
  useLayoutEffect(() => {
    const current = editOf(latest.current);
    if (!isGone || !current || going.current) return;
    actions.keep(undefined);
    latest.current.composer.current?.add({ text: current.words, attachments: [] });
  }, [isGone, actions]);

  const offer = useMemo((): WayBackOffer => ({ ...actions.offer, isOffered, edited, isGoing }), [actions, isOffered, edited, isGoing]);
  return { offer, ofLast: actions.ofLast };
}

function formOf({ hostId, chat = '' }: Place): string {
  return `${sessionKey({ hostId, uri: chat })}\nedit`;
}

function editOf(place: Place): Edit | undefined {
  return readPersisted().forms[formOf(place)] as Edit | undefined;
}

function turnOf({ chat }: OpenChat, turnId: string): Turn | ActiveTurn | undefined {
  return chat.activeTurn?.id === turnId ? chat.activeTurn : chat.turns.find(({ id }) => id === turnId);
}
