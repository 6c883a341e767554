import type { Phrase, Words } from './phrase.ts';

/** Of a value. `source`: a regular expression, whose only group may be a reference: `\k<v1>` is the value of `{1}`. Absent `read`: it is a string. */
export interface Shape {
  source: string;
  /** Undefined for what is none. */
  read?(text: string): Words | undefined;
}

/** In characters. */
const MAX_TEXT = 4_000;

/**
 * The phrase whose English is `text`, as a record has it. `form`: its text, with `{0}` and so on in their order. `shapes`: of each value. Undefined where the
 * text, or a value in it, is of another form.
 */
export function phraseOfForm(text: string, form: string, shapes: readonly Shape[]): Phrase | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const [begin = '', ...parts] = form.split(/\{\d{1,2}\}/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  const source = parts.map((part, at) => `(?<v${at}>${shapes[at]?.source ?? ''})${part}`);
  // eslint-disable-next-line tapline/linear-regex -- of our own forms and shapes; the text is short, and pages have no RE2
  const found = new RegExp(`^${begin}${source.join('')}$`).exec(text);
  if (!found) return undefined;
  const values = found.slice(1).map((value, at) => {
    const read = shapes[at]?.read;
    return read ? read(value) : value;
  });
  return values.every((value) => value !== undefined) ? { text: form, values } : undefined;
}
