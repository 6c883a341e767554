/** A filter while it is written: its rules may be empty or wrong, and their order decides. */
import { Limit } from '../../tap/wire/limits.ts';
import type { EventFilter, FilterPreview, Outcome } from './emitterRequest.ts';

export const MAX_RULES = Limit.filterRules;

export interface RuleDraft {
  /** Stays the same while rules move. */
  readonly id: number;
  readonly match: string;
  readonly outcome: Outcome;
}
export type FilterDraft = readonly RuleDraft[];

export function draftOf(filter: EventFilter): FilterDraft {
  return filter.map((rule, id) => ({ ...rule, id }));
}

export function added(draft: FilterDraft): FilterDraft {
  if (draft.length >= MAX_RULES) return draft;
  const id = Math.max(-1, ...draft.map((rule) => rule.id)) + 1;
  return [...draft, { id, match: '', outcome: 'drop' }];
}

export function changed(draft: FilterDraft, id: number, change: Partial<Omit<RuleDraft, 'id'>>): FilterDraft {
  return draft.map((rule) => (rule.id === id ? { ...rule, ...change } : rule));
}

export function removed(draft: FilterDraft, id: number): FilterDraft {
  return draft.filter((rule) => rule.id !== id);
}

/** Up (-1) or down; the same draft where there is no room. */
export function moved(draft: FilterDraft, id: number, by: -1 | 1): FilterDraft {
  const from = draft.findIndex((rule) => rule.id === id);
  const to = from + by;
  const rule = draft[from];
  const other = draft[to];
  if (!rule || !other) return draft;
  return draft.map((one, at) => (at === from ? other : at === to ? rule : one));
}

/** The rules that say what they match. */
export function writtenRules(draft: FilterDraft): RuleDraft[] {
  return draft.filter(({ match }) => match !== '');
}

export function filterOf(draft: FilterDraft): EventFilter {
  return writtenRules(draft).map(({ match, outcome }) => ({ match, outcome }));
}

/** What is wrong with each rule, by its id, and with all together. `asked`: the draft of which the preview is. */
export function problemsOf(asked: FilterDraft, preview: FilterPreview | undefined): { rules: ReadonlyMap<number, string>; all?: string } {
  const written = writtenRules(asked);
  const rules = new Map<number, string>();
  let all: string | undefined;
  for (const { rule, message } of preview?.problems ?? []) {
    const id = rule === undefined ? undefined : written[rule]?.id;
    if (id === undefined) all ??= message;
    else rules.set(id, message);
  }
  return { rules, ...(all !== undefined && { all }) };
}

export interface JudgedLine {
  text: string;
  outcome: Outcome;
  /** The id of the rule that decides. */
  rule?: number;
}

export function judgedLines(asked: FilterDraft, preview: FilterPreview | undefined): JudgedLine[] {
  const written = writtenRules(asked);
  return (preview?.lines ?? []).map(({ text, outcome, rule }) => {
    const id = rule === undefined ? undefined : written[rule]?.id;
    return { text, outcome, ...(id !== undefined && { rule: id }) };
  });
}
