/** The change of an edit, as a compact unified diff. Its contents are read from the host. */
import { useEffect, useState } from 'preact/hooks';
import type { FileEdit, FileEditSide } from '../../../ahp/common/shapes.ts';
import type { ReadEdit } from '../../../views/session/toolCall/editInput.ts';
import { byteText, excerpt } from '../../../views/text/excerpt.ts';
import { lineDiff, type DiffHunk } from '../../../views/session/toolCall/lineDiff.ts';
import { FileEditRow } from './FileEditRow.tsx';
import { request } from '../page/requests.ts';
import { type SessionPort } from '../page/sessionPort.ts';
import { useSession } from '../page/sessionContext.tsx';
import { ShowAll, useShowAll } from '../text/ShowAll.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

/** Larger files are opened in the diff editor. In bytes if the host says the size, otherwise in characters. */
const MAX_PREVIEW = 256 * 1024;

type Preview = { kind: 'loading' } | { kind: 'diff'; hunks: DiffHunk[]; before: string; after: string } | { kind: 'none'; why: string };

interface EditPreviewProps {
  edit: FileEdit;
  /** Called with the text of both sides when the diff is shown. */
  onRead?(read: ReadEdit): void;
}

export function EditPreview({ edit, onRead }: EditPreviewProps) {
  const { post } = useSession();
  const [preview, setPreview] = useState<Preview>({ kind: 'loading' });
  useEffect(() => {
    let wanted = true;
    void readPreview(post, edit).then((read) => {
      if (!wanted) return;
      setPreview(read);
      if (read.kind === 'diff') onRead?.({ edit, before: read.before, after: read.after });
    });
    return () => {
      wanted = false;
    };
  }, [post, edit]);
  return (
    <div class="edit-preview">
      <FileEditRow edit={edit} />
      {preview.kind === 'loading' && (
        <p class="hint" data-cut>
          Reading the change…
        </p>
      )}
      {preview.kind === 'none' && (
        <p class="hint" data-judged>
          {preview.why}
        </p>
      )}
      {preview.kind === 'diff' && <Diff hunks={preview.hunks} />}
    </div>
  );
}

/** Does not reject: a preview that cannot be made says why. */
async function readPreview(post: SessionPort['post'], edit: FileEdit): Promise<Preview> {
  const tooLarge = (size: number): Preview => ({
    kind: 'none',
    why: `The file is too large for a preview (${byteText(size)}). Open the diff to see the change.`,
  });
  const size = Math.max(edit.before?.content.sizeHint ?? 0, edit.after?.content.sizeHint ?? 0);
  if (size > MAX_PREVIEW) return tooLarge(size);
  try {
    const [before, after] = await Promise.all([readSide(post, edit.before), readSide(post, edit.after)]);
    if (before === undefined || after === undefined) return { kind: 'none', why: 'A binary file. Open the diff to see the change.' };
    if (Math.max(before.length, after.length) > MAX_PREVIEW) return tooLarge(Math.max(before.length, after.length));
    const hunks = lineDiff(before, after);
    return hunks.length > 0 ? { kind: 'diff', hunks, before, after } : { kind: 'none', why: 'The text does not change.' };
  } catch (error) {
    return { kind: 'none', why: `The change could not be read: ${error instanceof Error ? error.message : String(error)}` };
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

function Diff({ hunks }: { hunks: readonly DiffHunk[] }) {
  const { isAll, showAll, part } = useShowAll<HTMLPreElement>();
  const signs = { same: ' ', added: '+', removed: '−' } as const;
  const lines = hunks.flatMap((hunk) => hunk.lines.map(({ text }) => text));
  const shown = isAll ? lines : excerpt(lines);
  let start = 0;
  return (
    <div class="diff">
      <pre key={String(isAll)} ref={part} tabIndex={0} role="group" aria-label="Change" data-judged>
        {hunks.map((hunk) => {
          const first = start;
          start += hunk.lines.length;
          if (first >= shown.length) return null;
          return (
            <div key={hunk.beforeLine} class="hunk">
              <span class="hunk-head">Line {hunk.afterLine}</span>
              {hunk.lines.slice(0, shown.length - first).map(({ kind, unended }, index) => (
                <span key={index} class={`diff-line diff-${kind}`}>
                  {`${signs[kind]} `}
                  <VisibleText text={shown[first + index] ?? ''} />
                  {unended && <span class="hint"> (no line break at the end)</span>}
                  {'\n'}
                </span>
              ))}
            </div>
          );
        })}
      </pre>
      {shown !== lines && <ShowAll lines={lines} what="Change" onClick={showAll} />}
    </div>
  );
}
