/** What an edit would change, as a compact unified diff read from the host. */
import { useEffect, useState } from 'preact/hooks';
import type { ResourceReadResult } from '../../ahp/v1/commands.ts';
import type { FileEdit, FileEditSide } from '../../ahp/v1/common.ts';
import { lineDiff, type DiffHunk } from '../../views/session/lineDiff.ts';
import { FileEditRow } from './FileEditRow.tsx';
import { request } from './requests.ts';
import { VisibleText } from './VisibleText.tsx';

/** Above this a preview would be no help; the diff editor opens it. Bytes. */
const MAX_PREVIEW = 256 * 1024;
/** Lines that a preview shows before it points to the diff editor. */
const MAX_LINES = 200;

type Preview = { kind: 'loading' } | { kind: 'diff'; hunks: DiffHunk[] } | { kind: 'none'; why: string };

export function EditPreview({ edit }: { edit: FileEdit }) {
  const [preview, setPreview] = useState<Preview>({ kind: 'loading' });
  useEffect(() => {
    let wanted = true;
    void readPreview(edit).then((read) => {
      if (wanted) setPreview(read);
    });
    return () => {
      wanted = false;
    };
  }, [edit]);
  return (
    <div class="edit-preview">
      <FileEditRow edit={edit} />
      {preview.kind === 'loading' && <p class="hint">Reading the change…</p>}
      {preview.kind === 'none' && <p class="hint">{preview.why}</p>}
      {preview.kind === 'diff' && <Diff hunks={preview.hunks} />}
    </div>
  );
}

/** Never rejects: what cannot be previewed says why. */
async function readPreview(edit: FileEdit): Promise<Preview> {
  const size = Math.max(edit.before?.content.sizeHint ?? 0, edit.after?.content.sizeHint ?? 0);
  if (size > MAX_PREVIEW) return { kind: 'none', why: 'The file is too large for a preview. Open the diff to see the change.' };
  try {
    const [before, after] = await Promise.all([readSide(edit.before), readSide(edit.after)]);
    if (before === undefined || after === undefined) return { kind: 'none', why: 'A binary file. Open the diff to see the change.' };
    const hunks = lineDiff(before, after);
    return hunks.length > 0 ? { kind: 'diff', hunks } : { kind: 'none', why: 'The text stays the same.' };
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
  const signs = { same: ' ', added: '+', removed: '−' } as const;
  let left = MAX_LINES;
  const total = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  return (
    <pre class="diff" tabIndex={0} role="group" aria-label="Change">
      {hunks.map((hunk) => {
        const lines = hunk.lines.slice(0, Math.max(0, left));
        left -= hunk.lines.length;
        if (lines.length === 0) return null;
        return (
          <div key={hunk.beforeLine} class="hunk">
            <span class="hunk-head">Line {hunk.afterLine}</span>
            {lines.map((line, index) => (
              <span key={index} class={`diff-line diff-${line.kind}`}>
                {`${signs[line.kind]} `}
                <VisibleText text={line.text} />
                {'\n'}
              </span>
            ))}
          </div>
        );
      })}
      {total > MAX_LINES && <span class="hint">{total - MAX_LINES} more lines. Open the diff to see all of them.</span>}
    </pre>
  );
}
