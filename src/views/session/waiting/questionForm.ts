/** The form of an input request: what the user has filled in, whether it is valid, and the answers. */
import * as l10n from '../../../base/l10n.ts';
import type {
  InputAnswer,
  InputAnswerValue,
  InputMultiSelectQuestion,
  InputNumberQuestion,
  InputQuestion,
  InputRequest,
  InputSkipped,
  InputTextQuestion,
} from '../../../ahp/common/inputRequest.ts';
import type { ActionLike } from '../../../ahp/common/reducers/reducer.ts';
import type { Gesture } from '../sessionGesture.ts';

/** The values of one question's controls. Each kind of question uses the members that it needs. */
export interface Field {
  /** For text and number questions: what was typed. */
  text: string;
  /** For boolean questions; undefined until the user chose. */
  checked?: boolean;
  /** Ids of the chosen options, at most one for a single select. */
  selected: readonly string[];
  /** Free text, in place of an option (single select) or in addition to the options (multi select). */
  freeform: string;
  /** Why the question is skipped, which may be left empty. What was answered before stays, for the case that it is answered after all. */
  skipped?: string;
}

export type Fields = Readonly<Record<string, Field>>;

export const emptyField: Field = { text: '', selected: [], freeform: '' };

/** Agents choose the ids, which may be `constructor`. */
export function fieldAt(fields: Fields, { id }: Pick<InputQuestion, 'id'>): Field {
  return (Object.hasOwn(fields, id) ? fields[id] : undefined) ?? emptyField;
}

/** The initial form: earlier answers, which may be drafts of another window, otherwise the defaults. */
export function initialFields(request: InputRequest): Fields {
  const fields: Record<string, Field> = {};
  for (const question of request.questions ?? []) {
    const answer = request.answers && Object.hasOwn(request.answers, question.id) ? request.answers[question.id] : undefined;
    fields[question.id] = answer ? fieldOf(answer) : defaultField(question);
  }
  return fields;
}

/** What the user has answered in an action that was refused. */
export function refusedFields(action: ActionLike | undefined): Fields {
  if (action?.type !== 'chat/inputCompleted') return {};
  const { answers = {} } = action as Gesture<'chat/inputCompleted'>;
  return Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, fieldOf(answer)]));
}

/** The values that show an answer. */
export function fieldOf(answer: InputAnswer): Field {
  if (answer.state === 'skipped') return answer.freeformValues ? { ...emptyField, skipped: answer.freeformValues.join(', ') } : emptyField;
  if (answer.state !== 'draft' && answer.state !== 'submitted') return emptyField;
  const value = answer.value;
  switch (value.kind) {
    case 'text':
      return { ...emptyField, text: value.value };
    case 'number':
      return { ...emptyField, text: String(value.value) };
    case 'boolean':
      return { ...emptyField, checked: value.value };
    case 'selected': {
      const freeform = value.freeformValues?.join(', ') ?? '';
      return { ...emptyField, selected: freeform === '' && value.value !== '' ? [value.value] : [], freeform };
    }
    case 'selected-many':
      return { ...emptyField, selected: value.value, freeform: value.freeformValues?.join(', ') ?? '' };
    default:
      return emptyField;
  }
}

function defaultField(question: InputQuestion): Field {
  switch (question.kind) {
    case 'text':
      return { ...emptyField, text: question.defaultValue ?? '' };
    case 'number':
    case 'integer':
      return { ...emptyField, text: question.defaultValue === undefined ? '' : String(question.defaultValue) };
    case 'boolean':
      return { ...emptyField, ...(question.defaultValue === undefined ? {} : { checked: question.defaultValue }) };
    default:
      return emptyField;
  }
}

/** True when the user has not answered the question. */
export function isEmpty(question: InputQuestion, field: Field): boolean {
  if (field.skipped !== undefined) return true;
  switch (question.kind) {
    case 'text':
      return field.text === '';
    case 'number':
    case 'integer':
      return field.text.trim() === '';
    case 'boolean':
      return field.checked === undefined;
    case 'single-select':
    case 'multi-select':
      return field.selected.length === 0 && field.freeform.trim() === '';
    default:
      return true;
  }
}

/** What is wrong with an answer, as a text for the user. Undefined when it is valid. */
export function problemOf(question: InputQuestion, field: Field): string | undefined {
  if (isEmpty(question, field)) {
    if (!question.required) return undefined;
    return isKnown(question)
      ? l10n.t('This needs an answer.')
      : l10n.t('This question needs an answer that this version cannot give. Decline, or update Tapline.');
  }
  switch (question.kind) {
    case 'text':
      return textProblem(question, field.text);
    case 'number':
    case 'integer':
      return numberProblem(question, field.text);
    case 'multi-select':
      return countProblem(question, field.selected.length + (field.freeform.trim() === '' ? 0 : 1));
    default:
      return undefined;
  }
}

function isKnown(question: InputQuestion): boolean {
  return ['text', 'number', 'integer', 'boolean', 'single-select', 'multi-select'].includes(question.kind);
}

function textProblem({ min, max, format }: InputTextQuestion, text: string): string | undefined {
  const length = [...text].length;
  if (min !== undefined && length < min)
    return l10n.plural(
      min,
      l10n.t`Enter at least ${l10n.countText(min)} character.`,
      l10n.t`Enter at least ${l10n.countText(min)} characters.`,
    );
  if (max !== undefined && length > max)
    return l10n.plural(
      max,
      l10n.t`Enter at most ${l10n.countText(max)} character.`,
      l10n.t`Enter at most ${l10n.countText(max)} characters.`,
    );
  if (format === 'email' && !/^[^\s@]+@[^\s@]+$/.test(text)) return l10n.t('Enter an email address.');
  if (format === 'uri' && !URL.canParse(text)) return l10n.t('Enter a full URL, such as https://example.com.');
  if (format === 'date' && !isDate(text)) return l10n.t('Enter a date, such as 2026-01-31.');
  if (format === 'date-time' && !isDateTime(text)) return l10n.t('Enter a date and time, such as 2026-01-31T09:00Z.');
  return undefined;
}

/** `Date.parse` accepts nearly anything, and reads 31 February as a day in March. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
function isDateTime(text: string): boolean {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2})?)$/.exec(text) ?? [];
  return day !== undefined && isDate(day) && !Number.isNaN(Date.parse(`${day}T${time?.toUpperCase()}`));
}

function numberProblem({ kind, min, max }: InputNumberQuestion, text: string): string | undefined {
  const value = numberOf(text);
  if (value === undefined) return l10n.t('Enter a number.');
  if (kind === 'integer' && !Number.isInteger(value)) return l10n.t('Enter a whole number.');
  if (min !== undefined && value < min) return l10n.t`Enter ${min} or more.`;
  if (max !== undefined && value > max) return l10n.t`Enter ${max} or less.`;
  return undefined;
}

function countProblem({ min, max }: InputMultiSelectQuestion, chosen: number): string | undefined {
  if (min !== undefined && chosen < min) return l10n.t`Choose at least ${min}.`;
  if (max !== undefined && chosen > max) return l10n.t`Choose at most ${max}.`;
  return undefined;
}

function numberOf(text: string): number | undefined {
  const value = Number(text.trim());
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}

/** Undefined when there is no answer, or only the beginning of one, such as "-" for a number. */
export function valueOf(question: InputQuestion, field: Field): InputAnswerValue | undefined {
  if (isEmpty(question, field)) return undefined;
  const words = field.freeform.trim();
  const freeform = words === '' ? {} : { freeformValues: [words] };
  switch (question.kind) {
    case 'text':
      return { kind: 'text', value: field.text };
    case 'number':
    case 'integer': {
      const value = numberOf(field.text);
      return value === undefined ? undefined : { kind: 'number', value };
    }
    case 'boolean':
      return { kind: 'boolean', value: field.checked === true };
    case 'single-select':
      // Free text replaces the option.
      return { kind: 'selected', value: words === '' ? (field.selected[0] ?? '') : '', ...freeform };
    case 'multi-select':
      return { kind: 'selected-many', value: [...field.selected], ...freeform };
    default:
      return undefined;
  }
}

/** The draft of one question to share with other windows; undefined clears it. */
export function draftOf(question: InputQuestion, field: Field): InputAnswer | undefined {
  const value = valueOf(question, field);
  if (value) return { state: 'draft', value };
  const skip = skipOf(field);
  return skip.freeformValues && skip;
}

function skipOf({ skipped = '' }: Field): InputSkipped {
  const reason = skipped.trim();
  return { state: 'skipped', ...(reason !== '' && { freeformValues: [reason] }) };
}

export type Submission =
  | { kind: 'answers'; answers: Record<string, InputAnswer> }
  /** Problems by question id, in the form's order. */
  | { kind: 'problems'; problems: Map<string, string> };

/** The answers to submit, with empty ones as skipped, or the problems to correct first. */
export function submission(request: InputRequest, fields: Fields): Submission {
  const problems = new Map<string, string>();
  const answers: [string, InputAnswer][] = [];
  for (const question of request.questions ?? []) {
    const field = fieldAt(fields, question);
    const problem = problemOf(question, field);
    if (problem !== undefined) problems.set(question.id, problem);
    const value = valueOf(question, field);
    answers.push([question.id, value ? { state: 'submitted', value } : skipOf(field)]);
  }
  return problems.size > 0 ? { kind: 'problems', problems } : { kind: 'answers', answers: Object.fromEntries(answers) };
}
