/**
 * Reports of the bridge between a session and its tool providers, as rows among the turns of the session. Texts of providers are untrusted
 * and shown as text.
 */
import * as l10n from '../../../base/l10n.ts';

/**
 * `push`: an event of a provider. `dropped`: there are too many of them. `progress`: of a running call. `gate`: a provider denied a call, in time or
 * too late. `warning`: of the bridge.
 */
export interface TimelineRow {
  /** A later row has a larger one. */
  readonly id: number;
  readonly kind: 'push' | 'dropped' | 'progress' | 'gate' | 'warning';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Its place: after that many parts of the turn, or without `parts` after its end. Absent before the first turn. */
  readonly after?: { readonly turnId: string; readonly parts?: number };
  readonly provider?: string;
  /** Of a push. */
  readonly stream?: string;
  /** What is watched, in place of a provider. */
  readonly emitter?: string;
  /** Of a push that begins a turn, now or when the session is idle. */
  readonly injects?: true;
  /** The gateway takes no injects of this provider until the user speaks. */
  readonly paused?: true;
  /** Of progress and gates. */
  readonly callId?: string;
  readonly text: string;
}

/** Rows of one place in the transcript that are not folded. */
const MAX_SHOWN = 5;

/** The rows of each turn; those before the first turn are under `undefined`. A list that did not change is the same object as `before`. */
export type RowsByTurn = ReadonlyMap<string | undefined, readonly TimelineRow[]>;

export function rowsByTurn(rows: readonly TimelineRow[], before: RowsByTurn): RowsByTurn {
  const byTurn = grouped(rows, ({ after }) => after?.turnId);
  const isSame = (a: readonly TimelineRow[], b: readonly TimelineRow[]) =>
    a.length === b.length && a.every(({ id }, index) => id === b[index]?.id);
  return new Map(
    [...byTurn].map(([turnId, own]) => {
      const known = before.get(turnId);
      return [turnId, known && isSame(own, known) ? known : own];
    }),
  );
}

/** By the number of parts that stand before them, and one more for those behind the end of the turn. Rows about a call follow the call, wherever the others are. */
export function rowsByPlace(
  rows: readonly TimelineRow[],
  callIds: readonly (string | undefined)[],
): ReadonlyMap<number, readonly TimelineRow[]> {
  return grouped(rows, ({ callId, after }) => {
    const call = callId === undefined ? -1 : callIds.indexOf(callId);
    if (call >= 0) return call + 1;
    return after?.parts === undefined ? callIds.length + 1 : Math.min(after.parts, callIds.length);
  });
}

function grouped<K>(rows: readonly TimelineRow[], keyOf: (row: TimelineRow) => K): Map<K, TimelineRow[]> {
  const groups = new Map<K, TimelineRow[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** Older rows are folded, so that a provider that says much does not push the session out of view. */
export function foldedRows(rows: readonly TimelineRow[]): { folded: readonly TimelineRow[]; shown: readonly TimelineRow[] } {
  const at = rows.length > MAX_SHOWN ? rows.length - MAX_SHOWN : 0;
  return { folded: rows.slice(0, at), shown: rows.slice(at) };
}

export interface TimelineRowView {
  /** A codicon's name. */
  icon: string;
  /** Where it comes from. Absent for rows of Tapline, so that no provider can pretend to be Tapline. */
  provider?: string;
  /** What is watched, where the row is a line of it. */
  emitter?: string;
  /** "stream build"; absent where the stream has the provider's name. */
  stream?: string;
  text: string;
  /** What it means for the session. */
  note?: string;
}

export function timelineRowView({ kind, provider, stream, emitter, injects, paused, text }: TimelineRow): TimelineRowView {
  const common = { ...(provider !== undefined && { provider }), ...(emitter !== undefined && { emitter }), text };
  switch (kind) {
    case 'push':
      return {
        ...common,
        icon: paused ? 'debug-pause' : injects ? 'zap' : emitter === undefined ? 'broadcast' : 'eye',
        ...(stream !== undefined && stream !== provider && { stream: l10n.t`stream ${stream}` }),
        ...(paused
          ? {
              note:
                emitter === undefined
                  ? l10n.t('Paused: this provider has started too many turns by itself. It can start turns again after your next message.')
                  : l10n.t('Paused: it has started too many turns by itself. It can start turns again after your next message.'),
            }
          : injects && { note: l10n.t('Starts a turn once the session is idle.') }),
      };
    case 'dropped':
      return { ...common, icon: 'debug-pause' };
    case 'progress':
      return { ...common, icon: 'ellipsis' };
    case 'gate':
      return { ...common, icon: 'shield' };
    case 'warning':
      return { ...common, icon: 'warning' };
  }
}
