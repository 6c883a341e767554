/**
 * What an operation of a changeset and its invocation have in `_meta`. A commit: the message that the host suggests, and the one that the user
 * wants. Any operation: a digest of the changes that it is offered for. Where the invocation has it, and the changes are others, nothing is done.
 * Of an operation for one file, that file alone is compared.
 */
import { isRecord } from '../base/isRecord.ts';

export const COMMIT_MESSAGE = 'tapline.commitMessage';
export const SEEN_CHANGES = 'tapline.seen';

/** Characters. */
const MAX_SEEN = 200;

/** In characters. Our host takes no longer one. */
export const MAX_COMMIT_MESSAGE = 16 * 1024;

export function commitMessageIn(meta: unknown): string | undefined {
  const message = isRecord(meta) ? meta[COMMIT_MESSAGE] : undefined;
  return typeof message === 'string' ? message : undefined;
}

export function seenChangesIn(meta: unknown): string | undefined {
  const seen = isRecord(meta) ? meta[SEEN_CHANGES] : undefined;
  return typeof seen === 'string' && seen.length <= MAX_SEEN ? seen : undefined;
}

/** For an invocation of the operation that was offered with `offered`. Empty where there is nothing to say. */
export function metaOfInvocation(offered: unknown, commitMessage: string | undefined): { _meta?: Record<string, string> } {
  const seen = seenChangesIn(offered);
  const meta = {
    ...(commitMessage !== undefined && { [COMMIT_MESSAGE]: commitMessage }),
    ...(seen !== undefined && { [SEEN_CHANGES]: seen }),
  };
  return Object.keys(meta).length > 0 ? { _meta: meta } : {};
}
