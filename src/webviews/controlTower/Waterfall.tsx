/** Traces and their spans as one tree with columns: what, when, and how long. By keyboard as a tree; Enter or a click goes to the turn or call. */
import * as l10n from '../../base/l10n.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { momentText } from '../../views/text/time/clockText.ts';
import { kindOf, spanTime, spanWords } from '../../views/traces/spanWords.ts';
import type { AskTower, ShownSpans, SpanPlace } from '../../views/traces/towerQuestion.ts';
import { type Trace, tracesOf, visibleRows, type WaterfallRow } from '../../views/traces/waterfall.ts';
import { Icon } from '../session/parts/Icon.tsx';
import { VisibleText } from '../session/text/VisibleText.tsx';
import { treeKey } from './treeKey.ts';
import { useAsked } from './useAsked.ts';

interface WaterfallProps {
  title: string;
  traces: readonly Trace[];
  ask: AskTower;
  onPlace: ((place: SpanPlace) => void) | undefined;
}

interface Tree {
  /** The row that the Tab key goes to. */
  active: string | undefined;
  /** A row leads to its turn or call. */
  leads: boolean;
  isClosed(key: string): boolean;
  toggle(key: string): void;
  /** What is to be said of an open trace. It is no row, because the arrow keys go to rows. */
  note(traceId: string, text: string | undefined): void;
}

export function Waterfall({ title, traces, ask, onPlace }: WaterfallProps) {
  const grid = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string>();
  const [newest] = traces;
  /** Whether they are open, where that is not as it is at first: the newest trace, and every span. */
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(() => new Map(newest && [[newest.id, true]]));
  const [notes, setNotes] = useState<ReadonlyMap<string, string>>(new Map());
  const isOpen = (key: string) => toggled.get(key) ?? key.includes('.');
  const tree: Tree = {
    active: active ?? newest?.id,
    leads: onPlace !== undefined,
    isClosed: (key) => !isOpen(key),
    toggle: (key) => setToggled(new Map([...toggled, [key, !isOpen(key)]])),
    note: (traceId, text) =>
      setNotes((before) => new Map([...before].filter(([id]) => id !== traceId).concat(text === undefined ? [] : [[traceId, text]]))),
  };
  useEffect(() => {
    if (active !== undefined && !rowsOf(grid).some(({ dataset }) => dataset['row'] === active)) setActive(undefined);
  });
  const act = (row: HTMLElement | null | undefined) => {
    const { row: key, turn, call } = row?.dataset ?? {};
    if (turn !== undefined && onPlace) onPlace({ turn, ...(call !== undefined && { call }) });
    else if (key !== undefined && row?.hasAttribute('aria-expanded')) tree.toggle(key);
  };
  const rowOf = (target: EventTarget | null) => (target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null);
  return (
    <>
      <div
        ref={grid}
        class="waterfall"
        role="treegrid"
        aria-label={l10n.t`Traces of ${title}, newest first`}
        onFocusIn={({ target }) => setActive(rowOf(target)?.dataset['row'])}
        onKeyDown={(event) => {
          const row = rowOf(event.target);
          if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
          const deed = treeKey(event.key, rowsOf(grid), row);
          if (!deed) return;
          event.preventDefault();
          if (deed === 'act') act(row);
          else if (deed === 'toggle') tree.toggle(row.dataset['row'] ?? '');
          else {
            deed.focus();
            deed.scrollIntoView({ block: 'nearest' });
          }
        }}
        onClick={({ target }) => {
          const row = rowOf(target);
          if (target instanceof Element && target.closest('.waterfall-twistie') && row) tree.toggle(row.dataset['row'] ?? '');
          else act(row);
        }}
      >
        <div role="row" class="waterfall-row waterfall-head">
          <span role="columnheader">{l10n.t('What')}</span>
          <span role="columnheader">{l10n.t('When')}</span>
          <span role="columnheader">{l10n.t('How long')}</span>
        </div>
        {traces.map((trace, index) => (
          <TraceRows key={trace.id} trace={trace} position={index + 1} count={traces.length} tree={tree} ask={ask} />
        ))}
      </div>
      <div role="status">
        {[...new Set(notes.values())].map((note) => (
          <p key={note} class="emitter-hint">
            <VisibleText text={note} prose />
          </p>
        ))}
      </div>
    </>
  );
}

function rowsOf(grid: { readonly current: HTMLElement | null }): HTMLElement[] {
  return [...(grid.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
}

interface TraceRowsProps {
  trace: Trace;
  position: number;
  count: number;
  tree: Tree;
  ask: AskTower;
}

function TraceRows({ trace, position, count, tree, ask }: TraceRowsProps) {
  const isClosed = tree.isClosed(trace.id);
  return (
    <>
      <Row
        id={trace.id}
        kind="trace"
        level={1}
        {...{ position, count, tree }}
        isClosed={isClosed}
        icon="list-tree"
        text={titleOf(trace)}
        facts={factsOf(trace)}
        after={momentText(trace.start, Date.now())}
        took={trace.durationMs}
      />
      {!isClosed && <SpanRows trace={trace} tree={tree} ask={ask} />}
    </>
  );
}

function SpanRows({ trace, tree, ask }: Pick<TraceRowsProps, 'trace' | 'tree' | 'ask'>) {
  const { id } = trace;
  const { value, problem } = useAsked(id, () => ask({ what: 'trace', traceId: id }));
  const [whole] = value ? tracesOf(value.spans) : [];
  const rows = whole?.rows ?? [];
  const closed = new Set(rows.flatMap(({ span }) => (tree.isClosed(keyOf(span)) ? [span.spanId] : [])));
  const note = problem ?? noteOf(trace, value);
  useEffect(() => {
    tree.note(id, note);
    return () => tree.note(id, undefined);
  }, [id, note]);
  return (
    <>
      {visibleRows(rows, closed).map((row, index, all) => (
        <SpanRow key={row.span.spanId} row={row} isClosed={closed.has(row.span.spanId)} tree={tree} {...placeAmong(all, index)} />
      ))}
    </>
  );
}

function noteOf(trace: Trace, value: ShownSpans | undefined): string | undefined {
  if (!value) return l10n.t('Asking the gateway…');
  if (value.spans.length === 0) return l10n.t`The records do not have “${titleOf(trace)}” any more.`;
  return value.isCut ? l10n.t`“${titleOf(trace)}” has more spans. Its newest ${l10n.countText(value.spans.length)} are drawn.` : undefined;
}

interface SpanRowProps {
  row: WaterfallRow;
  isClosed: boolean;
  tree: Tree;
  position: number;
  count: number;
}

function SpanRow({
  row: { span, depth, hasChildren, from, width, isOrphan, place, offsetMs },
  isClosed,
  tree,
  position,
  count,
}: SpanRowProps) {
  const { icon, text } = spanWords(span);
  return (
    <Row
      id={keyOf(span)}
      kind={kindOf(span) ?? 'other'}
      level={depth + 1}
      {...{ position, count, tree, icon, text, place }}
      isClosed={hasChildren ? isClosed : undefined}
      facts={[
        ...(span.error === undefined ? [] : [l10n.t`failed: ${span.error}`]),
        ...(isOrphan ? [l10n.t('of what is not here yet')] : []),
      ]}
      isFailed={span.error !== undefined}
      after={l10n.t`after ${spanTime(offsetMs)}`}
      took={span.durationMs}
      bar={{ from, width }}
    />
  );
}

interface RowProps {
  id: string;
  kind: string;
  level: number;
  position: number;
  count: number;
  tree: Tree;
  /** Undefined: there is nothing below it. */
  isClosed: boolean | undefined;
  icon: string;
  text: string;
  facts: readonly string[];
  isFailed?: boolean;
  /** When it began. With a bar it is for screen readers alone. */
  after: string;
  took: number;
  bar?: { from: number; width: number };
  place?: SpanPlace | undefined;
}

function Row({ id, kind, level, position, count, tree, isClosed, icon, text, facts, isFailed, after, took, bar, place }: RowProps) {
  const percent = (part: number) => `${(part * 100).toFixed(2)}%`;
  return (
    <div
      role="row"
      class={`waterfall-row${place && tree.leads ? ' leads' : ''}${isFailed ? ' failed' : ''}`}
      data-row={id}
      data-kind={kind}
      data-turn={place?.turn}
      data-call={place?.call}
      tabIndex={tree.active === id ? 0 : -1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={count}
      aria-expanded={isClosed === undefined ? undefined : !isClosed}
    >
      <span role="gridcell" class="waterfall-what" title={[text, ...facts].join(' · ')} style={{ paddingLeft: `${(level - 1) * 14}px` }}>
        <span
          class={`waterfall-twistie codicon codicon-${isClosed === undefined ? 'blank' : isClosed ? 'chevron-right' : 'chevron-down'}`}
          aria-hidden="true"
        />
        <Icon name={isFailed ? 'error' : icon} />
        <span class="waterfall-text">{text}</span>
        {facts.length > 0 && (
          <span class={isFailed ? 'waterfall-fact emitter-problem' : 'waterfall-fact emitter-facts'}>{facts.join(' · ')}</span>
        )}
      </span>
      <span role="gridcell" class="waterfall-when">
        <span class={bar ? 'visually-hidden' : 'emitter-facts'}>{after}</span>
        {bar && <span class="waterfall-bar" style={{ left: `min(${percent(bar.from)}, 100% - 2px)`, width: percent(bar.width) }} />}
      </span>
      <span role="gridcell" class="waterfall-took">
        {spanTime(took)}
      </span>
    </div>
  );
}

const keyOf = ({ traceId, spanId }: { traceId: string; spanId: string }) => `${traceId}.${spanId}`;

function titleOf({ rows: [first] }: Trace): string {
  return first ? spanWords(first.span).text : l10n.t('Trace');
}

function factsOf({ turns, calls, failed }: Trace): string[] {
  return [
    ...(turns > 0 ? [l10n.plural(turns, l10n.t`${l10n.countText(turns)} turn`, l10n.t`${l10n.countText(turns)} turns`)] : []),
    ...(calls > 0 ? [l10n.plural(calls, l10n.t`${l10n.countText(calls)} call`, l10n.t`${l10n.countText(calls)} calls`)] : []),
    ...(failed > 0 ? [l10n.t`${l10n.countText(failed)} failed`] : []),
  ];
}

/** Among those with the same row above them. */
function placeAmong(rows: readonly WaterfallRow[], index: number): { position: number; count: number } {
  const depth = rows[index]?.depth ?? 1;
  const siblings = (step: 1 | -1) => {
    let count = 0;
    for (let at = index + step; at >= 0 && at < rows.length && (rows[at]?.depth ?? 0) >= depth; at += step)
      if (rows[at]?.depth === depth) count++;
    return count;
  };
  const before = siblings(-1);
  return { position: before + 1, count: before + 1 + siblings(1) };
}
