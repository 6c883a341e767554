/** The parts of a turn as far as they are drawn, with a button in the place of those that are not. */
import * as l10n from '../../../base/l10n.ts';
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { chunkOf, partsIn, rowsOf, shownGroups, tailOf } from '../../../views/session/toolCall/partsWindow.ts';
import type { Row } from '../../../views/session/transcript/transcript.ts';
import type { RowGroup } from '../../../views/session/toolCall/readRuns.ts';
import { useReveal } from '../text/reveal.ts';
import { whenIdle } from '../../late/whenIdle.ts';

/** Chunks that a turn may grow by before what the user looks at is taken away. */
const MAX_KEPT = 20;

/** How many of the last groups are drawn at once. The others follow while the page has nothing else to do. */
const FIRST = 15;

/** Whether the transcript follows what comes. */
export interface Following {
  isOn(this: void): boolean;
  /** The user looks at something else. */
  end(this: void): void;
}

interface PartsWindowProps<R extends Row> {
  groups: readonly RowGroup<R>[];
  /** It must not be hidden, for example because it waits. */
  stays?(this: void, group: RowGroup<Row>): boolean;
  following: Following;
  children: (group: RowGroup<R>) => ComponentChildren;
}

export function PartsWindow<R extends Row>({ groups, stays = () => false, following, children }: PartsWindowProps<R>) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const tail = useRef(Infinity);
  const latest = tailOf(groups);
  // While the user is elsewhere, nothing is taken away from under their eyes.
  if (following.isOn() || latest < tail.current) tail.current = latest;
  tail.current = Math.max(tail.current, latest - MAX_KEPT);

  const [isFilled, setFilled] = useState(groups.length <= FIRST);
  useEffect(() => {
    if (isFilled) return undefined;
    return whenIdle(() => setFilled(true));
  }, [isFilled]);
  const last = groups.at(-FIRST)?.at ?? 0;

  // What stands beside the button stays in its place.
  const held = useRef<{ element: HTMLElement; top: number }>(undefined);
  const open = (chunk: number, beside?: Element | null) => {
    if (beside instanceof HTMLElement) held.current = { element: beside, top: beside.getBoundingClientRect().top };
    following.end();
    setOpened(new Set([...opened, chunk]));
  };
  useLayoutEffect(() => {
    if (!held.current) return;
    const { element, top } = held.current;
    held.current = undefined;
    const box = element.closest('.transcript');
    if (box) box.scrollTop += element.getBoundingClientRect().top - top;
    // The button that had the focus may be gone.
    if (document.activeElement !== document.body) return;
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }, [opened]);

  const isDrawn = (group: RowGroup<Row>) => opened.has(chunkOf(group)) || stays(group) || (!isFilled && group.at >= last);
  return shownGroups(groups, isFilled ? tail.current : Infinity, isDrawn).map((shown, index) => {
    if (shown.kind !== 'gap') return <Fragment key={keyOf(shown)}>{children(shown)}</Fragment>;
    const isFirst = index === 0;
    const end = shown.groups.at(-1);
    return <Gap key={isFirst || !end ? 'gap' : `gap ${keyOf(end)}`} groups={shown.groups} isFirst={isFirst} onOpen={open} />;
  });
}

interface GapProps {
  groups: readonly RowGroup<Row>[];
  /** It is opened from its end. Others are opened from their beginning, to be read on. */
  isFirst: boolean;
  onOpen(chunk: number, beside?: Element | null): void;
}

function Gap({ groups, isFirst, onOpen }: GapProps) {
  const element = useRef<HTMLButtonElement>(null);
  useReveal(element, (key) => {
    const group = groups.find((one) => rowsOf(one).some((row) => row.key === key));
    if (group) onOpen(chunkOf(group));
  });
  const next = groups.at(isFirst ? -1 : 0);
  const count = l10n.countText(partsIn(groups));
  const open = () => {
    const { nextElementSibling, previousElementSibling } = element.current ?? {};
    if (next) onOpen(chunkOf(next), isFirst ? nextElementSibling : previousElementSibling);
  };
  return (
    <button ref={element} type="button" class="link-button show-parts" data-reveals onClick={open}>
      {isFirst ? l10n.t`Show earlier steps (${count})` : l10n.t`Show more steps (${count})`}
    </button>
  );
}

function keyOf(group: RowGroup<Row>): string {
  return group.kind === 'run' ? `run ${group.rows[0]?.key}` : group.row.key;
}
