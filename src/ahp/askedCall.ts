/** Binds an approval to what was asked, so that it does not count for what the call asks after that. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { ToolCallPendingConfirmationState } from './channels/shapes/toolCall.ts';
import type { StringOrMarkdown } from './common/shapes.ts';

/** In `_meta` of `session/toolCallConfirmed` or `chat/toolCallConfirmed`: the `askedDigest` of the call as the user has seen it. */
export const ASKED = 'tapline.asked';

type Asked = Pick<ToolCallPendingConfirmationState, 'confirmationTitle' | 'invocationMessage' | 'toolInput' | 'edits' | 'options'>;

/** States share the calls that did not change, and inputs can be long. */
const digests = new WeakMap<Asked, string>();

/** The SHA-256 digest, in lowercase hex, of the {@link askedText}. */
export function askedDigest(call: Asked): string {
  const known = digests.get(call);
  if (known !== undefined) return known;
  const made = bytesToHex(sha256(utf8ToBytes(askedText(call))));
  digests.set(call, made);
  return made;
}

/** What a call asks. Sizes and counts of an edit are left out, because they may become known later. */
function askedText({ confirmationTitle, invocationMessage, toolInput, edits, options }: Asked): string {
  const message = (text: StringOrMarkdown | undefined) => (typeof text === 'object' ? [text.markdown] : text);
  return JSON.stringify([
    message(confirmationTitle),
    message(invocationMessage),
    typeof toolInput === 'object' ? [toolInput.uri] : toolInput,
    (edits?.items ?? []).map((edit) => [edit.before, edit.after].map((side) => side && [side.uri, side.content.uri])),
    (options ?? []).map(({ id, label, kind, group }) => [id, label, kind, group]),
  ]);
}
