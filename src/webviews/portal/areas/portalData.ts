/** What the portal has said, as the parts of its page get it. */
import type { JobOffer, JobStatus, JobSummary } from '../../../views/portal/jobData.ts';
import type { KeptSessions } from '../../../views/portal/answers/sessionSchemas.ts';
import type { ModelSummary, SessionSummary, TaskSummary } from '../../../views/portal/sessionData.ts';
import type { WaitingItem } from '../../../views/portal/answers/attentionList.ts';
import type { Act } from '../portalApi.ts';

export interface PortalData {
  offer: JobOffer;
  /** Oldest first. */
  runs: readonly JobSummary[];
  /** Those that run. */
  sessions: readonly SessionSummary[];
  kept: KeptSessions;
  tasks: readonly TaskSummary[];
  models: readonly ModelSummary[];
  /** The runs in which something waits, by their ids. */
  waitingJobs: ReadonlyMap<string, JobStatus>;
  /** What waits for the user. */
  items: readonly WaitingItem[];
  /** When it was said, in ms since the epoch. */
  now: number;
  /** It may be out of date, which the page says. */
  isStale: boolean;
  folder: string;
  /** Portals share the runs, and none of them can be deleted. */
  sharesRuns?: boolean | undefined;
  setFolder(folder: string): void;
  act: Act;
}
