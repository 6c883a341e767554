/** Finds a text in the turns of the shown chat, also in those that are not rendered. */
import * as l10n from '../../../base/l10n.ts';
import type { Ref, RefObject } from 'preact';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Hit, nextPlace, placeOfHit, placeText } from '../../../views/session/find/findInTurns.ts';
import type { TurnView } from '../../../views/session/transcript/transcript.ts';
import { reveal } from '../text/reveal.ts';
import { isInView, mark, partOf, rangesIn, scrollIntoView, unmark } from './highlights.ts';
import { useFound } from './useFound.ts';

/** Requests for older turns by one press of the button. */
const MAX_REQUESTS = 20;
/** Until an opened fold has its content. */
const FRAMES_TO_OPEN = 6;
/** Until all turns up to an old one are rendered. */
const FRAMES_TO_RENDER = 600;

export interface FindHandle {
  focus(): void;
}

export interface UnloadedTurns {
  isLoading: boolean;
  /** Why the last request failed. */
  problem: string | undefined;
  load(): void;
}

interface FindBarProps {
  turns: readonly TurnView[];
  scroller: RefObject<HTMLElement | null>;
  content: RefObject<HTMLElement | null>;
  /** Turns that the host has and has not sent. */
  unloaded: UnloadedTurns | undefined;
  /** Renders the turn at this place, in the next frames. */
  onShow(turn: number): void;
  onClose(): void;
  handle: Ref<FindHandle>;
}

export function FindBar({ turns, scroller, content, unloaded, onShow, onClose, handle }: FindBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState(selectedText);
  const found = useFound(turns, query);
  const { hits } = found;
  // Until the first hit: where the user is.
  const [was, setWas] = useState<Pick<Hit, 'turn'> & Partial<Hit>>(() => ({ turn: turnInView(turns, scroller.current) }));
  const at = placeOfHit(hits, was);
  const current = hits[at];
  useFocus(input, scroller);
  useImperativeHandle(handle, () => ({ focus: () => input.current?.select() }));

  const going = useRef(0);
  const go = (hit: Hit | undefined) => {
    const turn = ++going.current;
    if (!hit) return;
    setWas(hit);
    onShow(hit.turn);
    void show(hit, found.of, content, scroller, () => going.current === turn);
  };
  useEffect(() => () => void going.current++, []);
  // A new query goes to its first hit by itself, also to one that comes later.
  const reached = useRef('');
  useEffect(() => {
    if (!current || reached.current === found.of) return;
    reached.current = found.of;
    go(current);
  }, [found]);

  useEffect(() => {
    const element = content.current;
    if (!element) return undefined;
    const paint = () => mark(element, hits, found.of, current);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new MutationObserver(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        paint();
      }, 100);
    });
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    paint();
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [hits, current, found.of]);
  useEffect(() => unmark, []);

  const step = (by: 1 | -1) => go(hits[nextPlace(hits.length, at, by)]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && event.target === input.current) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    // VS Code has its own use for these keys.
    event.stopPropagation();
  };
  const isSearching = found.of !== query;
  return (
    <div class="find" role="search" aria-label={l10n.t('Find in the conversation')} onKeyDown={onKeyDown}>
      <div class="find-row">
        <input
          ref={input}
          class="input"
          type="text"
          spellcheck={false}
          aria-label={l10n.t('Find')}
          placeholder={l10n.t('Find')}
          value={query}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        <span class={`find-count ${hits.length === 0 && !isSearching && query !== '' ? 'problem' : ''}`} role="status">
          {query === '' ? '' : isSearching ? l10n.t('Searching…') : placeText(found, at)}
        </span>
        <FindButton icon="arrow-up" label={l10n.t('Previous match (Shift+Enter)')} isOff={hits.length === 0} onClick={() => step(-1)} />
        <FindButton icon="arrow-down" label={l10n.t('Next match (Enter)')} isOff={hits.length === 0} onClick={() => step(1)} />
        <FindButton icon="close" label={l10n.t('Close (Escape)')} onClick={onClose} />
      </div>
      {unloaded && <Unloaded {...unloaded} />}
    </div>
  );
}

function FindButton({ icon, label, isOff = false, onClick }: { icon: string; label: string; isOff?: boolean; onClick(): void }) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} aria-disabled={isOff} onClick={() => !isOff && onClick()}>
      <span class={`codicon codicon-${icon}`} aria-hidden="true" />
    </button>
  );
}

function Unloaded({ isLoading, problem, load }: UnloadedTurns) {
  const [left, setLeft] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (left === 0 || isLoading) return;
    if (problem !== undefined) return setLeft(0);
    setLeft(left - 1);
    latest.current();
  }, [left, isLoading, problem]);
  const isBusy = left > 0 || isLoading;
  return (
    <p class="find-unloaded hint">
      {isBusy ? l10n.t('Loading older turns…') : l10n.t('Older turns are not loaded, so they are not searched.')}{' '}
      <button type="button" class="link-button" onClick={() => setLeft(isBusy ? 0 : MAX_REQUESTS)}>
        {isBusy ? l10n.t('Stop') : l10n.t('Load and search them')}
      </button>
      {problem !== undefined && (
        <span class="problem" role="alert">
          {' '}
          {l10n.t`They could not be loaded: ${problem}`}
        </span>
      )}
    </p>
  );
}

/** The field has the focus at first, and gives it back to what had it. */
function useFocus(input: RefObject<HTMLInputElement | null>, otherwise: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    const bar = input.current?.closest('.find');
    input.current?.select();
    // What the user looks at stays where it is.
    const height = bar instanceof HTMLElement ? bar.offsetHeight : 0;
    const box = otherwise.current;
    if (box) box.scrollTop += height;
    return () => {
      if (box) box.scrollTop -= height;
      if (!bar?.contains(document.activeElement)) return;
      const back = before instanceof HTMLElement && before !== document.body && before.isConnected ? before : otherwise.current;
      back?.focus({ preventScroll: true });
    };
  }, []);
}

/** Renders, opens and scrolls to it, as long as it is wanted. Where the page shows the part in other words, it goes to the part. */
async function show(
  hit: Hit,
  query: string,
  content: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  isWanted: () => boolean,
): Promise<void> {
  let tries = 0;
  for (let frame = 0; frame < FRAMES_TO_RENDER && isWanted(); frame++) {
    const box = scroller.current;
    const place = content.current && partOf(content.current, hit);
    // Matches are counted from the beginning of the text, which must be drawn.
    const isWhole = !place?.part?.querySelector('.show-text');
    const range = place?.part && isWhole ? rangesIn(place.part, query, hit.nth + 1)[hit.nth] : undefined;
    const isOpen = range !== undefined && isInView(range);
    if (box && place && (isOpen || tries === FRAMES_TO_OPEN)) {
      const target = range ?? place.part ?? place.turn;
      scrollIntoView(target, box);
      await nextFrame();
      // What was rendered by coming into view may have another height than was thought.
      if (isWanted()) scrollIntoView(target, box);
      return;
    }
    if (place) {
      tries++;
      // Again in each frame: what was opened may hold something that is closed.
      reveal(place.turn, hit.key);
    }
    await nextFrame();
  }
}

function nextFrame(): Promise<unknown> {
  return new Promise((done) => requestAnimationFrame(done));
}

/** The place of the first turn that the user sees some of. */
function turnInView(turns: readonly TurnView[], box: HTMLElement | null): number {
  const top = box?.getBoundingClientRect().top ?? 0;
  const seen = [...(box?.querySelectorAll<HTMLElement>('.turn') ?? [])].find((turn) => turn.getBoundingClientRect().bottom > top);
  return Math.max(
    0,
    turns.findIndex(({ id }) => id === seen?.dataset.turn),
  );
}

function selectedText(): string {
  const text = String(getSelection());
  return text.length <= 200 && !text.includes('\n') ? text : '';
}
