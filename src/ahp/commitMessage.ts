/** In `_meta` of an operation that commits: the message that the host suggests. In `_meta` of its invocation: the one that the user wants. */
import { isRecord } from '../base/isRecord.ts';

export const COMMIT_MESSAGE = 'tapline.commitMessage';

/** In characters. Our host takes no longer one. */
export const MAX_COMMIT_MESSAGE = 16 * 1024;

export function commitMessageIn(meta: unknown): string | undefined {
  const message = isRecord(meta) ? meta[COMMIT_MESSAGE] : undefined;
  return typeof message === 'string' ? message : undefined;
}
