/**
 * The newest spans of a session, and those before them that led to something: runs of a watch come every few seconds, and would leave no room for
 * them. To find these, all records of the session are gone through. That is done once, and later only for what came since and is not all among the
 * newest.
 */
import { type KeptRecord, MAX_RECORDS } from '../../views/traces/keptRecord.ts';
import type { QueryRecords } from './queryRecords.ts';

const LED_TO_SOMETHING = ['turn', 'inject'] as const;
/** Of each. */
const KEPT = 40;

export interface FoundSpans {
  /** Newest first. */
  newest: readonly KeptRecord[];
  /** May also be among the newest. */
  led: readonly KeptRecord[];
}

export class NewestSpans {
  /** The number of the last one that was looked at. */
  #seen = 0;
  #led: readonly KeptRecord[] = [];

  async of({ sessionId, records }: { readonly sessionId: string; readonly records: QueryRecords }): Promise<FoundSpans> {
    const newest = await records({ kind: 'trace', sessionId, limit: MAX_RECORDS });
    const [first] = newest;
    const isAll = newest.length < MAX_RECORDS;
    // Another file of records counts from the beginning.
    const isSame = first !== undefined && first.seq >= this.#seen;
    const seen = isSame ? this.#seen : 0;
    const hasAllSince = seen > 0 && (newest.at(-1)?.seq ?? 0) <= seen;
    const named = async (name: string) => {
      const query = { kind: 'trace', sessionId, where: { name } } as const;
      const since = seen > 0 ? await records({ ...query, after: seen, limit: MAX_RECORDS }) : undefined;
      // Those after a number come oldest first, so the newest may be missing from a full answer.
      return since && since.length < MAX_RECORDS ? since : records({ ...query, limit: KEPT });
    };
    const missed = isAll || hasAllSince ? [] : await Promise.all(LED_TO_SOMETHING.map(named));
    const known = [...(isSame && !isAll ? this.#led : []), ...missed.flat(), ...newest];
    const led = LED_TO_SOMETHING.flatMap((name) => newestOf(known.filter(({ data }) => data['name'] === name)));
    [this.#seen, this.#led] = [first?.seq ?? 0, led];
    return { newest, led };
  }
}

/** As each was told last. */
function newestOf(records: readonly KeptRecord[]): KeptRecord[] {
  const bySeq = new Map(records.map((record) => [record.seq, record]));
  return [...bySeq.values()].sort((a, b) => b.seq - a.seq).slice(0, KEPT);
}
