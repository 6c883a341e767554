/** Questions of an agent to the user: requests, their questions and the answers. */
import * as z from 'zod/mini';
import type { URI } from './shapes.ts';
import { listOf, tagged, type UnknownTag } from './schemas.ts';

export interface InputRequest {
  id: string;
  message?: string;
  /** A page to review or open. Untrusted. */
  url?: URI;
  questions?: InputQuestion[];
  /** Drafts and submitted answers by question id. */
  answers?: Record<string, InputAnswer>;
}

export interface InputOption {
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
export interface InputTextQuestion extends QuestionBase {
  kind: 'text';
  /** Hint such as `email`, `uri`, `date`, `date-time`. */
  format?: string;
  /** Characters. */
  min?: number;
  max?: number;
  defaultValue?: string;
}
export interface InputNumberQuestion extends QuestionBase {
  kind: 'number' | 'integer';
  min?: number;
  max?: number;
  defaultValue?: number;
}
export interface InputBooleanQuestion extends QuestionBase {
  kind: 'boolean';
  defaultValue?: boolean;
}
export interface InputSingleSelectQuestion extends QuestionBase {
  kind: 'single-select';
  options: InputOption[];
  allowFreeformInput?: boolean;
}
export interface InputMultiSelectQuestion extends QuestionBase {
  kind: 'multi-select';
  options: InputOption[];
  allowFreeformInput?: boolean;
  /** Number of selected options. */
  min?: number;
  max?: number;
}
export interface UnknownInputQuestion extends QuestionBase {
  kind: UnknownTag;
}
export type InputQuestion =
  | InputTextQuestion
  | InputNumberQuestion
  | InputBooleanQuestion
  | InputSingleSelectQuestion
  | InputMultiSelectQuestion
  | UnknownInputQuestion;

const freeformValues = z.optional(listOf(z.string()));
const answerValues = [
  z.object({ kind: z.literal('text'), value: z.string() }),
  z.object({ kind: z.literal('number'), value: z.number() }),
  z.object({ kind: z.literal('boolean'), value: z.boolean() }),
  /** `freeformValues`: text in place of an option. */
  z.object({ kind: z.literal('selected'), value: z.string(), freeformValues }),
  /** `freeformValues`: text besides the options. */
  z.object({ kind: z.literal('selected-many'), value: listOf(z.string()), freeformValues }),
] as const;
export type InputAnswerValue = z.infer<(typeof answerValues)[number]> | { kind: UnknownTag };

const answerStates = ['draft', 'submitted'] as const;
const skipped = z.object({ state: z.literal('skipped'), freeformValues });
const answered = z.object({ state: z.literal(answerStates), value: tagged('kind', answerValues) });
export interface InputAnswered extends z.infer<typeof answered> {}
export interface InputSkipped extends z.infer<typeof skipped> {}
export type InputAnswer = InputAnswered | InputSkipped | { state: UnknownTag };
export const inputAnswer: z.ZodMiniType<InputAnswer> = tagged('state', [answered, skipped]);

/** An answer with no tag that is unknown to this version. */
export const knownInputAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.literal(answerStates), value: z.discriminatedUnion('kind', answerValues) }),
  skipped,
]);

export type InputResponseKind = 'accept' | 'decline' | 'cancel' | UnknownTag;
