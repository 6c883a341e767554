/** The bridge's reports about one session, newest last. Texts of providers in it are untrusted. Show them as text. */
import { Emitter } from '../../../base/event.ts';
import type { TimelineRow } from '../../../views/session/transcript/timelineRows.ts';

const MAX_ROWS = 200;
const MAX_TEXT = 4_000;

export class Timeline {
  #rows: readonly TimelineRow[] = [];
  #added = 0;
  readonly #didChange = new Emitter<void>();
  readonly onDidChange = this.#didChange.event;

  /** Another list after each change. */
  get rows(): readonly TimelineRow[] {
    return this.#rows;
  }

  /** The oldest rows go when there are too many. Of a call's progress, the newest stays. */
  add(row: Omit<TimelineRow, 'id'>): void {
    const text = row.text.length > MAX_TEXT ? `${row.text.slice(0, MAX_TEXT - 1)}…` : row.text;
    const isOlder = ({ kind, callId }: TimelineRow) => row.kind === 'progress' && kind === 'progress' && callId === row.callId;
    this.#rows = [...this.#rows.filter((other) => !isOlder(other)).slice(1 - MAX_ROWS), { ...row, id: ++this.#added, text }];
    this.#didChange.fire();
  }
}
