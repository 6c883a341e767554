/** What a call does, in one line. Of a path for which there is no room the folders are cut, so that the name of the file stays. */
import type { InlineSegment } from '../../../views/text/inlineText.ts';
import { InlineText } from '../text/InlineText.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

/** The sides of a code, and what a proportional font is wider than counted. */
const SPARE = 4;

export function CallSummary({ segments }: { segments: readonly InlineSegment[] }) {
  const length = segments.reduce((sum, { text }) => sum + text.length, SPARE);
  return (
    <span class="row-text">
      {segments.map((segment, index) => {
        const at = nameAt(segment);
        if (at === 0) return <InlineText key={index} segments={[segment]} />;
        return (
          <code key={index} class="inline-code">
            {/* By widths and not as flexible boxes: of those each would be a line of its own where it is copied. */}
            <span class="path-folder" style={`--others: ${length - at}ch`}>
              <VisibleText text={segment.text.slice(0, at)} />
            </span>
            <VisibleText text={segment.text.slice(at)} />
          </code>
        );
      })}
    </span>
  );
}

/** Where the name begins in a path. 0 in all else: a command has spaces, or no folder. */
function nameAt({ code, text }: InlineSegment): number {
  if (!code || /\s/.test(text)) return 0;
  const at = Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1;
  return at < text.length ? at : 0;
}
