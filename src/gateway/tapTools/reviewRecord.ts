/** A finding that an agent has posted as `/tap-monitor` asks it to, as it is kept for later. */
import { cleanText } from '../limits/cleanText.ts';

const TITLE = /^REVIEW RECORD\b/;
const NAMES = ['finding', 'evidence', 'verdict', 'next'];
const TEXT_LENGTH = 1000;

/** Undefined where the text is none. A text whose lines have other names is kept as it is. */
export function reviewRecord(text: string): Record<string, string> | undefined {
  if (!TITLE.test(text.trimStart())) return undefined;
  const fields: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [before = '', ...after] = line.split(':');
    const name = before.trim().toLowerCase();
    const value = after.join(':').trim();
    if (NAMES.includes(name) && value !== '') fields[name] ??= cleanText(value, TEXT_LENGTH);
  }
  return Object.keys(fields).length > 0 ? fields : { text: cleanText(text, TEXT_LENGTH) };
}
