/**
 * The form in which the user fills in a tool's arguments by hand, made from the JSON Schema of its parameters. It asks for fields of simple
 * types one after the other, and for everything else as JSON. The gateway checks the whole against the schema before the provider is called.
 */
import * as l10n from '../../base/l10n.ts';
import { messageOf } from '../../base/errors.ts';
import * as z from 'zod';
import { isRecord } from '../../base/isRecord.ts';
import { oneLine } from '../text/oneLine.ts';
import { plainLines } from './words.ts';

export interface Choice {
  readonly label: string;
  readonly value: unknown;
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  /** What the field is for, and what it takes. */
  readonly prompt: string;
  readonly isRequired: boolean;
  /** One of these; otherwise the user types. */
  readonly choices?: readonly Choice[];
  /** What the field begins with. */
  readonly initial: string;
  /** The value of what was typed, or what is wrong with it. */
  read(text: string): { readonly value: unknown } | { readonly problem: string };
}

/** `json`: all arguments as one JSON object. */
export type ToolForm = { readonly kind: 'fields'; readonly fields: readonly FormField[] } | { readonly kind: 'json' };

/** What a user goes through field by field, here and in the questions of tools. */
export const MAX_FIELDS = 20;
export const MAX_CHOICES = 200;
const DESCRIPTION_LENGTH = 300;
/** These say more about the arguments than a list of fields can. */
const COMPOSED = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'dependentRequired',
];
/** What a simple field is checked for at once. Patterns are left to the gateway, which measures what they cost. */
const CHECKED = ['type', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'];

export function toolForm(parameters: Record<string, unknown>): ToolForm {
  const { properties = {}, required } = parameters;
  if (!isRecord(properties) || COMPOSED.some((keyword) => Object.hasOwn(parameters, keyword))) return { kind: 'json' };
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS) return { kind: 'json' };
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  if ([...needed].some((name) => !Object.hasOwn(properties, name as string))) return { kind: 'json' };
  // Without properties, a tool takes nothing or anything.
  if (entries.length === 0 && isRecord(parameters.additionalProperties)) return { kind: 'json' };
  return { kind: 'fields', fields: entries.map(([name, schema]) => formField(name, isRecord(schema) ? schema : {}, needed.has(name))) };
}

export function readJsonObject(text: string): { readonly value: Record<string, unknown> } | { readonly problem: string } {
  const read = readJson(text);
  if ('problem' in read) return read;
  return isRecord(read.value)
    ? { value: read.value }
    : { problem: l10n.t('The arguments must be a JSON object, such as {"name": "value"}.') };
}

function formField(name: string, schema: Record<string, unknown>, isRequired: boolean): FormField {
  const { title, description, type, default: initial } = schema;
  const choices = choicesOf(schema);
  const field = {
    name,
    label: oneLine(typeof title === 'string' && title !== '' ? `${title} (${name})` : name),
    isRequired,
    ...(choices && { choices }),
  };
  const isText = type === 'string';
  const isNumber = type === 'number' || type === 'integer';
  const takes = choices ? '' : isText ? l10n.t('Text.') : isNumber ? numberText(schema) : 'JSON.';
  const optional = isRequired ? [] : [l10n.t('Optional: leave it empty to leave it out.')];
  const prompt = l10n.sentencesText([...fieldDescription(description), takes, ...optional].filter(Boolean));
  const check = checkOf(schema);
  return {
    ...field,
    prompt: prompt.trim(),
    initial: initial === undefined ? '' : typeof initial === 'string' && isText ? initial : JSON.stringify(initial),
    read(text) {
      if (isText) return check(text);
      if (text.trim() === '') return { problem: l10n.t('A value is needed here.') };
      if (isNumber) return Number.isFinite(Number(text)) ? check(Number(text)) : { problem: l10n.t('This is not a number.') };
      const value = readJson(text);
      return 'problem' in value ? value : check(value.value);
    },
  };
}

/** For the prompt of a field: one line, or none. The text is a provider's. */
export function fieldDescription(description: unknown): string[] {
  return typeof description === 'string' ? [oneLine(plainLines(description, DESCRIPTION_LENGTH), 2 * DESCRIPTION_LENGTH)] : [];
}

function choicesOf({ enum: values, type }: Record<string, unknown>): Choice[] | undefined {
  if (Array.isArray(values) && values.length > 0 && values.length <= MAX_CHOICES) {
    return values.map((value) => ({ label: oneLine(typeof value === 'string' ? value : JSON.stringify(value)) || '""', value }));
  }
  return type === 'boolean' ? [true, false].map((value) => ({ label: String(value), value })) : undefined;
}

/** What a number may be. The limits stand there as they are typed. */
function numberText({ type, minimum, maximum }: Record<string, unknown>): string {
  const isWhole = type === 'integer';
  if (typeof minimum === 'number' && typeof maximum === 'number')
    return isWhole ? l10n.t`A whole number from ${minimum} to ${maximum}.` : l10n.t`A number from ${minimum} to ${maximum}.`;
  if (typeof minimum === 'number') return isWhole ? l10n.t`A whole number, at least ${minimum}.` : l10n.t`A number, at least ${minimum}.`;
  if (typeof maximum === 'number') return isWhole ? l10n.t`A whole number, at most ${maximum}.` : l10n.t`A number, at most ${maximum}.`;
  return isWhole ? l10n.t('A whole number.') : l10n.t('A number.');
}

function checkOf(schema: Record<string, unknown>): (value: unknown) => ReturnType<FormField['read']> {
  let checked: z.ZodType | undefined;
  try {
    checked = z.fromJSONSchema(Object.fromEntries(Object.entries(schema).filter(([keyword]) => CHECKED.includes(keyword))));
  } catch {
    // A keyword with a value of the wrong type. The gateway knows what to make of it.
  }
  return (value) => {
    const issue = checked?.safeParse(value).error?.issues[0];
    return issue === undefined ? { value } : { problem: problemText(issue) };
  };
}

/** The language of zod’s own messages is that of programmers. */
function problemText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? l10n.t('A whole number is needed here.') : l10n.t`This takes JSON of the type ${issue.expected}.`;
    case 'too_small':
      return issue.origin === 'string' ? l10n.t`Enter at least ${Number(issue.minimum)} characters.` : leastText(issue);
    case 'too_big':
      return issue.origin === 'string' ? l10n.t`Enter at most ${Number(issue.maximum)} characters.` : mostText(issue);
    case 'not_multiple_of':
      return l10n.t`Enter a multiple of ${issue.divisor}.`;
    default:
      return l10n.t('The tool does not take this.');
  }
}

function leastText({ minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  return inclusive ? l10n.t`Enter a number that is at least ${Number(minimum)}.` : l10n.t`Enter a number above ${Number(minimum)}.`;
}

function mostText({ maximum, inclusive }: z.core.$ZodIssueTooBig): string {
  return inclusive ? l10n.t`Enter a number that is at most ${Number(maximum)}.` : l10n.t`Enter a number below ${Number(maximum)}.`;
}

function readJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: l10n.t`This is not JSON: ${messageOf(error)}` };
  }
}
