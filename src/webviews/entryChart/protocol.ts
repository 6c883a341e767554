/** The messages between the page with the charts of an entry and the extension. The extension posts lists of messages, the page one message at a time. */
import * as z from 'zod/mini';
import type { ChartGraph } from '../../views/portal/jobData.ts';

/** All that is shown. Replaces what was sent before. */
export interface EntryChartMessage {
  type: 'charts';
  /** In the order of the entry. */
  jobs: readonly { name: string; chart: ChartGraph }[];
  /** The job in which the user writes. */
  at?: string;
  /** Why the charts are not those of the text as it is. */
  problem?: string;
}

const entryChartPageMessage = z.object({ type: z.literal('ready') });
export type EntryChartPageMessage = z.infer<typeof entryChartPageMessage>;

/** A fresh message with no member that the protocol does not know. Undefined for anything malformed. */
export function parseEntryChartPageMessage(value: unknown): EntryChartPageMessage | undefined {
  return entryChartPageMessage.safeParse(value).data;
}
