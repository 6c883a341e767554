/** What the page “Control Tower” asks about what a session has done, and what it is answered. The session is named beside it. */
import * as z from 'zod/mini';
import type { ShownJudgement } from './shownJudgement.ts';
import type { ShownSpan } from './shownSpan.ts';

export const towerQuestion = z.discriminatedUnion('what', [
  /** The newest spans of the session, by which its traces are known. */
  z.object({ what: z.literal('traces') }),
  /** All spans of a trace, as far as there is room. */
  z.object({ what: z.literal('trace'), traceId: z.string().check(z.regex(/^[0-9a-f]{32}$/)) }),
  z.object({ what: z.literal('goals') }),
]);
export type TowerQuestion = z.infer<typeof towerQuestion>;

export interface ShownSpans {
  spans: readonly ShownSpan[];
  /** There are older ones. */
  isCut: boolean;
}

export interface ShownGoals {
  /** Newest first. */
  judgements: readonly ShownJudgement[];
  /** There are older ones. */
  isCut: boolean;
}

export interface TowerResults {
  traces: ShownSpans;
  trace: ShownSpans;
  goals: ShownGoals;
}

/** Rejects with a text for the user. */
export type AskTower = <W extends TowerQuestion['what']>(question: Extract<TowerQuestion, { what: W }>) => Promise<TowerResults[W]>;

/** Where a span leads. Without a call: to the turn. */
export interface SpanPlace {
  turn: string;
  call?: string;
}
