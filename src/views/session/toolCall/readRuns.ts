/** Calls in a row that only read, without a question, and went well: a user needs one line for them. */
import * as l10n from '../../../base/l10n.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { Row } from '../transcript/transcript.ts';
import { toolCallView } from './toolCallView.ts';

type CallRow = Extract<Row, { kind: 'toolCall' }>;

/** `at`: the place of its first row. */
export type RowGroup<R extends Row> = { kind: 'row'; at: number; row: R } | { kind: 'run'; at: number; rows: readonly CallRow[] };

/** Fewer are as quickly read as the line that would stand for them. */
const MIN_RUN = 3;

/** `breaks`: something else stands before the row. */
export function inRuns<R extends Row>(rows: readonly R[], breaks: (at: number) => boolean): RowGroup<R>[] {
  const groups: RowGroup<R>[] = [];
  for (let at = 0; at < rows.length;) {
    let end = at;
    while (end < rows.length && isRead(rows[end]) && (end === at || !breaks(end))) end++;
    if (end - at >= MIN_RUN) groups.push({ kind: 'run', at, rows: rows.slice(at, end) as Row[] as CallRow[] });
    else {
      end = Math.max(end, at + 1);
      groups.push(...rows.slice(at, end).map((row, index) => ({ kind: 'row' as const, at: at + index, row })));
    }
    at = end;
  }
  return groups;
}

/** The rows of an opened run. */
export function oneByOne<R extends Row>(rows: readonly R[]): RowGroup<R>[] {
  return rows.map((row, at) => ({ kind: 'row', at, row }));
}

/** "Read 7 files", as far as the host says what the calls are. */
export function runLabel(rows: readonly CallRow[]): string {
  const count = rows.length;
  const kinds = new Set(rows.map(({ call }) => call._meta?.toolKind));
  const areReads = [...kinds].every((kind) => kind === 'read' || kind === 'search');
  if (!areReads) return l10n.t`${count} calls without a question`;
  if (!kinds.has('search')) return areDifferent(rows) ? l10n.t`Read ${count} files` : l10n.t`Read ${count} times`;
  return kinds.has('read') ? l10n.t`${count} reads and searches` : l10n.t`Searched ${count} times`;
}

/** By what the protocol says of a call, not by its name. What somebody else than the host ran, or what asked, has a row of its own. */
function isRead(row: Row | undefined): boolean {
  if (row?.kind !== 'toolCall') return false;
  const { call } = row;
  if (call.status !== 'completed' || !call.success || call.error || call.confirmed !== 'not-needed' || call.contributor) return false;
  const kind = call._meta?.toolKind;
  if (kind !== undefined && kind !== 'read' && kind !== 'search') return false;
  if (call.structuredContent && 'exitCode' in call.structuredContent) return false;
  const content = call.content ?? [];
  // Without a kind, the result shows that there was something to be read.
  if (kind === undefined && content.length === 0) return false;
  return content.every(({ type }) => type === 'text' || type === 'resource' || type === 'embeddedResource');
}

function areDifferent(rows: readonly CallRow[]): boolean {
  const words = rows.map(
    ({ call }) =>
      inputOf(call) ??
      toolCallView(call)
        .summary.map(({ text }) => text)
        .join(''),
  );
  return new Set(words).size === words.length;
}

function inputOf(call: ToolCallState): string | undefined {
  return 'toolInput' in call && typeof call.toolInput === 'string' ? call.toolInput : undefined;
}
