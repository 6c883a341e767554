/** What the gateway keeps, as those ask for it that show it. */
import type { Judgement } from '../../tap/wire/evidence/verdict.ts';
import { type KeptRecord, RecordLimit } from '../../tap/wire/records/record.ts';

export type { Judgement, KeptRecord };

/** Of one question. */
export const MAX_RECORDS = RecordLimit.asked;
