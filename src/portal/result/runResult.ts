/** What a run has brought about, step by step, as far as its agent hosts and this computer tell. All of it is JSON. */
import type { RunStatus, StepKey } from '../runs/runEvents.ts';

export interface ChangedFile {
  /** Which file of the session's changes it is. */
  id: string;
  /** In the folder of the session, or absolute. */
  path: string;
  change: 'created' | 'changed' | 'deleted' | 'moved';
  /** The old path of a file that was moved. */
  from?: string;
  added?: number;
  removed?: number;
  /** The absolute path of a file that is on this computer. */
  localPath?: string;
  /** The agent host discards the change; what is to be asked before. */
  discard?: string;
  /** Of exactly this change. */
  revision: string;
}

/** What one session of a step has changed. */
export interface ChangesOfSession {
  sessionId: string;
  files: ChangedFile[];
  /** There are so many more, which are not listed. */
  more?: number;
  /** The agent host discards all of them; what is to be asked before. */
  discard?: string;
  /** Of exactly these changes. */
  revision: string;
}

export interface ResultOfStep {
  step: StepKey;
  workId: number;
  taskName: string;
  status: RunStatus;
  /** The job was continued from here, so this step does not count any more. What it has changed may still be there. */
  redone?: true;
  /** The agent host, where it is not that of the portal. */
  host?: string;
  changes: ChangesOfSession[];
  /** Paths of what its agents have reported, as they wrote them. */
  documents: string[];
  /** What could not be found out, in words. */
  problems: string[];
}

export interface RunResult {
  jobId: string;
  /** In the order in which they started. Those with nothing to tell are left out. */
  steps: ResultOfStep[];
}

/** Both texts of a change. */
export interface FileTexts {
  /** Empty for a file that was created. */
  before: string;
  /** Empty for a file that was deleted. */
  after: string;
}

export interface DocumentText {
  /** The real path, absolute. */
  localPath: string;
  isMarkdown: boolean;
  text: string;
}

/** A commit that can be made of what a run has changed. */
export interface CommitPlan {
  /** The top folder of the work tree. */
  folder: string;
  /** The branch that the work tree is on, and stays on. Absent: none. */
  base?: string;
  /** The commit that it follows. */
  head: string;
  /** What is suggested. */
  branch: string;
  message: string;
  files: { path: string; change: 'created' | 'changed' | 'deleted' }[];
  /** Paths outside of the folder of the run. */
  leftOut: string[];
  /** Of exactly these files and the last commit. */
  revision: string;
}

export interface ResultError<E extends string> {
  error: E;
  message: string;
}
