/** The draft of a chat that all its clients share: what a page does with what another client has typed, and what it tells of its own. */
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { Message, MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import { sameJson } from '../../../base/sameJson.ts';
import type { Gesture } from '../sessionGesture.ts';

export interface Words {
  readonly text: string;
  readonly attachments: readonly MessageAttachment[];
}

const none: Words = { text: '', attachments: [] };

export function sharedWords({ draft }: Pick<ChatState, 'draft'>): Words {
  return draft ? { text: draft.text, attachments: draft.attachments ?? [] } : none;
}

export function isEmptyDraft({ text, attachments }: Words): boolean {
  return text.trim() === '' && attachments.length === 0;
}

export interface Meeting {
  /** What is in the composer. */
  readonly local: Words;
  /** What came into the composer from another client, if it did. */
  readonly followed: Words | undefined;
  /** What the host had when the user or this page dealt with it last. */
  readonly known: Words;
  /** What the host has. */
  readonly remote: Words;
  /** The user is in the composer. */
  readonly hasFocus: boolean;
}

/**
 * `follow`: the composer gets what the host has. `offer`: the user is told of it and chooses. Nothing that was typed here is replaced by itself,
 * and nothing changes in a composer in which the user may press Enter, except that it becomes empty.
 */
export function meet({ local, followed, known, remote, hasFocus }: Meeting): 'nothing' | 'follow' | 'offer' {
  if (same(remote, known) || same(remote, local)) return 'nothing';
  const isUntouched = isEmptyDraft(local) || (followed !== undefined && same(local, followed));
  if (isEmptyDraft(remote)) return isUntouched ? 'follow' : 'nothing';
  // What others attach goes to the model, so the user sees it before it is in a message.
  return isUntouched && !hasFocus && remote.attachments.length === 0 ? 'follow' : 'offer';
}

/** What tells the host of these words. The model that is chosen for the message stays. Undefined where the host has them already. */
export function shareDraft(chat: ChatState, words: Words): Gesture<'chat/draftChanged'> | undefined {
  if (same(sharedWords(chat), words)) return undefined;
  const { text: _text, attachments: _attachments, ...rest } = chat.draft ?? { origin: { kind: 'user' as const } };
  const isCleared = isEmptyDraft(words) && Object.keys(rest).every((key) => key === 'origin');
  if (isCleared) return { type: 'chat/draftChanged' };
  const draft: Message = { ...rest, text: words.text, ...(words.attachments.length > 0 && { attachments: [...words.attachments] }) };
  return { type: 'chat/draftChanged', draft };
}

export function same(one: Words, other: Words): boolean {
  return one.text === other.text && sameJson(one.attachments, other.attachments);
}
