/** A host's short text: plain, with code in code's font and what cannot be seen named. */
import type { InlineSegment } from '../../../views/session/inlineText.ts';
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
