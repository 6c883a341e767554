/** A finding that an agent has posted as `/tap-monitor` asks it to, as it is kept for later. Agents write it as Markdown too. */
import { cleanText } from '../limits/cleanText.ts';

const TITLE = /^[\s#*>-]*REVIEW RECORD\b/;
const NAMES = ['finding', 'evidence', 'verdict', 'next'];
/** They stand below the evidence, in which a program may have such lines as well. */
const LAST_COUNTS = ['verdict', 'next'];
const MARKS_OF_NAME = /[\s#*-]+/g;
const TEXT_LENGTH = 1000;

/** Undefined where the text is none. A text whose lines have other names is kept as it is. */
export function reviewRecord(text: string): Record<string, string> | undefined {
  if (!TITLE.test(text)) return undefined;
  const fields: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [before = '', ...after] = line.split(':');
    // `>` is none of them: what comes after it is a quotation.
    const name = before.replace(MARKS_OF_NAME, '').toLowerCase();
    if (!NAMES.includes(name)) continue;
    const said = after.join(':').trim();
    const isInBold = before.toLowerCase().endsWith(`*${name}`);
    const value = isInBold || name === 'verdict' ? withoutStars(said) : said;
    if (value !== '' && (fields[name] === undefined || LAST_COUNTS.includes(name))) fields[name] = cleanText(value, TEXT_LENGTH);
  }
  return Object.keys(fields).length > 0 ? fields : { text: cleanText(text, TEXT_LENGTH) };
}

function withoutStars(text: string): string {
  let [from, to] = [0, text.length];
  while (text[from] === '*') from++;
  while (to > from && text[to - 1] === '*') to--;
  return text.slice(from, to).trim();
}
