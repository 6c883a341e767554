/** What a call does, in one line. A path for which there is no room is cut at its beginning, so that the name of the file stays. */
import type { InlineSegment } from '../../../views/text/inlineText.ts';
import { InlineText } from '../text/InlineText.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

export function CallSummary({ segments }: { segments: readonly InlineSegment[] }) {
  if (!segments.some((segment) => nameOf(segment) !== '')) {
    return (
      <span class="row-text">
        <InlineText segments={segments} />
      </span>
    );
  }
  return (
    <span class="row-text with-path">
      {segments.map((segment, index) => {
        const name = nameOf(segment);
        return name === '' ? (
          <span key={index} class="path-words">
            <InlineText segments={[segment]} />
          </span>
        ) : (
          <code key={index} class="inline-code" style={`--name: ${name.length}ch`}>
            <span class="path-text">
              <VisibleText text={segment.text} />
            </span>
          </code>
        );
      })}
    </span>
  );
}

/** The last part of a path. Empty for all else: a command has spaces, or no folder. */
function nameOf({ code, text }: InlineSegment): string {
  if (!code || /\s/.test(text)) return '';
  const at = Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1;
  return at > 0 ? text.slice(at) : '';
}
