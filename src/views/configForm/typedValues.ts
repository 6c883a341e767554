/** What the user enters into the fields of a form, as values for the host. */
import * as l10n from '../../base/l10n.ts';
import { isRecord } from '../../base/isRecord.ts';
import { type ConfigField, type ListField, MAX_VALUE } from './configFields.ts';

/** What a control holds: a text, what is checked, or the chosen options. */
export type Entry = string | boolean | readonly string[];
export type Entries = Readonly<Record<string, Entry>>;
/** Without `value` the host's default counts. */
export type Read = { readonly value?: unknown } | { readonly problem: string };

/** What the control shows: what was entered and is not taken yet, or else the value. */
export function entryOf(field: ConfigField, entries: Entries): Entry {
  const entered = Object.hasOwn(entries, field.id) ? entries[field.id] : undefined;
  if (entered !== undefined) return entered;
  return field.kind === 'list' && field.options.length === 0 ? field.value.join('\n') : field.value;
}

export function readEntry(field: ConfigField, entry: Entry): Read {
  switch (field.kind) {
    case 'switch':
      return { value: entry === true };
    case 'list':
      return readList(field, typeof entry === 'string' ? linesOf(entry) : Array.isArray(entry) ? (entry as readonly string[]) : []);
    default: {
      const text = typeof entry === 'string' ? entry : '';
      if (text.length > MAX_VALUE) return { problem: l10n.t`Enter at most ${l10n.countText(MAX_VALUE)} characters.` };
      if (text.trim() === '') return field.isRequired ? { problem: l10n.t('A value is needed here.') } : {};
      return readText(field, text);
    }
  }
}

/** What empties a field that is not needed, where no default is to count. Undefined for one that cannot be empty. */
export function emptyValue(field: ConfigField): '' | readonly never[] | undefined {
  if (field.isRequired) return undefined;
  if (field.kind === 'list') return field.least ? undefined : [];
  return field.kind === 'text' || field.kind === 'secret' ? '' : undefined;
}

/** The user has typed it, so that it cannot be had again by choosing. */
export function isTyped(field: ConfigField, entry: Entry): boolean {
  return typeof entry === 'string' && (field.kind !== 'choice' || field.isDynamic);
}

function readText(field: Exclude<ConfigField, { kind: 'switch' | 'list' }>, text: string): Read {
  switch (field.kind) {
    case 'choice':
      return field.of === 'number' ? readNumber(text, false) : { value: text };
    case 'number':
    case 'integer':
      return readNumber(text, field.kind === 'integer');
    case 'json':
      return readJson(field.of, text);
    default:
      return { value: text };
  }
}

function readNumber(text: string, isWhole: boolean): Read {
  const value = text.trim() === '' ? NaN : Number(text);
  if (isWhole ? Number.isSafeInteger(value) : Number.isFinite(value)) return { value };
  return { problem: isWhole ? l10n.t('Enter a whole number, such as 3.') : l10n.t('Enter a number, such as 3 or 0.5.') };
}

function readJson(of: 'object' | 'array', text: string): Read {
  const wanted =
    of === 'object'
      ? l10n.t`Enter a JSON object, such as ${'{"name": "value"}'}.`
      : l10n.t`Enter a JSON list, such as ${'["one", "two"]'}.`;
  try {
    const value: unknown = JSON.parse(text);
    return (of === 'object' ? isRecord(value) : Array.isArray(value)) ? { value } : { problem: wanted };
  } catch {
    return { problem: wanted };
  }
}

function readList({ of, least = 0, most = Infinity, isRequired, options }: ListField, chosen: readonly string[]): Read {
  if (chosen.length === 0 && !isRequired) return {};
  if (chosen.length < Math.max(least, isRequired ? 1 : 0)) return { problem: tooFew(Math.max(least, 1), options.length > 0) };
  if (chosen.length > most) return { problem: tooMany(most, options.length > 0) };
  if (of === 'string') return { value: [...chosen] };
  const numbers = chosen.map(Number);
  return numbers.every(Number.isFinite) ? { value: numbers } : { problem: l10n.t('Enter one number in each line.') };
}

function tooFew(least: number, isChosen: boolean): string {
  const n = l10n.countText(least);
  return isChosen
    ? l10n.plural(least, l10n.t`Choose at least ${n} value.`, l10n.t`Choose at least ${n} values.`)
    : l10n.plural(least, l10n.t`Enter at least ${n} value.`, l10n.t`Enter at least ${n} values.`);
}

function tooMany(most: number, isChosen: boolean): string {
  const n = l10n.countText(most);
  return isChosen
    ? l10n.plural(most, l10n.t`Choose at most ${n} value.`, l10n.t`Choose at most ${n} values.`)
    : l10n.plural(most, l10n.t`Enter at most ${n} value.`, l10n.t`Enter at most ${n} values.`);
}

function linesOf(text: string): string[] {
  return text
    .slice(0, MAX_VALUE)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Why a form cannot be sent as it is: the first field of which the value is missing or was not understood. */
export function firstProblem(fields: readonly ConfigField[], entries: Entries): { field: ConfigField; problem: string } | undefined {
  for (const field of fields) {
    if (field.isReadOnly) continue;
    const read = readEntry(field, entryOf(field, entries));
    if ('problem' in read) return { field, problem: read.problem };
  }
  return undefined;
}
