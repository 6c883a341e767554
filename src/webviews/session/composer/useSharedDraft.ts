/** Keeps the draft of the composer and the one that all clients of the chat share together. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import { isEmptyDraft, meet, same, shareDraft, sharedWords, type Words } from '../../../views/session/composer/sharedDraft.ts';
import type { Draft } from '../protocol.ts';
import { giveBack } from '../drafts/chatDrafts.ts';
import { useSession } from '../page/sessionContext.tsx';

const nothing: Words = { text: '', attachments: [] };
/** After the user has stopped typing. */
const SHARE_DELAY_MS = 1_000;

export interface OfferedDraft {
  readonly words: Words;
  use(): void;
  dismiss(): void;
}

interface SharedDraftProps {
  /** Undefined where there is none, or where clients share no drafts. */
  chat: ChatState | undefined;
  draft: Draft;
  setDraft(draft: Draft): void;
  hasFocus(): boolean;
  /** The user wants other clients to see what they type. */
  shares: boolean;
  /** Nothing can be sent now. */
  isBlocked: boolean;
}

/** `sent`: to be called when what is in the composer was sent. */
export function useSharedDraft(props: SharedDraftProps): { offered: OfferedDraft | undefined; sent(words: Words): void } {
  const { chat, draft, setDraft, hasFocus, shares, isBlocked } = props;
  const { chat: uri, dispatch } = useSession();
  const known = useRef<Words>(nothing);
  const followed = useRef<Words>(undefined);
  const [, redraw] = useState(0);
  const remote = chat && sharedWords(chat);
  const meeting = remote
    ? meet({ local: draft, followed: followed.current, known: known.current, remote, hasFocus: hasFocus() || Boolean(draft.items?.length) })
    : 'nothing';
  // A delayed one goes to the chat as it is by then, with the model that is chosen then.
  const latest = useRef(chat);
  latest.current = chat;
  const told = useRef<Words>(undefined);
  const tell = (words: Words) => {
    const gesture = latest.current && shareDraft(latest.current, words);
    if (!gesture) return;
    known.current = words;
    told.current = words;
    dispatch(uri, gesture);
  };
  const dealWith = (words: Words) => {
    known.current = words;
    redraw((count) => count + 1);
  };
  useEffect(() => {
    if (!remote) return;
    if (meeting === 'follow') {
      known.current = remote;
      followed.current = remote;
      setDraft({ text: remote.text, attachments: [...remote.attachments], ...(draft.items && { items: draft.items }) });
    } else if (same(remote, draft)) known.current = remote;
  });
  const text = JSON.stringify([draft.text, draft.attachments]);
  useEffect(() => {
    // What another client types is not replaced before the user has dealt with it.
    if (!shares || isBlocked || meeting !== 'nothing' || same(draft, known.current)) return undefined;
    const timer = setTimeout(() => tell({ text: draft.text, attachments: draft.attachments }), SHARE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, shares, isBlocked, uri, meeting]);
  const offered =
    remote && meeting === 'offer'
      ? {
          words: remote,
          use: () => {
            const message = { text: remote.text, origin: { kind: 'user' as const }, attachments: [...remote.attachments] };
            setDraft(giveBack(draft, message));
            dealWith(remote);
          },
          dismiss: () => dealWith(remote),
        }
      : undefined;
  const sent = (words: Words) => {
    // What others type in the meantime stays.
    const isSent = remote !== undefined && (same(remote, words) || (told.current !== undefined && same(remote, told.current)));
    if (isSent && !isEmptyDraft(remote)) tell(nothing);
  };
  return { offered, sent };
}
