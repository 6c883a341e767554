/** A text on which the user decides, with its invisible characters named. Its lines end at spaces, unless a word alone is wider than a line. */
import type { ComponentChildren } from 'preact';
import * as l10n from '../../../base/l10n.ts';
import { textParts } from '../../../views/text/textParts.ts';
import { visibleText } from '../../../views/text/visibleText.ts';

/** `prose`: part of a sentence that may continue after it. */
export function VisibleText({ text, prose = false }: { text: string; prose?: boolean }) {
  return (
    <OneBox>
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
    </OneBox>
  );
}

/** In a button, or anything else whose parts are laid out by themselves, a text is one of them. */
function OneBox({ children }: { children: ComponentChildren[] }) {
  return children.length > 1 ? <span>{children}</span> : <>{children}</>;
}

/** A text in which a command may stand. Its lines end at spaces, unless a word alone is wider than a line. */
export function Unbroken({ text }: { text: string }) {
  return (
    <OneBox>
      {textParts(text).map((part, index, { length }) =>
        part.isUnbroken ? (
          <span key={index} class={index === length - 1 ? 'unbroken unbroken-end' : 'unbroken'}>
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </OneBox>
  );
}
