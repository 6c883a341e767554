/** The files that calls of a turn have changed, for one line at its end. */
import type { FileEdit, URI } from '../../../ahp/common/shapes.ts';
import type { TurnView } from './transcript.ts';
import * as l10n from '../../../base/l10n.ts';

/** For example “2 files changed +4 −1”. Without lines where a file was changed twice: single changes do not add up. Undefined where the calls name none. */
export function turnFiles({ rows }: Pick<TurnView, 'rows'>): string | undefined {
  const files = new Set<URI>();
  let [added, removed] = [0, 0];
  let isTwice = false;
  for (const row of rows) {
    if (row.kind !== 'toolCall' || row.call.status !== 'completed') continue;
    for (const content of row.call.content ?? []) {
      if (content.type !== 'fileEdit') continue;
      const { before, after, diff } = content as FileEdit;
      const uri = (after ?? before)?.uri;
      if (uri === undefined) continue;
      isTwice ||= files.has(uri);
      files.add(uri);
      added += diff?.added ?? 0;
      removed += diff?.removed ?? 0;
    }
  }
  if (files.size === 0) return undefined;
  const changed = l10n.plural(
    files.size,
    l10n.t`${l10n.countText(files.size)} file changed`,
    l10n.t`${l10n.countText(files.size)} files changed`,
  );
  if (isTwice) return changed;
  return [changed, ...(added > 0 ? [`+${l10n.countText(added)}`] : []), ...(removed > 0 ? [`−${l10n.countText(removed)}`] : [])].join(' ');
}

/** One edit for each file, from what it was before the first one to what it is after the last. `edits`: in their order. */
export function mergedEdits(edits: readonly FileEdit[]): FileEdit[] {
  const merged = new Map<URI, FileEdit>();
  for (const { before, after } of edits) {
    const from = before && merged.get(before.uri);
    const uri = (after ?? before)?.uri;
    if (uri === undefined) continue;
    if (from && before) merged.delete(before.uri);
    const first = from ? from.before : before;
    if (first || after) merged.set(uri, { ...(first && { before: first }), ...(after && { after }) });
  }
  return [...merged.values()];
}
