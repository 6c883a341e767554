/** The change of an edit, as a compact unified diff. Its contents are read from the host. */
import * as l10n from '../../../base/l10n.ts';
import { messageOf } from '../../../base/errors.ts';
import { useEffect, useState } from 'preact/hooks';
import type { FileEdit, FileEditSide } from '../../../ahp/common/shapes.ts';
import type { EditDiff } from '../../../views/session/toolCall/editDiff.ts';
import type { ReadEdit } from '../../../views/session/toolCall/editInput.ts';
import { byteText } from '../../../views/text/excerpt.ts';
import { languageOfFile } from '../../code/languageOf.ts';
import { LateNote } from '../../late/LateNote.tsx';
import { latePart, useLatePart } from '../../late/latePart.ts';
import { FileEditRow } from './FileEditRow.tsx';
import { request } from '../page/pageRequests.ts';
import { type SessionPort } from '../page/sessionPort.ts';
import { useSession } from '../page/sessionContext.tsx';

/** Larger files are opened in the diff editor. In bytes if the host says the size, otherwise in characters. */
const MAX_PREVIEW = 256 * 1024;

export const diffs = latePart(
  l10n.t('The preview'),
  () => import('./DiffView.tsx'),
  ({ DiffView, editDiff }) => ({ DiffView, editDiff }),
);
type MakeDiff = (before: string, after: string) => EditDiff | undefined;

type Preview =
  | { kind: 'loading' }
  | { kind: 'diff'; diff: EditDiff; before: string; after: string }
  /** The user has to look at it in the diff editor. */
  | { kind: 'tooLarge'; why: string }
  /** It is not known what they would agree to. */
  | { kind: 'unread'; why: string }
  | { kind: 'none'; why: string };

interface EditPreviewProps {
  edit: FileEdit;
  /** Above the preview. */
  title?: string;
  /** Called with the text of both sides when the diff is shown. */
  onRead?(read: ReadEdit): void;
}

export function EditPreview({ edit, title, onRead }: EditPreviewProps) {
  const { post } = useSession();
  const [preview, setPreview] = useState<Preview>({ kind: 'loading' });
  const [isOpened, setOpened] = useState(false);
  const [attempt, setAttempt] = useState(1);
  const { editDiff, DiffView } = useLatePart(diffs) ?? {};
  useEffect(() => {
    if (!editDiff) return undefined;
    let wanted = true;
    void readPreview(post, edit, editDiff).then((read) => {
      if (!wanted) return;
      setPreview(read);
      if (read.kind === 'diff') onRead?.({ edit, before: read.before, after: read.after });
    });
    return () => {
      wanted = false;
    };
  }, [post, edit, editDiff, attempt]);
  return (
    <div class="edit-preview">
      <FileEditRow edit={edit} title={title} onOpen={() => setOpened(true)} />
      {preview.kind === 'loading' && <LateNote part={diffs} loading={l10n.t('Reading the change…')} />}
      {(preview.kind === 'none' || preview.kind === 'tooLarge') && (
        <p class="hint" data-judged data-cut={(preview.kind === 'tooLarge' && !isOpened) || undefined}>
          {preview.why}
        </p>
      )}
      {preview.kind === 'unread' && (
        <p class="hint" role="alert" data-judged data-cut={!isOpened || undefined}>
          {preview.why}{' '}
          <button
            type="button"
            class="link-button"
            onClick={() => {
              setPreview({ kind: 'loading' });
              setAttempt(attempt + 1);
            }}
          >
            {l10n.t('Read it again')}
          </button>
        </p>
      )}
      {preview.kind === 'diff' && DiffView && (
        <DiffView
          diff={preview.diff}
          before={preview.before}
          after={preview.after}
          language={languageOfFile((edit.after ?? edit.before)?.uri ?? '')}
        />
      )}
    </div>
  );
}

/** Does not reject: a preview that cannot be made says why. */
async function readPreview(post: SessionPort['post'], edit: FileEdit, editDiff: MakeDiff): Promise<Preview> {
  const fileTooLarge = (size: number): Preview => ({
    kind: 'tooLarge',
    why: l10n.t`The file is too large for a preview of the change (${byteText(size)}). Open the diff to see it. You can agree once you have opened it.`,
  });
  const size = Math.max(edit.before?.content.sizeHint ?? 0, edit.after?.content.sizeHint ?? 0);
  if (size > MAX_PREVIEW) return fileTooLarge(size);
  try {
    const [before, after] = await Promise.all([readSide(post, edit.before), readSide(post, edit.after)]);
    if (before === undefined || after === undefined)
      return { kind: 'none', why: l10n.t('A binary file. Open the diff to see the change.') };
    if (Math.max(before.length, after.length) > MAX_PREVIEW) return fileTooLarge(Math.max(before.length, after.length));
    const diff = editDiff(before, after);
    if (!diff)
      return {
        kind: 'tooLarge',
        why: l10n.t('The change is too large for a preview. Open the diff to see it. You can agree once you have opened it.'),
      };
    return diff.sections.length > 0 ? { kind: 'diff', diff, before, after } : { kind: 'none', why: l10n.t('The text does not change.') };
  } catch (error) {
    return { kind: 'unread', why: l10n.t`The change could not be read: ${messageOf(error)}` };
  }
}

/** Undefined for a binary file. */
async function readSide(post: SessionPort['post'], side: FileEditSide | undefined): Promise<string | undefined> {
  if (!side) return '';
  const read = await request(post, 'readResource', { uri: side.content.uri, encoding: 'utf-8' });
  if (read.encoding === 'utf-8') return read.data.includes('\0') ? undefined : read.data;
  const bytes = Uint8Array.from(atob(read.data), (char) => char.charCodeAt(0));
  return bytes.includes(0) ? undefined : new TextDecoder().decode(bytes);
}
