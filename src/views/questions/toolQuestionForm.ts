/** The form of a tool's question, as MCP's elicitation describes it: fields with simple values. It comes from a provider, and is checked here. */
import * as l10n from '../../base/l10n.ts';
import * as z from 'zod';
import { isRecord } from '../../base/isRecord.ts';
import { fieldDescription, MAX_CHOICES, MAX_FIELDS } from '../providers/toolForm.ts';
import { oneLine } from '../text/oneLine.ts';

export type FieldValue = string | number | boolean | readonly string[];
/** Without a value the field is left out. */
export type Read = { readonly value?: FieldValue } | { readonly problem: string };

export interface FieldChoice {
  readonly label: string;
  readonly value: string | boolean;
}

interface Common {
  readonly name: string;
  readonly label: string;
  /** What the field is for, and what it takes. */
  readonly prompt: string;
  readonly isRequired: boolean;
  /** What the provider may use in place of a field that is left out. */
  readonly standard?: FieldValue;
}
export interface TextField extends Common {
  readonly kind: 'text';
  readonly initial: string;
  read(text: string): Read;
}
export interface ChoiceField extends Common {
  readonly kind: 'one';
  readonly choices: readonly FieldChoice[];
  readonly initial?: string | boolean;
}
export interface ChoicesField extends Common {
  readonly kind: 'many';
  readonly choices: readonly FieldChoice[];
  readonly initial: readonly string[];
  read(chosen: readonly string[]): Read;
}
export type QuestionField = TextField | ChoiceField | ChoicesField;

/** In characters of what is typed into one field. The user sees all that is sent in one dialog. */
const MAX_TEXT = 2_000;

const formats: Readonly<Record<string, { readonly takes: string; readonly schema: z.ZodType }>> = {
  email: { takes: l10n.t('An e-mail address'), schema: z.email() },
  uri: { takes: l10n.t('An address, such as https://example.com'), schema: z.url() },
  date: { takes: l10n.t('A date, such as 2025-01-31'), schema: z.iso.date() },
  'date-time': { takes: l10n.t('A date and time, such as 2025-01-31T12:00:00Z'), schema: z.iso.datetime({ offset: true }) },
};

type Schema = Readonly<Record<string, unknown>>;

/** Undefined for a form that cannot be shown as a whole. */
export function questionForm({ type = 'object', properties = {}, required = [] }: Schema): readonly QuestionField[] | undefined {
  if (type !== 'object' || !isRecord(properties) || !Array.isArray(required)) return undefined;
  const entries = Object.entries(properties);
  const needed = new Set<unknown>(required);
  if (entries.length > MAX_FIELDS || [...needed].some((name) => typeof name !== 'string' || !Object.hasOwn(properties, name)))
    return undefined;
  const fields = entries.map(([name, schema]) => (isRecord(schema) ? fieldOf(name, schema, needed.has(name)) : undefined));
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

function fieldOf(name: string, schema: Schema, isRequired: boolean): QuestionField | undefined {
  const { title, type } = schema;
  const label = oneLine(typeof title === 'string' && title !== '' && title !== name ? `${title} (${name})` : name);
  const common = { name, label, isRequired };
  switch (type) {
    case 'boolean':
      return choiceField(
        common,
        schema,
        [true, false].map((value) => ({ label: value ? l10n.t('Yes') : l10n.t('No'), value })),
      );
    case 'string': {
      const choices = choicesOf(schema);
      if (choices === 'none') return textField(common, schema, textReader(schema));
      return choices && choiceField(common, schema, choices);
    }
    case 'number':
    case 'integer':
      return textField(common, schema, numberReader(schema));
    case 'array': {
      const choices = isRecord(schema.items) ? choicesOf(schema.items) : undefined;
      return Array.isArray(choices) ? choicesField(common, schema, choices) : undefined;
    }
    default:
      return undefined;
  }
}

type Named = Pick<Common, 'name' | 'label' | 'isRequired'>;
interface Reader {
  readonly takes: string;
  read(text: string): Read;
}

function textField(common: Named, schema: Schema, { takes, read }: Reader): TextField {
  const initial = schema.default;
  const isFit = schema.type === 'string' ? typeof initial === 'string' && initial.length <= MAX_TEXT : typeof initial === 'number';
  return {
    kind: 'text',
    ...common,
    prompt: promptOf(schema, takes, common.isRequired),
    ...standardOf(schema),
    initial: isFit ? String(initial) : '',
    read(text) {
      if (text === '') return common.isRequired ? { problem: l10n.t('A value is needed here.') } : {};
      return text.length > MAX_TEXT ? { problem: l10n.t`Enter at most ${l10n.countText(MAX_TEXT)} characters.` } : read(text);
    },
  };
}

function choiceField(common: Named, schema: Schema, choices: readonly FieldChoice[]): ChoiceField {
  const initial = choices.find(({ value }) => value === schema.default)?.value;
  const prompt = promptOf(schema, '', common.isRequired);
  return { kind: 'one', ...common, prompt, ...standardOf(schema), choices, ...(initial !== undefined && { initial }) };
}

function choicesField(common: Named, schema: Schema, choices: readonly FieldChoice[]): ChoicesField {
  const { default: initial } = schema;
  const [least, most] = [numberIn(schema, 'minItems'), numberIn(schema, 'maxItems')];
  return {
    kind: 'many',
    ...common,
    prompt: promptOf(schema, chooseText(least, most), common.isRequired),
    ...standardOf(schema),
    choices,
    initial: Array.isArray(initial)
      ? choices.flatMap(({ value }) => (typeof value === 'string' && initial.includes(value) ? [value] : []))
      : [],
    read(chosen) {
      const isFit = chosen.length >= (least ?? 0) && chosen.length <= (most ?? Infinity);
      if (isFit) return { value: chosen };
      return chosen.length === 0 && !common.isRequired ? {} : { problem: chooseText(least, most) };
    },
  };
}

function textReader(schema: Schema): Reader {
  const [least, most] = [numberIn(schema, 'minLength'), numberIn(schema, 'maxLength')];
  const format = typeof schema.format === 'string' && Object.hasOwn(formats, schema.format) ? formats[schema.format] : undefined;
  const takes = format?.takes ?? l10n.t('Text');
  return {
    takes: sentence(textOfLength(takes, least, most)),
    read(text) {
      const length = [...text].length;
      if (length < (least ?? 0) || length > (most ?? Infinity)) return { problem: enterText(least, most) };
      if (format && !format.schema.safeParse(text).success) return { problem: l10n.t`${format.takes} is needed here.` };
      return { value: text };
    },
  };
}

function numberReader(schema: Schema): Reader {
  const [least, most] = [numberIn(schema, 'minimum'), numberIn(schema, 'maximum')];
  const isWhole = schema.type === 'integer';
  const takes = isWhole ? wholeNumberText(least, most) : numberText(least, most);
  return {
    takes: sentence(takes),
    read(text) {
      const value = text.trim() === '' ? NaN : Number(text);
      const isFit =
        Number.isFinite(value) && (!isWhole || Number.isSafeInteger(value)) && value >= (least ?? -Infinity) && value <= (most ?? Infinity);
      return isFit ? { value } : { problem: l10n.t`${takes} is needed here.` };
    },
  };
}

/** `none`: the user types. Undefined: there are choices that cannot be shown. */
function choicesOf(schema: Schema): readonly FieldChoice[] | 'none' | undefined {
  const { enum: values, enumNames } = schema;
  const titled = schema.oneOf ?? schema.anyOf;
  if (values === undefined && titled === undefined) return 'none';
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
  const pairs: readonly (readonly [value: unknown, label: unknown])[] | undefined = Array.isArray(titled)
    ? titled.map((one) => (isRecord(one) ? [one.const, one.title] : [undefined, undefined]))
    : Array.isArray(values)
      ? values.map((value, at) => [value, names[at]])
      : undefined;
  if (!pairs || pairs.length === 0 || pairs.length > MAX_CHOICES) return undefined;
  const choices = pairs.flatMap(([value, label]) =>
    typeof value === 'string' ? [{ label: oneLine(label) || oneLine(value) || '""', value }] : [],
  );
  return choices.length === pairs.length ? choices : undefined;
}

function promptOf({ description }: Schema, takes: string, isRequired: boolean): string {
  return l10n.sentencesText([...fieldDescription(description), ...(takes ? [takes] : []), ...(isRequired ? [] : [l10n.t('Optional.')])]);
}

function standardOf({ default: standard }: Schema): Pick<Common, 'standard'> {
  const isValue =
    typeof standard === 'string' ||
    typeof standard === 'number' ||
    typeof standard === 'boolean' ||
    (Array.isArray(standard) && standard.every((one) => typeof one === 'string'));
  return isValue ? { standard } : {};
}

function numberIn(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function sentence(words: string): string {
  return l10n.t`${words}.`;
}

function chooseText(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return l10n.t`Choose ${least} to ${most}.`;
  if (least !== undefined) return l10n.t`Choose at least ${least}.`;
  return most === undefined ? l10n.t('Choose any number.') : l10n.t`Choose at most ${most}.`;
}

/** At least one of them is given. */
function enterText(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return l10n.t`Enter ${least} to ${most} characters.`;
  return least === undefined ? l10n.t`Enter at most ${most ?? 0} characters.` : l10n.t`Enter at least ${least} characters.`;
}

/** `takes`: what is typed, such as “An e-mail address”. */
function textOfLength(takes: string, least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return l10n.t`${takes} of ${least} to ${most} characters`;
  if (least !== undefined) return l10n.t`${takes} of at least ${least} characters`;
  return most === undefined ? takes : l10n.t`${takes} of at most ${most} characters`;
}

function numberText(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return l10n.t`A number ${least} to ${most}`;
  if (least !== undefined) return l10n.t`A number at least ${least}`;
  return most === undefined ? l10n.t('A number') : l10n.t`A number at most ${most}`;
}

function wholeNumberText(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return l10n.t`A whole number ${least} to ${most}`;
  if (least !== undefined) return l10n.t`A whole number at least ${least}`;
  return most === undefined ? l10n.t('A whole number') : l10n.t`A whole number at most ${most}`;
}
