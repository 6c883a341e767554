/** Opens a file of this computer in VS Code. */
import type { ChangeRef, DocumentRef } from '../../../../views/portal/result/resultQuestions.ts';
import { vsCodeLink } from '../../../../views/portal/page/resultWords.ts';
import { useResultPort } from './resultPort.ts';

interface OpenFileProps {
  /** As the user knows it. */
  name: string;
  localPath: string;
  file: ChangeRef | DocumentRef;
}

export function OpenFile({ name, localPath, file }: OpenFileProps) {
  const { vsCode } = useResultPort();
  if (vsCode)
    return (
      <button type="button" class="link-button result-link" title={localPath} aria-label={`Open ${name}`} onClick={() => vsCode.open(file)}>
        Open
      </button>
    );
  return (
    <a class="result-link" href={vsCodeLink(localPath)} title={localPath} aria-label={`Open in VS Code: ${name}`}>
      Open in VS Code
    </a>
  );
}
