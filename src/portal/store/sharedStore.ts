/**
 * A store of runs at which several portals work. Each run that has not ended belongs to one portal, or waits for one. Only its owner adds events
 * to it, except for the first one and the one with which it is continued. What is done with the result of a run that has ended is added by whoever does it. All portals get the events of all runs.
 */
import { UserError } from '../../base/errors.ts';
import type { RunEvent } from '../runs/runEvents.ts';

/** A run that this portal owns from now on. */
export interface ClaimedRun {
  runId: string;
  /** Of the job's loops, where its continuation named one. */
  loopCap?: number;
  /** The portal that owned it before is gone, and may have begun with it. */
  isTakenOver: boolean;
  /** How often it was taken over since a step of it last had an answer. */
  takeovers: number;
  /** What was to be stopped, as {@link SharedStore.stop} got it. */
  stops: string[];
}

export interface SharedStoreListener {
  /** All events of a run that was not known here. */
  onRun(runId: string, events: RunEvent[]): void;
  /** New events of a run that other portals have kept: in order, and each once. */
  onEvents(runId: string, events: RunEvent[]): void;
  /** To be run here. Resolves when it does not run here any more. */
  onClaim(run: ClaimedRun): Promise<void>;
  /** A person has stopped a run that this portal owns, or a task of it, or all that has not begun: `id` is what {@link SharedStore.stop} got. */
  onStop(runId: string, id: string): void;
  /** This portal owns no run any more: other portals may have them already. It joins again by itself, as soon as it can. */
  onLost(): void;
  /** Whether this portal has what a run needs. */
  has(need: string): Promise<boolean>;
}

export interface SharedStore {
  /** Why it cannot be used now. What is known of runs may be old then. */
  readonly problem: string | undefined;
  /** Joins the portals of the store, after it has told of the runs that are kept, the oldest first. Rejects with a {@link StoreUnavailableError}. */
  open(listener: SharedStoreListener): Promise<void>;
  /**
   * Keeps a new job with its first event, for the first portal that is free and has what it needs. False: a run with this id is kept already.
   * `isQueued`: no portal gets it before {@link dequeue}.
   */
  begin(runId: string, first: RunEvent, needs: readonly string[], how: { isQueued: boolean }): Promise<boolean>;
  /**
   * Adds an event to a run that is queued, and lets the portals have it. One portal does that at a time: `mayBegin` is asked when the listener
   * knows what all others have begun. False: it may not, or it is not as its last event that is known here says.
   */
  dequeue(runId: string, event: RunEvent, mayBegin: () => boolean): Promise<boolean>;
  /** A new run without events, which this portal owns and runs already. */
  beginOwn(runId: string): Promise<void>;
  /** A run of {@link beginOwn} that has come to nothing. */
  forget(runId: string): Promise<void>;
  /** Goes on with a run that has ended. False when it has not, or not as its last event that is known here says. */
  reopen(runId: string, event: RunEvent, loopCap?: number): Promise<boolean>;
  /** Adds an event to a run that has ended, which stays so. False when it has not ended. */
  note(runId: string, event: RunEvent): Promise<boolean>;
  /** Adds an event to a run that this portal owns. Calls without waiting keep their order. Rejects when it does not own the run any more. */
  append(runId: string, event: RunEvent): Promise<void>;
  /** Tells the owner of a run to stop what `id` names, which is kept for the next owner too: a word without a space. A run without an owner is given to this portal, or to the next one. */
  stop(runId: string, id: string): Promise<void>;
  /** Tells the listener what other portals have kept until now, and all of one run. What it was told before is not told again. */
  catchUp(runId?: string): Promise<void>;
  /** Gives all runs to the other portals, and leaves. What was added before should be kept by then. */
  close(): Promise<void>;
}

/** The store cannot be reached, or does not answer in time. */
export class StoreUnavailableError extends UserError {}
