/** Binds an approval to what was asked, so that it does not count for what the call asks after that. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { listOf } from './reducers/reducer.ts';
import type { ContentRef, FileEdit, StringOrMarkdown } from './shapes.ts';
import type { ConfirmationOption } from './tools.ts';

/** In `_meta` of `session/toolCallConfirmed` or `chat/toolCallConfirmed`: the `askedDigest` of the call as the user has seen it. */
export const ASKED = 'tapline.asked';

/** A call that waits for approval, in either dialect. */
interface CallQuestion {
  confirmationTitle?: StringOrMarkdown;
  invocationMessage: StringOrMarkdown;
  toolInput?: string | { uri: string };
  edits?: { items: FileEdit[] };
  options?: ConfirmationOption[];
}

/** States share the calls that did not change, and inputs can be long. */
const digests = new WeakMap<CallQuestion, string>();

/** The SHA-256 digest, in lowercase hex, of the {@link askedText}. */
export function askedDigest(call: CallQuestion): string {
  const known = digests.get(call);
  if (known !== undefined) return known;
  const made = bytesToHex(sha256(utf8ToBytes(askedText(call))));
  digests.set(call, made);
  return made;
}

/** What a call asks, as it came from the host. Sizes and counts of an edit are left out, because they may become known later. */
function askedText({ confirmationTitle, invocationMessage, toolInput, edits, options }: CallQuestion): string {
  const message = (text: StringOrMarkdown | undefined) => (typeof text === 'object' ? [(text as typeof text | null)?.markdown] : text);
  return JSON.stringify([
    message(confirmationTitle),
    message(invocationMessage),
    typeof toolInput === 'object' ? [(toolInput as typeof toolInput | null)?.uri] : toolInput,
    listOf<FileEdit | null>(edits?.items).map((edit) =>
      [edit?.before, edit?.after].map((side) => side && [side.uri, (side.content as ContentRef | undefined)?.uri]),
    ),
    listOf<ConfirmationOption | null>(options).map((option) => [option?.id, option?.label, option?.kind, option?.group]),
  ]);
}
