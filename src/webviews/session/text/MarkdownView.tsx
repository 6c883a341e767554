/** Markdown that may still grow, in any page. Each top-level block is rendered again only when it has changed. */
import { memo } from 'preact/compat';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { emptyMarkdown, markdownBlocks, type MarkdownBlock } from '../../../views/text/markdown/markdownBlocks.ts';
import { LOOKED_AT, type NamedCode } from '../../../views/text/markdown/codeTarget.ts';
import { colourElement } from '../../code/colourCode.ts';
import { renderMarkdown } from './renderMarkdown.ts';

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
  return (
    <div class="markdown" onClick={follow}>
      {view.blocks.map((block, index) => (
        <Block key={index} {...{ block, folder, isLink }} canUse={onUse !== undefined} />
      ))}
    </div>
  );
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

type BlockProps = Pick<MarkdownViewProps, 'folder' | 'isLink'> & { block: MarkdownBlock; canUse: boolean };

const Block = memo(function Block({ block, folder, isLink, canUse }: BlockProps) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const rendered = renderMarkdown(block.text, block.references, { folder, isLink, canUse });
    const stops = [...rendered.querySelectorAll<HTMLElement>('code[data-language]')].map((code) =>
      colourElement(code, code.dataset.language ?? ''),
    );
    element.current?.replaceChildren(rendered);
    return () => stops.forEach((stop) => stop());
  }, [block, folder, isLink, canUse]);
  return <div ref={element} class="markdown-block" />;
});
