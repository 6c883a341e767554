/** Text of providers is shown without control characters (new line and tab may stay) and with a limited length. */
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function cleanText(text: string, maxLength: number): string {
  const clean = text.slice(0, maxLength * 2).replace(control, '');
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean;
}

/** Cleans the strings and keys of a JSON value at any depth. A value that is too long is replaced by a note that says so. */
export function cleanRecord(value: Record<string, unknown>, maxLength: number): Record<string, unknown> {
  const cleaned = cleanValue(value, maxLength) as Record<string, unknown>;
  return JSON.stringify(cleaned).length > maxLength * 10 ? { omitted: 'the metadata is too long' } : cleaned;
}

function cleanValue(value: unknown, maxLength: number): unknown {
  if (typeof value === 'string') return cleanText(value, maxLength);
  if (Array.isArray(value)) return value.map((part) => cleanValue(part, maxLength));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [cleanText(key, maxLength), cleanValue(part, maxLength)]));
}
