/** Questions of an agent to the person: requests, their questions and the answers. */
import type { UnknownTag, URI } from './common.ts';
import { isAbsent, isRecord } from './reducer.ts';

export interface SessionInputRequest {
  id: string;
  message?: string;
  /** A page to review or open; untrusted. */
  url?: URI;
  questions?: SessionInputQuestion[];
  /** Drafts and submitted answers by question id. */
  answers?: Record<string, SessionInputAnswer>;
}

export interface SessionInputOption {
  id: string;
  label: string;
  description?: string;
  recommended?: boolean;
}

interface QuestionBase {
  id: string;
  title?: string;
  message: string;
  required?: boolean;
}
export interface SessionInputTextQuestion extends QuestionBase {
  kind: 'text';
  /** Hint such as `email`, `uri`, `date`, `date-time`. */
  format?: string;
  /** Characters. */
  min?: number;
  max?: number;
  defaultValue?: string;
}
export interface SessionInputNumberQuestion extends QuestionBase {
  kind: 'number' | 'integer';
  min?: number;
  max?: number;
  defaultValue?: number;
}
export interface SessionInputBooleanQuestion extends QuestionBase {
  kind: 'boolean';
  defaultValue?: boolean;
}
export interface SessionInputSingleSelectQuestion extends QuestionBase {
  kind: 'single-select';
  options: SessionInputOption[];
  allowFreeformInput?: boolean;
}
export interface SessionInputMultiSelectQuestion extends QuestionBase {
  kind: 'multi-select';
  options: SessionInputOption[];
  allowFreeformInput?: boolean;
  /** Number of selected options. */
  min?: number;
  max?: number;
}
export interface UnknownInputQuestion extends QuestionBase {
  kind: UnknownTag;
}
export type SessionInputQuestion =
  | SessionInputTextQuestion
  | SessionInputNumberQuestion
  | SessionInputBooleanQuestion
  | SessionInputSingleSelectQuestion
  | SessionInputMultiSelectQuestion
  | UnknownInputQuestion;

export type SessionInputAnswerValue =
  | { kind: 'text'; value: string }
  | { kind: 'number'; value: number }
  | { kind: 'boolean'; value: boolean }
  /** `freeformValues`: text in place of an option. */
  | { kind: 'selected'; value: string; freeformValues?: string[] }
  /** `freeformValues`: text besides the options. */
  | { kind: 'selected-many'; value: string[]; freeformValues?: string[] }
  | { kind: UnknownTag };

export interface SessionInputAnswered {
  state: 'draft' | 'submitted';
  value: SessionInputAnswerValue;
}
export interface SessionInputSkipped {
  state: 'skipped';
  freeformValues?: string[];
}
export type SessionInputAnswer = SessionInputAnswered | SessionInputSkipped | { state: UnknownTag };

export type SessionInputResponseKind = 'accept' | 'decline' | 'cancel' | UnknownTag;

export interface SessionInputRequestedAction {
  type: 'session/inputRequested';
  session: URI;
  request: SessionInputRequest;
}
/** Sets a draft or (no answer) clears it. Client-dispatchable. */
export interface SessionInputAnswerChangedAction {
  type: 'session/inputAnswerChanged';
  session: URI;
  requestId: string;
  questionId: string;
  answer?: SessionInputAnswer;
}
/** Client-dispatchable. */
export interface SessionInputCompletedAction {
  type: 'session/inputCompleted';
  session: URI;
  requestId: string;
  response: SessionInputResponseKind;
  answers?: Record<string, SessionInputAnswer>;
}
export type InputRequestAction = SessionInputRequestedAction | SessionInputAnswerChangedAction | SessionInputCompletedAction;

/** A request that replaces one of the same id: earlier answers stay when it brings none. */
export function renewedRequest(earlier: SessionInputRequest, request: SessionInputRequest): SessionInputRequest {
  return isAbsent(request.answers) && !isAbsent(earlier.answers) ? { ...request, answers: earlier.answers } : request;
}

/**
 * The request with one answer set, or cleared when there is none; the same object when there is nothing to clear.
 * Question ids are the host's, `__proto__` among them: answers are built anew, never assigned to.
 */
export function answeredRequest(
  request: SessionInputRequest,
  questionId: string,
  answer: SessionInputAnswer | null | undefined,
): SessionInputRequest {
  const answers = isRecord(request.answers) ? request.answers : {};
  if (!isAbsent(answer)) return { ...request, answers: { ...answers, [questionId]: answer } };
  if (!Object.hasOwn(answers, questionId)) return request;
  const { answers: _all, ...rest } = request;
  const left = Object.entries(answers).filter(([id]) => id !== questionId);
  return left.length === 0 ? rest : { ...rest, answers: Object.fromEntries(left) };
}
