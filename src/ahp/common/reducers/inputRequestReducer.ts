/** Reduces an input request. */
import { isRecord } from '../../../base/isRecord.ts';
import type { InputAnswer, InputRequest } from '../inputRequest.ts';
import { isAbsent } from './reducer.ts';

/** A request that replaces one of the same id. It keeps the earlier answers if it has none. */
export function renewedRequest(earlier: InputRequest, request: InputRequest): InputRequest {
  return isAbsent(request.answers) && !isAbsent(earlier.answers) ? { ...request, answers: earlier.answers } : request;
}

/**
 * The request with one answer set, or cleared when there is none. Where no answer is left, it has no `answers`. The same object when there
 * is nothing to clear.
 * Question ids may be any string, such as `__proto__`, so the answers are copied and never assigned to.
 */
export function answeredRequest(request: InputRequest, questionId: string, answer: InputAnswer | null | undefined): InputRequest {
  const answers = isRecord(request.answers) ? request.answers : {};
  if (!isAbsent(answer)) return { ...request, answers: { ...answers, [questionId]: answer } };
  const left = Object.entries(answers).filter(([id]) => id !== questionId);
  if (isAbsent(request.answers) || (left.length > 0 && !Object.hasOwn(answers, questionId))) return request;
  const { answers: _all, ...rest } = request;
  return left.length === 0 ? rest : { ...rest, answers: Object.fromEntries(left) };
}
