/** Unsent messages by chat, or by session until its chats are known. They are stored in the state of the page at once, and by the extension after a short delay. */
import type { Message, MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import { uriOf } from '../../../views/session/composer/attachments.ts';
import { splitContext } from '../../../base/text/contextBlock.ts';
import { itemsOf } from '../../../views/session/composer/contextItems.ts';
import { type SessionRef, sessionKey } from '../../../views/session/sessionRef.ts';
import type { Draft } from '../protocol.ts';
import { persist, readPersisted, sessionPort } from '../page/pageShell.ts';

const POST_DELAY_MS = 300;
export const emptyDraft: Draft = { text: '', attachments: [] };

/** By session: what the user has typed or pasted into its draft here. What came into it in any other way is a message, whatever it says. */
const typed = new Map<string, string>();

/** To be called before the text is saved. */
export function noteTyped(session: SessionRef, text: string): void {
  typed.set(sessionKey(session), text);
}

/** All of the text is the user's own. */
export function isTyped(session: SessionRef, { text }: Draft): boolean {
  return text.trim() === '' || typed.get(sessionKey(session)) === text;
}

const unposted = new Map<string, { session: SessionRef; timer: ReturnType<typeof setTimeout> }>();

export function draftOf(session: SessionRef): Draft {
  return readPersisted().drafts[sessionKey(session)] ?? emptyDraft;
}

export function saveDraft(session: SessionRef, draft: Draft): void {
  const key = sessionKey(session);
  if (typed.get(key) !== draft.text) typed.delete(key);
  persist('drafts', key, isEmpty(draft) ? undefined : draft);
  clearTimeout(unposted.get(key)?.timer);
  // An empty draft is posted at once, so that a sent message does not come back.
  if (isEmpty(draft)) postDraft(session);
  else unposted.set(key, { session, timer: setTimeout(() => postDraft(session), POST_DELAY_MS) });
}

/** Posts all delayed drafts, because the page may be closed soon. */
export function postDrafts(): void {
  for (const { session, timer } of unposted.values()) {
    clearTimeout(timer);
    postDraft(session);
  }
}

function postDraft(session: SessionRef): void {
  unposted.delete(sessionKey(session));
  sessionPort(session).post({ type: 'draft', draft: draftOf(session) });
}

/** Puts a message back into a draft, before what was typed since. */
export function giveBack(draft: Draft, message: Message): Draft {
  // What providers add is added again when it is sent.
  const { parts, words } = splitContext(message.text);
  return withDraft(draft, { text: words, attachments: message.attachments ?? [], items: itemsOf(parts) });
}

/** Puts an earlier draft before what was typed since. */
export function withDraft(draft: Draft, earlier: Draft): Draft {
  const text = [earlier.text, draft.text].filter((words) => words.trim() !== '').join('\n\n');
  const items = [...(draft.items ?? []), ...(earlier.items ?? [])];
  return withAttachments({ ...draft, text, ...(items.length > 0 && { items }) }, earlier.attachments);
}

export function moveDraft(from: SessionRef, to: SessionRef): void {
  const draft = draftOf(from);
  if (isEmpty(draft)) return;
  const there = draftOf(to);
  const moved = withDraft(there, draft);
  if (isTyped(from, draft) && isTyped(to, there)) noteTyped(to, moved.text);
  saveDraft(to, moved);
  saveDraft(from, emptyDraft);
}

/** Adds attachments to a draft, each file once. */
export function withAttachments(draft: Draft, attachments: readonly MessageAttachment[]): Draft {
  const known = new Set(draft.attachments.map(uriOf).filter((uri) => uri !== undefined));
  return { ...draft, attachments: [...draft.attachments, ...attachments.filter((attachment) => !known.has(uriOf(attachment) ?? ''))] };
}

/** What context providers say of the file goes with it. */
export function withoutAttachment(draft: Draft, index: number): Draft {
  const removed = draft.attachments[index];
  const gone = removed && uriOf(removed);
  const items = draft.items?.filter(({ file }) => file === undefined || file !== gone);
  return { ...draft, attachments: draft.attachments.toSpliced(index, 1), ...(items && { items }) };
}

/** Uses the draft that the extension stored, unless this page has one there. */
export function adoptDraft(session: SessionRef, draft: Draft): void {
  if (isEmpty(draftOf(session)) && !isEmpty(draft)) persist('drafts', sessionKey(session), draft);
}

export function isEmpty(draft: Draft): boolean {
  return draft.text === '' && draft.attachments.length + (draft.items?.length ?? 0) === 0;
}
