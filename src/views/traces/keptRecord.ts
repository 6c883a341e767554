/** What the gateway keeps, as those ask for it that show it. */
import * as l10n from '../../base/l10n.ts';
import type { Judgement } from '../../tap/wire/evidence/verdict.ts';
import { type KeptRecord, RecordLimit } from '../../tap/wire/records/record.ts';
import { RUNS_SESSION } from '../../tap/wire/traces/toldSpan.ts';

export type { Judgement, KeptRecord };

/** Where the spans of the runs of portals are, which are of no session. */
export const runsElsewhere = { id: RUNS_SESSION, title: l10n.t('Runs of portals'), emitters: [], isOfRuns: true as const };

/** Of one question. */
export const MAX_RECORDS = RecordLimit.asked;
