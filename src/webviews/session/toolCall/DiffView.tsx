/** The hunks of an edit. What is unchanged between them is folded, and need not be seen before the user decides. */
import * as l10n from '../../../base/l10n.ts';
import { createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { type CodePart, linesOfParts } from '../../code/codeParts.ts';
import { useColours } from '../../code/colourCode.ts';
import { diffExcerpt, textsOfHunks, type DiffLine, type DiffSection, type EditDiff } from '../../../views/session/toolCall/editDiff.ts';
import { Icon } from '../parts/Icon.tsx';
import { ShowAll, useShowAll } from '../text/ShowAll.tsx';
import { VisibleText } from '../text/VisibleText.tsx';
import { type ColouredLinePart, colouredLine } from './colouredLine.ts';

// What finds a diff is loaded with what draws it.
export { editDiff } from '../../../views/session/toolCall/editDiff.ts';

interface DiffViewProps {
  diff: EditDiff;
  /** Both texts. */
  before: string;
  after: string;
  /** Of the file. Empty: unknown. */
  language: string;
}

/** Of the lines of both texts, where they are known. */
interface LineColours {
  before?: readonly (readonly CodePart[])[];
  after?: readonly (readonly CodePart[])[];
}
const Colours = createContext<LineColours>({});

export function DiffView({ diff: { sections, lineBreak }, before, after, language }: DiffViewProps) {
  const { isAll, showAll, part } = useShowAll<HTMLDivElement>();
  const shown = isAll ? sections : diffExcerpt(sections);
  const colours = { before: useLineColours(before, language), after: useLineColours(after, language) };
  return (
    <div class="diff">
      <Colours.Provider value={colours}>
        <div key={String(isAll)} ref={part} tabIndex={0} role="group" aria-label={l10n.t('Change')}>
          {shown.map((section, index) =>
            section.isHunk ? (
              <pre key={section.beforeLine} class="hunk" data-judged>
                <Lines section={section} />
              </pre>
            ) : (
              <Unchanged key={section.beforeLine} section={section} next={shown[index + 1]} />
            ),
          )}
        </div>
      </Colours.Provider>
      {before === '' && lineBreak === '\r\n' && (
        <p class="diff-note hint" data-judged>
          {l10n.t('Its line breaks are CR LF.')}
        </p>
      )}
      {shown !== sections && <ShowAll lines={textsOfHunks(sections)} what={l10n.t('Change')} onClick={showAll} />}
    </div>
  );
}

/** `next`: the hunk below it, which begins with the line that is named. */
function Unchanged({ section, next }: { section: DiffSection; next: DiffSection | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const line = (isOpen ? section : next)?.afterLine;
  const count = section.lines.length;
  return (
    <>
      <div class="diff-fold" data-judged>
        <button type="button" class="link-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'fold' : 'unfold'} />
          {l10n.plural(count, l10n.t`${l10n.countText(count)} unchanged line`, l10n.t`${l10n.countText(count)} unchanged lines`)}
        </button>
        {line !== undefined && <span>{l10n.t`Line ${l10n.countText(line)}`}</span>}
      </div>
      {isOpen && (
        <pre>
          <Lines section={section} />
        </pre>
      )}
    </>
  );
}

const signs = { same: ' ', added: '+', removed: '−' } as const;

function Lines({ section: { lines, beforeLine, afterLine } }: { section: DiffSection }) {
  const { before, after } = useContext(Colours);
  // The first line of a text is 1.
  let [old, fresh] = [beforeLine - 1, afterLine - 1];
  return (
    <>
      {lines.map(({ kind, parts, unended }, index) => {
        const colours = kind === 'removed' ? before?.[old] : after?.[fresh];
        if (kind !== 'added') old++;
        if (kind !== 'removed') fresh++;
        return (
          <span key={index} class={`diff-line diff-${kind}`}>
            {`${signs[kind]} `}
            <Parts kind={kind} parts={colouredLine(parts, colours)} />
            {unended && <span class="hint"> {l10n.t('(no line break at the end)')}</span>}
            {'\n'}
          </span>
        );
      })}
    </>
  );
}

function useLineColours(text: string, language: string): LineColours['before'] {
  const parts = useColours(text, language);
  return useMemo(() => parts && linesOfParts(parts), [parts]);
}

function Parts({ kind, parts }: { kind: DiffLine['kind']; parts: readonly ColouredLinePart[] }) {
  const Marked = kind === 'removed' ? 'del' : 'ins';
  return (
    <>
      {parts.map(({ text, changed, code }, index) => {
        // Blanks are at the end of a line only where nothing but blanks follows.
        const goesOn = parts.slice(index + 1).some((part) => /[^ ]/.test(part.text));
        const shown = <VisibleText text={text} prose={goesOn} />;
        const name = code === undefined ? undefined : `code-${code}`;
        if (changed)
          return (
            <Marked key={index} class={name}>
              {shown}
            </Marked>
          );
        return (
          <span key={index} class={name}>
            {shown}
          </span>
        );
      })}
    </>
  );
}
