/** What a message refers to, in words. Labels and texts are those of a client. */
import type { TextSelection } from '../../ahp/channels/shapes/basic.ts';
import type { MessageAttachment } from '../../ahp/channels/shapes/message.ts';
import { code } from './markdown.ts';

/** Characters of a label. */
const MAX_LABEL = 200;

/** For a sentence, as Markdown: `` the folder `src` ``, `` lines 3–5 of `a.ts` ``. */
export function nameOf(attachment: MessageAttachment): string {
  const called = code(labelOf(attachment));
  switch (attachment.type) {
    case 'resource':
      return attachment.displayKind === 'directory' ? `the folder ${called}` : `${placeIn(attachment.selection)}${called}`;
    case 'embeddedResource':
      return `${placeIn(attachment.selection)}${called} (${attachment.contentType.slice(0, MAX_LABEL)})`;
    case 'annotations':
      return `the annotations ${called}`;
    case 'chat':
      return `the chat ${called}`;
    default:
      return called;
  }
}

export function labelOf(attachment: MessageAttachment): string {
  return (attachment.label || attachment.type).slice(0, MAX_LABEL);
}

/** Lines as people count them, from 1. Undefined where nothing is selected. */
export function linesOf(selection: TextSelection | undefined): string | undefined {
  if (!selection) return undefined;
  const { start, end } = selection.range;
  const first = start.line + 1;
  // A selection of whole lines ends at the beginning of the next one.
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return last > first ? `lines ${first}–${last}` : `line ${first}`;
}

function placeIn(selection: TextSelection | undefined): string {
  const lines = linesOf(selection);
  return lines === undefined ? '' : `${lines} of `;
}
