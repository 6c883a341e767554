/** A document that a step has reported. It unfolds to its text. */
import { useState } from 'preact/hooks';
import { outsideLink } from '../../../views/portal/outsideLink.ts';
import { documentText } from '../../../views/portal/answers/resultAnswers.ts';
import { vsCodeLink } from '../../../views/portal/page/resultWords.ts';
import { LateNote } from '../../late/LateNote.tsx';
import { useLatePart } from '../../late/latePart.ts';
import { VisibleText } from '../../session/text/VisibleText.tsx';
import { lateTexts } from './lateTexts.ts';
import { useAnswer } from './useAnswer.ts';

interface DocumentRowProps {
  /** Of the run's result, after `/api`. */
  path: string;
  step: string;
  document: string;
  isOpenFirst: boolean;
}

export function DocumentRow({ path, step, document, isOpenFirst }: DocumentRowProps) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <li>
      <div class="result-row">
        <button type="button" class="result-name" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span class={`codicon codicon-${isOpen ? 'chevron-down' : 'chevron-right'}`} aria-hidden="true" />
          <span class="codicon codicon-file" aria-hidden="true" />
          <span class="visually-hidden">document </span>
          <span class="result-path">
            <VisibleText text={document} />
          </span>
        </button>
      </div>
      {isOpen && <Document {...{ path, step, document }} />}
    </li>
  );
}

function Document({ path, step, document }: Omit<DocumentRowProps, 'isOpenFirst'>) {
  const asked = { step, document };
  const { value, problem } = useAnswer(`${path}/document`, asked, documentText, JSON.stringify(asked));
  const parts = useLatePart(lateTexts);
  if (problem !== undefined) return <p class="hint">{problem}</p>;
  if (!value || !parts) return <LateNote part={lateTexts} loading="Reading the document…" />;
  return (
    <div class="result-document">
      {value.isMarkdown ? (
        <parts.MarkdownView
          text={value.text}
          isLink={isLink}
          onLink={openLink}
          onCopy={(code) => void navigator.clipboard.writeText(code)}
        />
      ) : (
        <pre tabIndex={0}>
          <VisibleText text={value.text} />
        </pre>
      )}
      <p>
        <a class="result-link" href={vsCodeLink(value.localPath)} title={value.localPath} aria-label={`Open in VS Code: ${document}`}>
          Open in VS Code
        </a>
      </p>
    </div>
  );
}

function isLink(href: string): boolean {
  return outsideLink(href, location.href) !== undefined;
}

function openLink(href: string): void {
  const link = outsideLink(href, location.href);
  if (link !== undefined) window.open(link, '_blank', 'noopener,noreferrer');
}
