/** Opens a file of this computer in VS Code. */
import * as l10n from '../../../../base/l10n.ts';
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
      <button
        type="button"
        class="link-button result-link"
        title={localPath}
        aria-label={l10n.t`Open ${name}`}
        onClick={() => vsCode.open(file)}
      >
        {l10n.t('Open')}
      </button>
    );
  return (
    <a class="result-link" href={vsCodeLink(localPath)} title={localPath} aria-label={l10n.t`Open in VS Code: ${name}`}>
      {l10n.t('Open in VS Code')}
    </a>
  );
}
