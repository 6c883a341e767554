/** Text of providers is shown without control characters (new line and tab may stay) and with a limited length. */
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Names of fields, and values such as a verdict, are not longer. */
const MIN_TEXT_LENGTH = 16;

export function cleanText(text: string, maxLength: number): string {
  const clean = text.slice(0, maxLength * 2).replace(control, '');
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean;
}

/** Cleans the strings and keys of a JSON value at any depth. A value that is too long is replaced by a note that says so. */
export function cleanRecord(value: Record<string, unknown>, maxLength: number): Record<string, unknown> {
  const cleaned = cleanValue(value, maxLength) as Record<string, unknown>;
  return JSON.stringify(cleaned).length > maxLength * 10 ? { omitted: 'the metadata is too long' } : cleaned;
}

/** The same, with at most `length` characters as JSON: its strings are cut further until it fits, so that what is short stays. */
export function fittedRecord(value: Record<string, unknown>, maxLength: number, length: number): Record<string, unknown> {
  for (let textLength = maxLength; textLength >= MIN_TEXT_LENGTH; textLength = Math.floor(textLength / 2)) {
    const cleaned = cleanValue(value, textLength) as Record<string, unknown>;
    if (JSON.stringify(cleaned).length <= length) return cleaned;
  }
  return { omitted: 'it is too long' };
}

function cleanValue(value: unknown, maxLength: number): unknown {
  if (typeof value === 'string') return cleanText(value, maxLength);
  if (Array.isArray(value)) return value.map((part) => cleanValue(part, maxLength));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [cleanText(key, maxLength), cleanValue(part, maxLength)]));
}
