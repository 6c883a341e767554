/** What an edit would change, as a compact unified diff read from the host. */
import { useEffect, useState } from 'preact/hooks';
import type { ResourceReadResult } from '../../../ahp/v1/commands.ts';
import type { FileEdit, FileEditSide } from '../../../ahp/v1/common.ts';
import type { ReadEdit } from '../../../views/session/editInput.ts';
import { byteText, excerpt } from '../../../views/session/excerpt.ts';
import { lineDiff, type DiffHunk } from '../../../views/session/lineDiff.ts';
import { FileEditRow } from './FileEditRow.tsx';
import { request } from '../page/requests.ts';
import { ShowAll, useShowAll } from '../parts/ShowAll.tsx';
import { VisibleText } from '../parts/VisibleText.tsx';

/** Above this a preview would be no help; the diff editor opens it. Bytes, as far as they are known, or characters. */
const MAX_PREVIEW = 256 * 1024;

type Preview = { kind: 'loading' } | { kind: 'diff'; hunks: DiffHunk[]; before: string; after: string } | { kind: 'none'; why: string };

interface EditPreviewProps {
  edit: FileEdit;
  /** Called with the text of both sides once it is shown what changes between them. */
  onRead?(read: ReadEdit): void;
}

export function EditPreview({ edit, onRead }: EditPreviewProps) {
  const [preview, setPreview] = useState<Preview>({ kind: 'loading' });
  useEffect(() => {
    let wanted = true;
    void readPreview(edit).then((read) => {
      if (!wanted) return;
      setPreview(read);
      if (read.kind === 'diff') onRead?.({ edit, before: read.before, after: read.after });
    });
    return () => {
      wanted = false;
    };
  }, [edit]);
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

/** Never rejects: what cannot be previewed says why. */
async function readPreview(edit: FileEdit): Promise<Preview> {
  const tooLarge = (size: number): Preview => ({
    kind: 'none',
    why: `The file is too large for a preview (${byteText(size)}). Open the diff to see the change.`,
  });
  const size = Math.max(edit.before?.content.sizeHint ?? 0, edit.after?.content.sizeHint ?? 0);
  if (size > MAX_PREVIEW) return tooLarge(size);
  try {
    const [before, after] = await Promise.all([readSide(edit.before), readSide(edit.after)]);
    if (before === undefined || after === undefined) return { kind: 'none', why: 'A binary file. Open the diff to see the change.' };
    if (Math.max(before.length, after.length) > MAX_PREVIEW) return tooLarge(Math.max(before.length, after.length));
    const hunks = lineDiff(before, after);
    return hunks.length > 0 ? { kind: 'diff', hunks, before, after } : { kind: 'none', why: 'The text stays the same.' };
  } catch (error) {
    return { kind: 'none', why: `The change could not be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Undefined for what is no text. */
async function readSide(side: FileEditSide | undefined): Promise<string | undefined> {
  if (!side) return '';
  const read: ResourceReadResult = await request('readResource', { uri: side.content.uri, encoding: 'utf-8' });
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
