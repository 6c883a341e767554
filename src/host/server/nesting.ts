/** Deeper than any message of the protocol. Parsers and writers of JSON fail at some thousands. */
export const MAX_NESTING = 100;

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * True when arrays and objects in this JSON are nested deeper than {@link MAX_NESTING}. Works without parsing, which could fail already.
 */
export function isNestedTooDeeply(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) {
      inString = true;
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_NESTING) return true;
    } else if (code === 0x5d || code === 0x7d) {
      depth--;
    }
  }
  return false;
}
