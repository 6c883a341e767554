/** A short text of a host: plain text and code, with invisible characters named. */
import type { InlineSegment } from '../../../views/text/inlineText.ts';
import { VisibleText } from './VisibleText.tsx';

export function InlineText({ segments }: { segments: readonly InlineSegment[] }) {
  return (
    <>
      {segments.map((segment, index) =>
        segment.code ? (
          <code key={index} class="inline-code">
            <VisibleText text={segment.text} />
          </code>
        ) : (
          <VisibleText key={index} text={segment.text} prose />
        ),
      )}
    </>
  );
}
