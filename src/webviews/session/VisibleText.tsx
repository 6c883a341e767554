/** A text that the user has to judge, with what cannot be seen in it named. */
import { visibleText } from '../../views/session/visibleText.ts';

export function VisibleText({ text }: { text: string }) {
  return (
    <>
      {visibleText(text).map((segment, index) =>
        segment.unseen ? (
          <span key={index} class="unseen-character" title="Cannot be seen">
            {segment.text}
          </span>
        ) : (
          segment.text
        ),
      )}
    </>
  );
}
