/** What a filter that is not in force would do with lines, by the judge that would have it. */
import { messageOf } from '../../../base/errors.ts';
import type { EventFilter } from '../../../tap/wire/emitters/emitterSpec.ts';
import type { FilterPreview } from '../../../tap/wire/emitters/filterPreview.ts';
import { cleanText } from '../../limits/cleanText.ts';
import type { CompileBudget } from '../../limits/compileBudget.ts';
import { LineFilter } from './lineFilter.ts';

const SHOWN_LENGTH = 500;
const FIELD = /^eventFilter(?:\[\d+\]\.match)?: /;

/** Rules whose pattern is wrong are named, and judge nothing. */
export function previewOf(rules: EventFilter, lines: readonly string[], budget: CompileBudget): FilterPreview {
  const { filter, problem } = filterOf(rules, budget);
  if (filter) return { lines: lines.map((line) => judged(line, filter)), problems: [] };
  const each = rules.map((rule, at) => ({ rule, at, problem: filterOf([rule], budget).problem }));
  const problems: FilterPreview['problems'] = each.flatMap(({ at, problem: message }) =>
    message === undefined ? [] : [{ rule: at, message }],
  );
  const right = each.filter((one) => one.problem === undefined);
  // Each by itself is right, and all together are not.
  if (problems.length === 0) return { lines: [], problems: [{ message: problem }] };
  const rest = filterOf(
    right.map(({ rule }) => rule),
    budget,
  );
  if (!rest.filter) return { lines: [], problems: [...problems, { message: rest.problem }] };
  return { lines: lines.map((line) => judged(line, rest.filter, (found) => right[found]?.at)), problems };
}

function judged(
  line: string,
  filter: LineFilter,
  placeOf: (found: number) => number | undefined = (found) => found,
): FilterPreview['lines'][number] {
  const found = filter.ruleOf(line);
  const rule = found === undefined ? undefined : placeOf(found);
  return { text: cleanText(line, SHOWN_LENGTH), outcome: filter.outcomeOf(line), ...(rule !== undefined && { rule }) };
}

function filterOf(
  rules: EventFilter,
  budget: CompileBudget,
): { filter: LineFilter; problem?: undefined } | { filter?: undefined; problem: string } {
  try {
    return { filter: new LineFilter(rules, budget) };
  } catch (error) {
    return { problem: messageOf(error).replace(FIELD, '') };
  }
}
