/** A text that the user has to judge, with what cannot be seen in it named. */
import { visibleText } from '../../../views/session/visibleText.ts';

/** `prose`: part of a sentence, after which more may come. */
export function VisibleText({ text, prose = false }: { text: string; prose?: boolean }) {
  return (
    <>
      {visibleText(text, prose).map((segment, index) => {
        if (segment.unseen) {
          return (
            <span key={index} class="unseen-character" title="Cannot be seen">
              {segment.text}
            </span>
          );
        }
        if (segment.tab)
          return [...segment.text].map((tab, at) => (
            <span key={`${index}.${at}`} class="tab-character">
              {tab}
            </span>
          ));
        return segment.rightToLeft ? (
          <span key={index} class="right-to-left">
            {segment.text}
          </span>
        ) : (
          segment.text
        );
      })}
    </>
  );
}
