/** A text on which the user decides, with its invisible characters named. Its lines end at spaces, unless a word alone is wider than a line. */
import * as l10n from '../../../base/l10n.ts';
import { visibleText } from '../../../views/text/visibleText.ts';

/** `prose`: part of a sentence that may continue after it. */
export function VisibleText({ text, prose = false }: { text: string; prose?: boolean }) {
  return (
    <>
      {visibleText(text, prose).map((segment, index) => {
        if (segment.unseen) {
          return (
            <span key={index} class="unseen-character" title={l10n.t('Invisible character')}>
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
          <Unbroken key={index} text={segment.text} />
        );
      })}
    </>
  );
}

/**
 * After these, a browser would begin another line: `rm --no-` looks whole, and is not. What comes after them stays beside them; at the end of the
 * text that may be another element. Not a whole line of them, which would be wider than the page.
 */
const joints = /([\p{Pd}?]{1,3}(?:[^\s\p{Pd}?]|$))/u;

/** A text in which a command may stand. Its lines end at spaces, unless a word alone is wider than a line. */
export function Unbroken({ text }: { text: string }) {
  const parts = text.split(joints);
  return (
    <>
      {parts.map((part, index) =>
        // Each second one is a joint.
        index % 2 === 1 ? (
          <span key={index} class={index === parts.length - 2 && parts.at(-1) === '' ? 'unbroken unbroken-end' : 'unbroken'}>
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </>
  );
}
