import type { KeptRecord } from '../../views/traces/keptRecord.ts';

/** What of the records the page “Control Tower” asks. */
export interface TowerQuery {
  kind: 'trace' | 'goal' | 'claim';
  sessionId?: string;
  where?: Record<string, string>;
  /** The number of a record. The oldest after it, oldest first. */
  after?: number;
  limit: number;
}

/** Rejects with a text that says why not. */
export type QueryRecords = (query: TowerQuery) => Promise<readonly KeptRecord[]>;
