/** What a kind of changeset is for the host: how it is listed, made and changed. */
import type { ChangesetState } from '../../ahp/channels/changeset.ts';
import type { ChangesetOperationResult, CommandParams } from '../../ahp/channels/commands.ts';
import type { Changeset } from '../../ahp/channels/shapes/basic.ts';
import type { URI } from '../../ahp/common/shapes.ts';

export type ChangesetOperationTarget = NonNullable<CommandParams<'invokeChangesetOperation'>['target']>;

/** One kind of changeset that the host makes when somebody looks at it. */
export interface ChangesetSource {
  /** `session`, `turn` or `uncommitted`. */
  readonly kind: string;
  /** It takes a while, so it is looked at after each turn, and not after each file that a turn changes. */
  readonly asksGit?: boolean;
  /** What the session lists of this kind. Undefined: nothing. May be asked again after each turn. */
  listed(session: URI): Promise<Changeset | undefined>;
  /** The state as it is now. */
  read(target: ChangesetTarget): Promise<ChangesetState>;
  /** Throws an `RpcError`. `message`: for the user. */
  invoke(target: ChangesetTarget, operation: OperationRequest): Promise<ChangesetOperationResult>;
}

/** A changeset that somebody reads or works on. */
export interface ChangesetTarget {
  readonly session: URI;
  readonly channel: URI;
  /** Of the kind `turn`. */
  readonly turnId?: string;
  /** Real path. */
  readonly workingDirectory: string;
}

export interface OperationRequest {
  readonly operationId: string;
  readonly target?: ChangesetOperationTarget;
  readonly commitMessage?: string;
  /** What the operation that was seen has as `SEEN_CHANGES`. */
  readonly seen?: string;
}
