/** The words that were not sent yet, by session: kept in the page's state at once and with the extension soon after. */
import type { MessageAttachment, URI, UserMessage } from '../../../ahp/v1/common.ts';
import type { Draft } from '../protocol.ts';
import { persist, post, readPersisted } from './vscodeApi.ts';

const POST_DELAY_MS = 300;
export const emptyDraft: Draft = { text: '', attachments: [] };

const unposted = new Map<URI, ReturnType<typeof setTimeout>>();

export function draftOf(uri: URI): Draft {
  return readPersisted().drafts[uri] ?? emptyDraft;
}

export function saveDraft(uri: URI, draft: Draft): void {
  persist('drafts', uri, isEmpty(draft) ? undefined : draft);
  clearTimeout(unposted.get(uri));
  // What was sent must not come back: an emptied draft is told at once.
  if (isEmpty(draft)) postDraft(uri);
  else
    unposted.set(
      uri,
      setTimeout(() => postDraft(uri), POST_DELAY_MS),
    );
}

/** Posts what still waits for its delay; the page may be gone soon. */
export function postDrafts(): void {
  for (const [uri, timer] of unposted) {
    clearTimeout(timer);
    postDraft(uri);
  }
}

function postDraft(uri: URI): void {
  unposted.delete(uri);
  post({ type: 'draft', uri, draft: draftOf(uri) });
}

/** A message put back into a draft: in front of what was typed since. */
export function giveBack(draft: Draft, message: UserMessage): Draft {
  const text = draft.text.trim() === '' ? message.text : `${message.text}\n\n${draft.text}`;
  return withAttachments({ ...draft, text }, message.attachments ?? []);
}

/** The draft with more attachments; each file once. */
export function withAttachments(draft: Draft, attachments: readonly MessageAttachment[]): Draft {
  const known = new Set(draft.attachments.map((attachment) => attachment.uri));
  return { ...draft, attachments: [...draft.attachments, ...attachments.filter((attachment) => !known.has(attachment.uri))] };
}

/** Takes over the draft that the extension kept, unless this page has words of its own for that session. */
export function adoptDraft(uri: URI, draft: Draft): void {
  if (isEmpty(draftOf(uri)) && !isEmpty(draft)) persist('drafts', uri, draft);
}

function isEmpty(draft: Draft): boolean {
  return draft.text === '' && draft.attachments.length === 0;
}
