/** Binds an approval to what was asked, so that it does not count for what the call asks after that. */
import type { ToolCallPendingConfirmationState } from './channels/shapes/toolCall.ts';
import type { StringOrMarkdown } from './common/shapes.ts';

/** In `_meta` of `session/toolCallConfirmed` or `chat/toolCallConfirmed`: the SHA-256 digest, in lowercase hex, of the `askedText` that the user has decided about. */
export const ASKED = 'tapline.asked';

type Asked = Pick<ToolCallPendingConfirmationState, 'confirmationTitle' | 'invocationMessage' | 'toolInput' | 'edits' | 'options'>;

/** What a call asks. Sizes and counts of an edit are left out, because they may become known later. */
export function askedText({ confirmationTitle, invocationMessage, toolInput, edits, options }: Asked): string {
  const message = (text: StringOrMarkdown | undefined) => (typeof text === 'object' ? [text.markdown] : text);
  return JSON.stringify([
    message(confirmationTitle),
    message(invocationMessage),
    typeof toolInput === 'object' ? [toolInput.uri] : toolInput,
    (edits?.items ?? []).map((edit) => [edit.before, edit.after].map((side) => side && [side.uri, side.content.uri])),
    (options ?? []).map(({ id, label, kind, group }) => [id, label, kind, group]),
  ]);
}
