import type { Phrase } from './phrase.ts';

/**
 * The phrase whose English is `text`, as a record has it. `form`: its text, with `{0}` and so on in their order. A value that holds what follows it in the form
 * ends early. Undefined where the text is of another form.
 */
export function phraseOfForm(text: string, form: string): Phrase | undefined {
  const [begin = '', ...parts] = form.split(/\{\d{1,2}\}/);
  const end = parts.pop();
  if (end === undefined) return text === form ? { text: form, values: [] } : undefined;
  if (!text.startsWith(begin) || !text.endsWith(end)) return undefined;
  const values: string[] = [];
  let at = begin.length;
  for (const part of parts) {
    const next = text.indexOf(part, at);
    if (next < 0) return undefined;
    values.push(text.slice(at, next));
    at = next + part.length;
  }
  const last = text.length - end.length;
  return at <= last ? { text: form, values: [...values, text.slice(at, last)] } : undefined;
}
