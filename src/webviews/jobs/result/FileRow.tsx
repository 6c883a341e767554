/** A file that a step has changed. It unfolds to the change, or opens it in VS Code. */
import * as l10n from '../../../base/l10n.ts';
import { useState } from 'preact/hooks';
import type { ChangedFile } from '../../../views/portal/answers/resultAnswers.ts';
import { VisibleText } from '../../session/text/VisibleText.tsx';
import { filled } from '../../text/filled.ts';
import { changeWords } from './changeWords.ts';
import { DiscardButton } from './DiscardButton.tsx';
import { Lines } from './Lines.tsx';
import { FileDiff } from './texts/FileDiff.tsx';
import { OpenFile } from './texts/OpenFile.tsx';
import { useResultPort } from './texts/resultPort.ts';

const icons = { created: 'diff-added', changed: 'diff-modified', deleted: 'diff-removed', moved: 'diff-renamed' } as const;

interface FileRowProps {
  sessionId: string;
  file: ChangedFile;
  onDiscard(): void;
}

export function FileRow({ sessionId, file, onDiscard }: FileRowProps) {
  const [isOpen, setOpen] = useState(false);
  const { change, from, localPath, discard } = file;
  const { vsCode } = useResultPort();
  const ref = { sessionId, file: file.id };
  return (
    <li>
      <div class="result-row">
        <button
          type="button"
          class="result-name"
          {...(vsCode
            ? { title: l10n.t('Show what has changed'), onClick: () => vsCode.showChange(ref) }
            : { 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) })}
        >
          {!vsCode && <span class={`codicon codicon-${isOpen ? 'chevron-down' : 'chevron-right'}`} aria-hidden="true" />}
          <span class={`codicon codicon-${icons[change]} change-${change}`} aria-hidden="true" />
          <span class="visually-hidden">{changeWords[change]} </span>
          <span class="result-path">
            <VisibleText text={file.path} />
            {from !== undefined && <span class="hint"> {filled(l10n.t('from {0}'), <VisibleText text={from} />)}</span>}
          </span>
        </button>
        <Lines {...file} />
        {localPath !== undefined && change !== 'deleted' && <OpenFile name={file.path} {...{ localPath }} file={ref} />}
        {discard !== undefined && (
          // Who is asked has seen that change, and not another.
          <DiscardButton key={file.revision} subject={file.path} question={discard} isDeletion={change === 'created'} {...{ onDiscard }} />
        )}
      </div>
      {isOpen && <FileDiff {...{ sessionId, file }} />}
    </li>
  );
}
