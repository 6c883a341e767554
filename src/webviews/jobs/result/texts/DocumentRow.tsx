/** A document that a step has reported. It unfolds to its text. */
import * as l10n from '../../../../base/l10n.ts';
import { useState } from 'preact/hooks';
import { LateNote } from '../../../late/LateNote.tsx';
import { useLatePart } from '../../../late/latePart.ts';
import { VisibleText } from '../../../session/text/VisibleText.tsx';
import { lateTexts } from './lateTexts.ts';
import { OpenFile } from './OpenFile.tsx';
import { useResultPort } from './resultPort.ts';
import { useAnswer } from './useAnswer.ts';

interface DocumentRowProps {
  step: string;
  document: string;
  isOpenFirst: boolean;
}

export function DocumentRow({ step, document, isOpenFirst }: DocumentRowProps) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <li>
      <div class="result-row">
        <button type="button" class="result-name" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span class={`codicon codicon-${isOpen ? 'chevron-down' : 'chevron-right'}`} aria-hidden="true" />
          <span class="codicon codicon-file" aria-hidden="true" />
          <span class="visually-hidden">{l10n.t('document')} </span>
          <span class="result-path">
            <VisibleText text={document} />
          </span>
        </button>
      </div>
      {isOpen && <Document {...{ step, document }} />}
    </li>
  );
}

function Document({ step, document }: Omit<DocumentRowProps, 'isOpenFirst'>) {
  const asked = { step, document };
  const { value, problem } = useAnswer('document', asked, JSON.stringify(asked));
  const parts = useLatePart(lateTexts);
  const { linkOf, openLink } = useResultPort();
  if (problem !== undefined) return <p class="hint">{problem}</p>;
  if (!value || !parts) return <LateNote part={lateTexts} loading={l10n.t('Reading the document…')} />;
  return (
    <div class="result-document">
      {value.isMarkdown ? (
        <parts.MarkdownView
          text={value.text}
          isLink={(href) => linkOf(href) !== undefined}
          onLink={(href) => {
            const address = linkOf(href);
            if (address !== undefined) openLink(address);
          }}
          onCopy={(code) => void navigator.clipboard.writeText(code)}
        />
      ) : (
        <pre tabIndex={0}>
          <VisibleText text={value.text} />
        </pre>
      )}
      <p>
        <OpenFile name={document} localPath={value.localPath} file={asked} />
      </p>
    </div>
  );
}
