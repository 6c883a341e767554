/** What the page is told of what the user did in a session when its shell did not get it: the same as of what a host does not take. */
import type { Unsent } from '../../port/pagePort.ts';
import type { RejectedMessage, ResponseMessage, WebviewMessage } from '../protocol.ts';

/** The page gives the words of each number back once. The shell counts down from zero. */
let lastNumber = -(2 ** 40);

/** Undefined for what has no place where it could be told. */
export function toldOf({ message, reason, isUnknown }: Unsent): RejectedMessage | ResponseMessage | undefined {
  const posted = message as WebviewMessage;
  if (posted.type === 'request') return { type: 'response', id: posted.id, error: reason };
  if (posted.type !== 'inSession') return undefined;
  const { session, message: inner } = posted;
  if (inner.type === 'request') return { type: 'response', id: inner.id, error: reason };
  if (inner.type !== 'dispatch') return undefined;
  const { uri, action } = inner;
  return { type: 'rejected', session, uri, clientSeq: --lastNumber, reason, action, ...(isUnknown && { outcome: 'unknown' }) };
}
