/** What a call does, in one line. Long folders of a path are cut before the line is, so that the name of the file is drawn in a narrow one. */
import { isFilePath } from '../../../views/text/filePath.ts';
import type { InlineSegment } from '../../../views/text/inlineText.ts';
import { InlineText } from '../text/InlineText.tsx';

export function CallSummary({ segments }: { segments: readonly InlineSegment[] }) {
  return (
    <span class="row-text">
      {segments.map((segment, index) => {
        const end = endOfFolders(segment);
        if (end <= 0) return <InlineText key={index} segments={[segment]} />;
        return (
          <code key={index} class="inline-code">
            <span class="path-folders">{segment.text.slice(0, end)}</span>
            {segment.text.slice(end)}
          </code>
        );
      })}
    </span>
  );
}

/** Not positive where there are none. A command or an address is no path: what matters is its beginning. */
function endOfFolders({ code, text }: InlineSegment): number {
  return code && isFilePath(text) ? text.lastIndexOf('/') : 0;
}
