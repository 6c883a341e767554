/** What the gateway keeps for later: who allowed what, what ran, what came of goals. */
import type { KeptRecord, RecordInput, RecordKind, RecordQuery, RecordsStatus } from '../../tap/wire/records/record.ts';

export interface Records {
  readonly status: RecordsStatus;
  /** Kept as soon as there is time for it. One that cannot be kept is counted. */
  note(kind: RecordKind, data: Record<string, unknown>, sessionId?: string): void;
  /** Resolves when they are on the disk, and rejects where not all of them are. */
  add(records: readonly RecordInput[]): Promise<void>;
  query(query: RecordQuery): Promise<KeptRecord[]>;
}

/** No record can be kept or read. The message says why. */
export class RecordsRefused extends Error {
  override readonly name = 'RecordsRefused';
}

/** Of a gateway that keeps none. */
export const noRecords: Records = {
  status: { state: 'off', bytes: 0, waiting: 0, dropped: 0, problem: 'this gateway keeps no records' },
  note: () => undefined,
  add: () => Promise.reject(new RecordsRefused('this gateway keeps no records')),
  query: () => Promise.reject(new RecordsRefused('this gateway keeps no records')),
};
