/** The rules of an emitter, and what they would do with its newest lines, while they are written. The gateway judges, as it does once they are in force. */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../base/errors.ts';
import { sameJson } from '../../../base/sameJson.ts';
import type { AskEmitters, EventFilter, FilterPreview, Outcome } from '../../../views/emitters/emitterRequest.ts';
import { outcomeCount, outcomeWords } from '../../../views/emitters/emitterView.ts';
import {
  added,
  changed,
  draftOf,
  type FilterDraft,
  filterOf,
  judgedLines,
  moved,
  problemsOf,
  removed,
  MAX_RULES,
} from '../../../views/emitters/filterDraft.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import { forgetUnused, keepUnused, unusedFilter } from './unusedFilters.ts';

const TRY_AFTER_MS = 150;
/** New lines come meanwhile. */
const TRY_AGAIN_MS = 2_000;

const choices: readonly [Outcome, string][] = [
  ['drop', l10n.t('Drop')],
  ['keep', l10n.t('Keep')],
  ['surface', l10n.t('Show to me')],
  ['inject', l10n.t('Give to the agent')],
];

interface FilterEditorProps {
  name: string;
  /** The one that is in force. */
  filter: EventFilter;
  ask: AskEmitters;
  /** What was written and is not in force is there again when the editor is opened again. */
  onClose(): void;
}

export function FilterEditor({ name, filter, ask, onClose }: FilterEditorProps) {
  const [kept] = useState(() => unusedFilter(ask, name));
  /** The filter of which the draft is a change. */
  const [base, setBase] = useState(kept?.base ?? filter);
  const [draft, setDraft] = useState<FilterDraft>(kept?.draft ?? firstDraft(filter));
  /** Another one, of which the user was told when they wanted to replace it. */
  const [warned, setWarned] = useState<EventFilter>();
  const [tried, setTried] = useState<{ draft: FilterDraft; preview: FilterPreview }>();
  /** Why it could not be tried. */
  const [failed, setFailed] = useState<string>();
  /** Why something was not done. */
  const [refused, setRefused] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const wanted = useRef<number | 'add' | undefined>(draft[0]?.id ?? 'add');
  const addButton = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();

  useEffect(() => {
    let isOver = false;
    let timer = 0;
    const attempt = async () => {
      try {
        const preview = await ask({ deed: 'preview', name, eventFilter: filterOf(draft) });
        if (isOver) return;
        setTried({ draft, preview });
        setFailed(undefined);
      } catch (error) {
        if (isOver) return;
        setFailed(messageOf(error));
      }
      timer = window.setTimeout(() => void attempt(), TRY_AGAIN_MS);
    };
    timer = window.setTimeout(() => void attempt(), TRY_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [draft, name, ask]);

  // The focus goes to the rule that was added, or to what is beside that which was removed.
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const rule = form.current?.querySelector<HTMLInputElement>(`[data-rule="${wanted.current}"] input`);
    (rule ?? addButton.current)?.focus();
    wanted.current = undefined;
  }, [draft]);

  const change = (next: FilterDraft) => {
    setDraft(next);
    setRefused(undefined);
    if (sameJson(filterOf(next), base)) forgetUnused(ask, name);
    else keepUnused(ask, name, { draft: next, base });
  };
  const startFrom = (next: EventFilter) => {
    const first = firstDraft(next);
    wanted.current = first[0]?.id;
    setBase(next);
    setDraft(first);
    setWarned(undefined);
    setRefused(undefined);
    forgetUnused(ask, name);
  };

  const problems = problemsOf(tried?.draft ?? [], tried?.preview);
  const lines = judgedLines(tried?.draft ?? [], tried?.preview);
  const isTried = tried?.draft === draft;
  const isWrong = isTried && (problems.rules.size > 0 || problems.all !== undefined);
  /** The one that is in force, where it is not that of which the draft is a change. */
  const other = warned ?? (sameJson(filter, base) ? undefined : filter);
  const save = async () => {
    if (isSaving) return;
    if (isWrong) return setRefused(l10n.t('The filter is not in force, because something in it is wrong.'));
    setSaving(true);
    setRefused(undefined);
    try {
      const now = (await ask({ deed: 'list' })).find((one) => one.name === name)?.eventFilter;
      if (now && !sameJson(now, base) && !sameJson(now, warned)) return setWarned(now);
      await ask({ deed: 'filter', name, eventFilter: filterOf(draft) });
      forgetUnused(ask, name);
      onClose();
    } catch (error) {
      setRefused(messageOf(error));
    } finally {
      setSaving(false);
    }
  };
  const isFull = draft.length >= MAX_RULES;
  const add = () => {
    if (isFull) return setRefused(l10n.t`A filter has at most ${MAX_RULES} rules.`);
    const next = added(draft);
    wanted.current = next.at(-1)?.id;
    change(next);
  };
  const remove = (rule: number, at: number) => {
    wanted.current = (draft[at + 1] ?? draft[at - 1])?.id ?? 'add';
    change(removed(draft, rule));
  };
  const places = new Map(draft.map((rule, at) => [rule.id, at + 1]));
  return (
    <form
      ref={form}
      class="filter-editor"
      aria-label={l10n.t`Filter of ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <p class="emitter-facts">{l10n.t('The first rule that matches a line decides. A line that none matches is kept.')}</p>
      {kept && (
        <p class="emitter-facts" role="status">
          {l10n.t('This is what you have written before. It is not in force.')}
        </p>
      )}
      <ol class="filter-rules">
        {draft.map((rule, at) => {
          const problem = problems.rules.get(rule.id);
          const place = at + 1;
          return (
            <li key={rule.id} class="filter-rule" data-rule={rule.id}>
              <div class="filter-fields">
                <input
                  type="text"
                  class="filter-match"
                  spellcheck={false}
                  maxLength={1000}
                  placeholder={l10n.t('Regular expression, found anywhere in the line')}
                  aria-label={l10n.t`Pattern of rule ${place}`}
                  aria-invalid={problem !== undefined}
                  {...(problem !== undefined && { 'aria-describedby': `${id}-${rule.id}` })}
                  value={rule.match}
                  onInput={(event) => change(changed(draft, rule.id, { match: event.currentTarget.value }))}
                />
                <select
                  class={`filter-outcome outcome-${rule.outcome}`}
                  aria-label={l10n.t`What rule ${place} does`}
                  value={rule.outcome}
                  onChange={(event) => change(changed(draft, rule.id, { outcome: event.currentTarget.value as Outcome }))}
                >
                  {choices.map(([outcome, label]) => (
                    <option key={outcome} value={outcome}>
                      {label}
                    </option>
                  ))}
                </select>
                <button
                  type="button"
                  class="emitter-button"
                  aria-label={l10n.t`Move rule ${place} up`}
                  aria-disabled={at === 0}
                  onClick={() => change(moved(draft, rule.id, -1))}
                >
                  ↑
                </button>
                <button
                  type="button"
                  class="emitter-button"
                  aria-label={l10n.t`Move rule ${place} down`}
                  aria-disabled={at === draft.length - 1}
                  onClick={() => change(moved(draft, rule.id, 1))}
                >
                  ↓
                </button>
                <button type="button" class="emitter-button" aria-label={l10n.t`Remove rule ${place}`} onClick={() => remove(rule.id, at)}>
                  ×
                </button>
              </div>
              {problem !== undefined && (
                <p id={`${id}-${rule.id}`} class="emitter-problem">
                  <VisibleText text={problem} prose />
                </p>
              )}
            </li>
          );
        })}
      </ol>
      <div role="alert">
        {other && (
          <p>
            {warned
              ? l10n.t('The filter is not in force yet: another one was set while you were writing.')
              : l10n.t('Another filter was set while you were writing.')}{' '}
            <button type="button" class="emitter-button" onClick={() => startFrom(other)}>
              {l10n.t('Show the Other One')}
            </button>
          </p>
        )}
        {[problems.all, failed, refused].map(
          (text) =>
            text !== undefined && (
              <p key={text} class="emitter-problem">
                <VisibleText text={text} prose />
              </p>
            ),
        )}
      </div>
      <div class="emitter-buttons">
        <button ref={addButton} type="button" class="emitter-button" aria-disabled={isFull} onClick={add}>
          {l10n.t('Add Rule')}
        </button>
        {/* It would lose the focus if it were disabled. */}
        <button type="submit" class="emitter-button emitter-main" aria-disabled={isSaving || isWrong}>
          {warned ? l10n.t('Use This Filter Instead') : l10n.t('Use This Filter')}
        </button>
        <button
          type="button"
          class="emitter-button"
          onClick={() => {
            forgetUnused(ask, name);
            onClose();
          }}
        >
          {l10n.t('Cancel')}
        </button>
      </div>
      <p class="emitter-facts" role="status">
        {tried && summaryOf(lines.map(({ outcome }) => outcome))}
      </p>
      {lines.length > 0 && (
        // It scrolls, so a keyboard has to reach it.
        <ol class="filter-lines" aria-label={l10n.t('Its last lines, with what would become of them')} tabIndex={0}>
          {lines.map(({ text, outcome, rule }, index) => (
            <li key={index} class={`filter-line outcome-${outcome}`}>
              <span class="filter-verdict">
                {outcomeWords[outcome]}
                {rule !== undefined && <span class="filter-by"> {l10n.t`by rule ${places.get(rule) ?? '?'}`}</span>}
              </span>
              <span class="filter-text">
                <VisibleText text={text} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </form>
  );
}

function firstDraft(filter: EventFilter): FilterDraft {
  return filter.length > 0 ? draftOf(filter) : added([]);
}

function summaryOf(outcomes: readonly Outcome[]): string {
  if (outcomes.length === 0) return l10n.t('It has printed no line yet on which the filter could be tried.');
  const parts = choices.flatMap(([outcome]) => {
    const count = outcomes.filter((one) => one === outcome).length;
    return count > 0 ? [outcomeCount(outcome, count)] : [];
  });
  const { length } = outcomes;
  const what = parts.join(', ');
  return l10n.plural(length, l10n.t`Of the last line: ${what}.`, l10n.t`Of the last ${l10n.countText(length)} lines: ${what}.`);
}
