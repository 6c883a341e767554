/** The messages between the page with the charts of an entry and the extension. The extension posts lists of messages, the page one message at a time. */
import * as z from 'zod/mini';
import type { ChartGraph } from '../../views/portal/jobData.ts';
import type { Trial, TrialScript } from '../../views/portal/trial/trial.ts';

/** All that is shown. Replaces what was sent before. */
export interface EntryChartMessage {
  type: 'charts';
  /** In the order of the entry. */
  jobs: readonly { name: string; chart: ChartGraph }[];
  /** The job in which the user writes. */
  at?: string;
  /** Why the charts are not those of the text as it is. */
  problem?: string;
  /** Absent: no job is tried. */
  trial?: ShownTrial;
}

export interface ShownTrial {
  /** Its name. */
  job: string;
  script: TrialScript;
  result: Trial;
}

const MAX_TIMES = 1_000_000;
const MAX_TEXT = 1_000_000;
const MAX_OUTCOMES = 10_000;

const name = z.string().check(z.maxLength(MAX_TEXT));
const times = z.union([z.int().check(z.minimum(0), z.maximum(MAX_TIMES)), z.literal('always')]);
const loopCap = z.int().check(z.minimum(1), z.maximum(MAX_TIMES));
const outcomes = z
  .record(name, z.object({ fails: z.optional(times), unavailable: z.optional(times) }))
  // eslint-disable-next-line texts/translated -- for programs
  .check(z.refine((given) => Object.keys(given).length <= MAX_OUTCOMES, 'has too many outcomes'));

const entryChartPageMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Or tries it again, with another script. */
  z.object({ type: z.literal('try'), job: name, outcomes, userInput: z.optional(name), loopCap: z.optional(loopCap) }),
  z.object({ type: z.literal('endTrial') }),
]);
export type EntryChartPageMessage = z.infer<typeof entryChartPageMessage>;

/** A fresh message with no member that the protocol does not know. Undefined for anything malformed. */
export function parseEntryChartPageMessage(value: unknown): EntryChartPageMessage | undefined {
  return entryChartPageMessage.safeParse(value).data;
}
