/** What has changed in a file. */
import * as l10n from '../../../../base/l10n.ts';
import { useMemo } from 'preact/hooks';
import type { ChangedFile } from '../../../../views/portal/answers/resultAnswers.ts';
import { LateNote } from '../../../late/LateNote.tsx';
import { useLatePart } from '../../../late/latePart.ts';
import { lateTexts } from './lateTexts.ts';
import { useAnswer } from './useAnswer.ts';

interface FileDiffProps {
  sessionId: string;
  file: ChangedFile;
}

export function FileDiff({ sessionId, file }: FileDiffProps) {
  const asked = { sessionId, file: file.id };
  const { value, problem } = useAnswer('diff', asked, JSON.stringify([asked, file.revision]));
  const parts = useLatePart(lateTexts);
  const diff = useMemo(() => value && parts?.editDiff(value.before, value.after), [value, parts]);
  if (problem !== undefined) return <p class="hint">{problem}</p>;
  if (!value || !parts) return <LateNote part={lateTexts} loading={l10n.t('Reading the change…')} />;
  if (!diff) return <p class="hint">{l10n.t('The change is too large to be shown here.')}</p>;
  if (diff.sections.length === 0) return <p class="hint">{l10n.t('The text does not change.')}</p>;
  return <parts.DiffView {...{ diff, ...value }} language={parts.languageOfFile(file.path)} />;
}
