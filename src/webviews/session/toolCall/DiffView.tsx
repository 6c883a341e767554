/** The hunks of an edit. What is unchanged between them is folded, and need not be seen before the user decides. */
import { useState } from 'preact/hooks';
import { diffExcerpt, textsOfHunks, type DiffLine, type DiffSection, type EditDiff } from '../../../views/session/toolCall/editDiff.ts';
import type { LinePart } from '../../../views/session/toolCall/markedWords.ts';
import { counted } from '../../../views/text/counted.ts';
import { Icon } from '../parts/Icon.tsx';
import { ShowAll, useShowAll } from '../text/ShowAll.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

interface DiffViewProps {
  diff: EditDiff;
  /** There was no text before, from which the line breaks could be known. */
  isNew: boolean;
}

export function DiffView({ diff: { sections, lineBreak }, isNew }: DiffViewProps) {
  const { isAll, showAll, part } = useShowAll<HTMLDivElement>();
  const shown = isAll ? sections : diffExcerpt(sections);
  return (
    <div class="diff">
      <div key={String(isAll)} ref={part} tabIndex={0} role="group" aria-label="Change">
        {shown.map((section, index) =>
          section.isHunk ? (
            <pre key={section.beforeLine} class="hunk" data-judged>
              <Lines lines={section.lines} />
            </pre>
          ) : (
            <Unchanged key={section.beforeLine} section={section} next={shown[index + 1]} />
          ),
        )}
      </div>
      {isNew && lineBreak === '\r\n' && (
        <p class="diff-note hint" data-judged>
          Its line breaks are CR LF.
        </p>
      )}
      {shown !== sections && <ShowAll lines={textsOfHunks(sections)} what="Change" onClick={showAll} />}
    </div>
  );
}

/** `next`: the hunk below it, which begins with the line that is named. */
function Unchanged({ section, next }: { section: DiffSection; next: DiffSection | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const line = (isOpen ? section : next)?.afterLine;
  return (
    <>
      <div class="diff-fold" data-judged>
        <button type="button" class="link-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'fold' : 'unfold'} />
          {counted(section.lines.length, 'unchanged line')}
        </button>
        {line !== undefined && <span>Line {line.toLocaleString('en')}</span>}
      </div>
      {isOpen && (
        <pre>
          <Lines lines={section.lines} />
        </pre>
      )}
    </>
  );
}

const signs = { same: ' ', added: '+', removed: '−' } as const;

function Lines({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <>
      {lines.map(({ kind, parts, unended }, index) => (
        <span key={index} class={`diff-line diff-${kind}`}>
          {`${signs[kind]} `}
          <Parts kind={kind} parts={parts} />
          {unended && <span class="hint"> (no line break at the end)</span>}
          {'\n'}
        </span>
      ))}
    </>
  );
}

function Parts({ kind, parts }: { kind: DiffLine['kind']; parts: readonly LinePart[] }) {
  const Marked = kind === 'removed' ? 'del' : 'ins';
  return (
    <>
      {parts.map(({ text, changed }, index) => {
        // Blanks are at the end of a line only where nothing but blanks follows.
        const goesOn = parts.slice(index + 1).some((part) => /[^ ]/.test(part.text));
        const shown = <VisibleText key={index} text={text} prose={goesOn} />;
        return changed ? <Marked key={index}>{shown}</Marked> : shown;
      })}
    </>
  );
}
