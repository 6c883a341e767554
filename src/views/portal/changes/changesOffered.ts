import type { JobSummary } from '../jobData.ts';

/** What can be done to a run as a whole by one button, without more words. */
export type OfferedChange = 'pause' | 'continue' | 'stop';

/** A loop that went round too often needs a higher cap first, which is asked for where the run is shown. */
export function changesOffered({ status, pausing, loopCap }: Pick<JobSummary, 'status' | 'pausing' | 'loopCap'>): readonly OfferedChange[] {
  if (status === 'Executing') return pausing ? ['stop', 'continue'] : ['pause', 'stop'];
  return status === 'Succeeded' || loopCap !== undefined ? [] : ['continue'];
}
