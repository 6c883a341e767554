/** A host's short text: plain, with code in code's font. */
import type { InlineSegment } from '../../views/session/inlineText.ts';

export function InlineText({ segments }: { segments: readonly InlineSegment[] }) {
  return (
    <>
      {segments.map((segment, index) =>
        segment.code ? (
          <code key={index} class="inline-code">
            {segment.text}
          </code>
        ) : (
          segment.text
        ),
      )}
    </>
  );
}
