/** A file that a step has changed. It unfolds to the change. */
import { useState } from 'preact/hooks';
import type { ChangedFile } from '../../../views/portal/answers/resultAnswers.ts';
import { vsCodeLink } from '../../../views/portal/page/resultWords.ts';
import { VisibleText } from '../../session/text/VisibleText.tsx';
import { DiscardButton } from './DiscardButton.tsx';
import { FileDiff } from './FileDiff.tsx';
import { Lines } from './Lines.tsx';

const icons = { created: 'diff-added', changed: 'diff-modified', deleted: 'diff-removed', moved: 'diff-renamed' } as const;

interface FileRowProps {
  /** Of the run's result, after `/api`. */
  path: string;
  sessionId: string;
  file: ChangedFile;
  onDiscard(): void;
}

export function FileRow({ path, sessionId, file, onDiscard }: FileRowProps) {
  const [isOpen, setOpen] = useState(false);
  const { change, from, localPath, discard } = file;
  return (
    <li>
      <div class="result-row">
        <button type="button" class="result-name" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span class={`codicon codicon-${isOpen ? 'chevron-down' : 'chevron-right'}`} aria-hidden="true" />
          <span class={`codicon codicon-${icons[change]} change-${change}`} aria-hidden="true" />
          <span class="visually-hidden">{change} </span>
          <span class="result-path">
            <VisibleText text={file.path} />
            {from !== undefined && (
              <span class="hint">
                {' '}
                from <VisibleText text={from} />
              </span>
            )}
          </span>
        </button>
        <Lines {...file} />
        {localPath !== undefined && (
          <a class="result-link" href={vsCodeLink(localPath)} title={localPath} aria-label={`Open in VS Code: ${file.path}`}>
            Open in VS Code
          </a>
        )}
        {discard !== undefined && (
          // Who is asked has seen that change, and not another.
          <DiscardButton key={file.revision} subject={file.path} question={discard} isDeletion={change === 'created'} {...{ onDiscard }} />
        )}
      </div>
      {isOpen && <FileDiff {...{ path, sessionId, file }} />}
    </li>
  );
}
