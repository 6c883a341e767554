const MAX_LENGTH = 500;

/** The text of another program as one line for a log, without control characters and not longer than `maxLength`. */
export function printable(text: string, maxLength = MAX_LENGTH): string {
  const clean = text
    .slice(0, maxLength * 2)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim();
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean;
}
