/** What providers write is shown as text, without control characters (new line and tab may stay) and not endlessly. */
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function cleanText(text: string, maxLength: number): string {
  const clean = text.slice(0, maxLength * 2).replace(control, '');
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean;
}

/** The strings of a JSON value cleaned, however deep; too long a value is left out with a word that says so. */
export function cleanRecord(value: Record<string, unknown>, maxLength: number): Record<string, unknown> {
  const json = JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? cleanText(part, maxLength) : part));
  return json.length > maxLength * 10 ? { omitted: 'the metadata is too long' } : (JSON.parse(json) as Record<string, unknown>);
}
