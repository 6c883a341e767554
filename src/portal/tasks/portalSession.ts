/** What tasks need of sessions. The host's sessions are behind it, or those of a test. */
import type { Event } from '../../base/event.ts';
import type { Approval } from '../entry/approve.ts';
import type { Metered } from '../limits/roundWatch.ts';
import type { PersonAnswer } from '../runs/personAnswer.ts';

export interface StartedTool {
  readonly name: string;
  /** Its `argument`, as the model gave it. */
  readonly argument: unknown;
}

/** A call that ran because of a setting of its session, and nobody was asked. */
export interface UnaskedCall {
  readonly name: string;
  /** As the model gave it. */
  readonly input: string;
  /** The session has the setting with which it was started, and no user has allowed more. */
  readonly isByEntry: boolean;
}

export interface PortalSession extends Metered {
  readonly id: string;
  /** The id of its model, and its folder, which a task that borrows it uses. */
  readonly model: string;
  readonly folder?: string | undefined;
  /** Fires in a session for which something was approved, before the send that the call belongs to resolves. */
  readonly onDidRunUnasked: Event<UnaskedCall>;
  /** Fires for each answer of a person or a program, before the send that it belongs to resolves. */
  readonly onDidAnswer: Event<PersonAnswer>;
  /** Fires when a tool starts to run, before the send that it belongs to resolves. */
  readonly onDidStartTool: Event<StartedTool>;
  /**
   * Resolves when the turn has ended. Rejects when it failed, with a {@link SessionStoppedError} when somebody stopped the session or the turn. When the
   * signal is aborted, the task or its round has ended and the turn is to be cancelled; nobody waits for the promise any more.
   */
  send(prompt: string, signal: AbortSignal): Promise<void>;
  /** Tells the agent something in the turn that runs. Resolves with why it could not be told. `by`: who says it, in words; it is an answer, too. */
  steer(text: string, by: string): Promise<string | undefined>;
  /** Ends the session. Nobody waits for it. */
  stop(): Promise<void> | void;
  /** Resolves when no turn runs any more that was cancelled. Absent: there is nothing to wait for. */
  atRest?(): Promise<void>;
}

/** The session or its turn was stopped by somebody else than the task. The task is not tried again then. */
export class SessionStoppedError extends Error {
  override readonly name = 'SessionStoppedError';
}

export interface SessionRequest {
  /** The id of a model. */
  model: string;
  /** A path at the host. Undefined: the default of the host. */
  workingDirectory: string | undefined;
  /** The name of another agent host. Absent: the one of the portal. */
  host?: string;
  /** What needs no question to the user. */
  approve: readonly Approval[];
}

export interface SessionFactory {
  /** Starts a session that offers the job tools. A session that comes after the signal was aborted is stopped at once. */
  start(request: SessionRequest, signal: AbortSignal): Promise<PortalSession>;
}
