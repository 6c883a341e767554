/** Markdown that may still grow, in any page. A long text is drawn from its end, as far as the user asks for it. */
import * as l10n from '../../../base/l10n.ts';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { MarkdownBlock } from '../../../views/text/markdown/blockTokens.ts';
import { emptyMarkdown, markdownBlocks, startOfSlice } from '../../../views/text/markdown/markdownBlocks.ts';
import { LOOKED_AT, type NamedCode } from '../../../views/text/markdown/codeTarget.ts';
import { useReveal } from './reveal.ts';
import { whenIdle } from '../../late/whenIdle.ts';
import { MarkdownBlocks } from './MarkdownBlocks.tsx';

interface MarkdownViewProps {
  text: string;
  /** The URI of the folder for relative links, which are no links without it. */
  folder?: string;
  /** Says of the address of each link whether it is one. Absent: all are. Must stay the same function. */
  isLink?(href: string): boolean;
  /** A link or a copy button was clicked; nothing else happens. */
  onLink(href: string): void;
  onCopy(code: string): void;
  /** Absent: code can only be copied. */
  onUse?(how: CodeUse, code: NamedCode): void;
}

/** In characters: what is drawn of a text at first, from its end, and at each wish for more. */
const SLICE = 30_000;
/** In characters: what of it is drawn at once. The rest follows while the page has nothing else to do. */
const STEP = 4_000;

export type CodeUse = 'insert' | 'terminal' | 'apply';

export function MarkdownView({ text, folder, isLink, onLink, onCopy, onUse }: MarkdownViewProps) {
  const previous = useRef(emptyMarkdown);
  const view = useMemo(() => (previous.current = markdownBlocks(previous.current, text)), [text]);
  const follow = (event: MouseEvent) => {
    const target = event.target as Element;
    const code = () => target.closest('.code-block')?.querySelector('code')?.textContent ?? '';
    if (target.closest('.copy-code')) return onCopy(code());
    for (const how of uses) if (target.closest(`.${how}-code`)) return onUse?.(how, { code: code(), ...namesOf(target) });
    const href = target.closest('a')?.getAttribute('href');
    if (!href) return undefined;
    event.preventDefault();
    return onLink(href);
  };
  const element = useRef<HTMLDivElement>(null);
  const { first, wanted, show } = useFirstDrawn(view.blocks, element);
  return (
    <div ref={element} class="markdown" aria-busy={first > wanted || undefined} onClick={follow}>
      {first > 0 && <Earlier characters={lengthOf(view.blocks.slice(0, wanted))} onShow={show} />}
      <MarkdownBlocks blocks={view.blocks} {...{ first, folder, isLink }} canUse={onUse !== undefined} />
    </div>
  );
}

/** The place of the first block that is drawn, and of the one that soon will be. */
function useFirstDrawn(blocks: readonly MarkdownBlock[], element: RefObject<HTMLElement | null>) {
  const [, redraw] = useState({});
  const drawn = useRef({ first: Infinity, wanted: Infinity, to: 0, isAsked: false });
  const tail = startOfSlice(blocks, blocks.length, SLICE);
  const isFar = !drawn.current.isAsked && tail > drawn.current.to;
  // Where much has come at once, it begins again, unless the user reads what is before it.
  const before = isFar ? { first: Infinity, wanted: tail } : drawn.current;
  const wanted = Math.min(before.wanted, tail);
  const first = Math.max(wanted, Math.min(before.first, startOfSlice(blocks, blocks.length, STEP)));
  drawn.current = { ...drawn.current, first, wanted, to: blocks.length };

  // What is read stays in its place.
  const held = useRef<{ block: HTMLElement; top: number; isAsked: boolean }>(undefined);
  // Scrolling goes by whole pixels. What that is off by does not add up.
  const off = useRef(0);
  const hold = (isAsked: boolean) => {
    const block = element.current?.querySelector<HTMLElement>('[data-block]');
    const top = block?.getBoundingClientRect().top ?? 0;
    // What is below all that is seen may move.
    const isAbove = top < (block?.closest('.transcript')?.getBoundingClientRect().bottom ?? 0);
    if (block && (isAsked || isAbove)) held.current = { block, top: top - off.current, isAsked };
  };
  useLayoutEffect(() => {
    if (!held.current) return;
    const { block, top, isAsked } = held.current;
    held.current = undefined;
    const box = block.closest('.transcript');
    if (box) box.scrollTop += block.getBoundingClientRect().top - top;
    const left = block.getBoundingClientRect().top - top;
    // There may be no room to scroll.
    off.current = Math.abs(left) < 1 ? left : 0;
    if (!isAsked || document.activeElement !== document.body) return;
    block.tabIndex = -1;
    block.focus({ preventScroll: true });
  }, [first]);
  const show = (isAll: boolean) => {
    const next = isAll ? 0 : startOfSlice(blocks, wanted, SLICE);
    if (!isAll) hold(true);
    drawn.current = { ...drawn.current, first: isAll ? 0 : startOfSlice(blocks, first, STEP), wanted: next, isAsked: true };
    redraw({});
  };

  const step = useRef(() => {});
  step.current = () => {
    hold(false);
    drawn.current = { ...drawn.current, first: Math.max(wanted, startOfSlice(blocks, first, STEP)) };
    redraw({});
  };
  useEffect(() => {
    if (first <= wanted) return undefined;
    return whenIdle(() => step.current());
  }, [first, wanted]);
  return { first, wanted, show };
}

function Earlier({ characters, onShow }: { characters: number; onShow(isAll: boolean): void }) {
  const element = useRef<HTMLButtonElement>(null);
  const count = l10n.countText(characters);
  useReveal(element, (key) => element.current?.closest<HTMLElement>('[data-part]')?.dataset.part === key && onShow(true));
  return (
    <button ref={element} type="button" class="link-button show-text" hidden={characters === 0} data-reveals onClick={() => onShow(false)}>
      {l10n.plural(characters, l10n.t`Show earlier text (${count} character)`, l10n.t`Show earlier text (${count} characters)`)}
    </button>
  );
}

function lengthOf(blocks: readonly MarkdownBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length, 0);
}

const uses: readonly CodeUse[] = ['insert', 'terminal', 'apply'];

/** The texts in which the file of the block may be named. */
function namesOf(target: Element): Omit<NamedCode, 'code'> {
  const block = target.closest('.code-block');
  const before = block?.previousElementSibling ?? block?.closest('.markdown-block')?.previousElementSibling?.lastElementChild;
  return {
    info: block?.querySelector<HTMLElement>('code')?.dataset.info ?? '',
    before: before?.matches('.code-block') ? '' : (before?.textContent ?? '').slice(-LOOKED_AT.before),
  };
}
