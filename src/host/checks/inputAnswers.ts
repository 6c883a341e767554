/** Whether answers fit the questions of an input request. */
import * as l10n from '../../base/l10n.ts';
import type { InputAnswer, InputAnswerValue, InputQuestion, InputRequest } from '../../ahp/common/inputRequest.ts';

/** What is wrong with one answer. A draft only has to be of the right kind, a submitted one must be valid. */
export function answerProblem(question: InputQuestion, answer: InputAnswer): string | undefined {
  switch (answer.state) {
    case 'draft':
      return kindProblem(question, answer.value);
    case 'submitted':
      return kindProblem(question, answer.value) ?? valueProblem(question, answer.value);
    case 'skipped':
      return undefined;
    default:
      return `the answer to "${question.id}" has an unknown state`;
  }
}

/** The answers of the request, with those that came with its completion in place of earlier ones. */
export function finalAnswers(
  request: InputRequest,
  answers: Readonly<Record<string, InputAnswer>> | undefined,
): Record<string, InputAnswer> {
  return { ...request.answers, ...answers };
}

/** Why these answers cannot be accepted: a required question without a submitted one, or one that does not fit. */
export function acceptProblem(request: InputRequest, answers: Readonly<Record<string, InputAnswer>>): string | undefined {
  const questions = request.questions ?? [];
  for (const id of Object.keys(answers)) {
    if (!questions.some((question) => question.id === id)) return `the request has no question "${id}"`;
  }
  for (const question of questions) {
    const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
    if (question.required && answer?.state !== 'submitted') return l10n.t`the required question “${question.id}” has no submitted answer`;
    const problem = answer && answerProblem(question, answer);
    if (problem) return problem;
  }
  return undefined;
}

const answerKinds: Readonly<Record<string, InputAnswerValue['kind']>> = {
  text: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  'single-select': 'selected',
  'multi-select': 'selected-many',
};

function kindProblem(question: InputQuestion, value: InputAnswerValue): string | undefined {
  const expected = answerKinds[question.kind];
  // A kind of question that this version does not know accepts any answer. Its agent has to judge.
  if (expected === undefined || value.kind === expected) return undefined;
  return `the answer to "${question.id}" must be of kind "${expected}", not "${value.kind}"`;
}

/** For a value of the right kind. */
function valueProblem(question: InputQuestion, value: InputAnswerValue): string | undefined {
  const { id } = question;
  switch (value.kind) {
    case 'text': {
      if (question.kind !== 'text') return undefined;
      const length = [...value.value].length;
      if (question.required && length === 0) return l10n.t`the answer to “${id}” must not be empty`;
      return rangeProblem(length, question, {
        least: (min) => l10n.t`the number of characters in the answer to “${id}” must be at least ${min}`,
        most: (max) => l10n.t`the number of characters in the answer to “${id}” must be at most ${max}`,
      });
    }
    case 'number':
      if (question.kind === 'integer' && !Number.isInteger(value.value)) return l10n.t`the answer to “${id}” must be a whole number`;
      if (question.kind !== 'number' && question.kind !== 'integer') return undefined;
      return rangeProblem(value.value, question, {
        least: (min) => l10n.t`the answer to “${id}” must be at least ${min}`,
        most: (max) => l10n.t`the answer to “${id}” must be at most ${max}`,
      });
    case 'selected': {
      if (question.kind !== 'single-select') return undefined;
      const freeform = freeformProblem(id, question.allowFreeformInput, value.freeformValues);
      if (freeform) return freeform;
      if (value.value === '' && value.freeformValues?.length) return undefined;
      return optionProblem(id, question.options, [value.value]);
    }
    case 'selected-many': {
      if (question.kind !== 'multi-select') return undefined;
      const count = value.value.length + (value.freeformValues?.length ?? 0);
      if (question.required && count === 0) return l10n.t`the answer to “${id}” must choose something`;
      return (
        freeformProblem(id, question.allowFreeformInput, value.freeformValues) ??
        optionProblem(id, question.options, value.value) ??
        rangeProblem(count, question, {
          least: (min) => l10n.t`the number of choices in the answer to “${id}” must be at least ${min}`,
          most: (max) => l10n.t`the number of choices in the answer to “${id}” must be at most ${max}`,
        })
      );
    }
    default:
      return undefined;
  }
}

function rangeProblem(
  value: number,
  { min, max }: { min?: number; max?: number },
  say: { least: (min: number) => string; most: (max: number) => string },
): string | undefined {
  if (min !== undefined && value < min) return say.least(min);
  if (max !== undefined && value > max) return say.most(max);
  return undefined;
}

function freeformProblem(id: string, allowed: boolean | undefined, values: readonly string[] | undefined): string | undefined {
  if (!values?.length) return undefined;
  if (!allowed) return `the answer to "${id}" must be one of the options`;
  return values.some((value) => value.trim() === '') ? l10n.t`the answer to “${id}” has an empty text` : undefined;
}

function optionProblem(id: string, options: readonly { id: string }[], chosen: readonly string[]): string | undefined {
  if (new Set(chosen).size < chosen.length) return `the answer to "${id}" chooses an option twice`;
  const unknown = chosen.find((each) => !options.some((option) => option.id === each));
  return unknown === undefined ? undefined : `the answer to "${id}" chooses "${unknown}", which is not an option`;
}
