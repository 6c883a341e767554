/** Finds lines of a text. Expressions of a model are measured before they are compiled, and stopped when they take long: none blocks the window. */
import { RE2JS, RE2JSException } from 're2js';
import { bounded, isOutOfTime } from '../../../base/node/bounded.ts';
import { patternCost } from '../../../base/node/patterns/patternCost.ts';
import { ToolError } from '../../../tap/provider/providerErrors.ts';

const PREVIEW_LENGTH = 300;
/** States that are written out for repetitions and classes, as for the patterns of providers. */
const MAX_COST = 2_000;
/** Of one text. */
const MAX_MS = 1_000;

export interface LineQuery {
  query: string;
  isRegex: boolean;
  matchCase: boolean;
}

export interface LineMatch {
  line: number;
  column: number;
  /** The line, cut where it is long. */
  text: string;
}

/** Lines and columns begin with 1. Undefined for a text that takes too long. */
export type LineSearch = (text: string, limit: number) => LineMatch[] | undefined;

/** Throws a {@link ToolError} for an invalid expression. */
export function lineSearch({ query, isRegex, matchCase }: LineQuery): LineSearch {
  if (isRegex && patternCost(query) > MAX_COST)
    throw new ToolError('INTERNAL', 'The query is too large when its repetitions and classes are written out.');
  const compiled = () => compile(isRegex ? query : RE2JS.quote(query), matchCase);
  let pattern = compiled();
  return (text, limit) => {
    try {
      return bounded(() => matchesOf(pattern, text, limit), MAX_MS);
    } catch (error) {
      if (!isOutOfTime(error)) throw error;
      // It was interrupted, so its state may be inconsistent.
      pattern = compiled();
      return undefined;
    }
  };
}

function matchesOf(pattern: RE2JS, text: string, limit: number): LineMatch[] {
  const matches: LineMatch[] = [];
  for (const [at, line] of text.split(/\r\n|[\r\n]/).entries()) {
    if (matches.length >= limit) break;
    const matcher = pattern.matcher(line);
    if (matcher.find()) matches.push({ line: at + 1, column: matcher.start() + 1, text: preview(line, matcher.start()) });
  }
  return matches;
}

function compile(source: string, matchCase: boolean): RE2JS {
  try {
    return RE2JS.compile(source, matchCase ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    if (error instanceof RE2JSException) throw new ToolError('INTERNAL', `The query is not a regular expression of RE2: ${error.message}`);
    throw error;
  }
}

/** The part around the match. */
function preview(line: string, start: number): string {
  if (line.length <= PREVIEW_LENGTH) return line;
  const from = Math.max(0, start - PREVIEW_LENGTH / 3);
  const to = from + PREVIEW_LENGTH;
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}
