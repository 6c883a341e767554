/** Markdown that may still grow, in any page. Each top-level block is rendered again only when it has changed. */
import { memo } from 'preact/compat';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { emptyMarkdown, markdownBlocks, type MarkdownBlock } from '../../../views/text/markdownBlocks.ts';
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
}

export function MarkdownView({ text, folder, isLink, onLink, onCopy }: MarkdownViewProps) {
  const previous = useRef(emptyMarkdown);
  const view = useMemo(() => (previous.current = markdownBlocks(previous.current, text)), [text]);
  const follow = (event: MouseEvent) => {
    const target = event.target as Element;
    const copy = target.closest('.copy-code');
    if (copy) return onCopy(copy.closest('.code-block')?.querySelector('code')?.textContent ?? '');
    const href = target.closest('a')?.getAttribute('href');
    if (!href) return undefined;
    event.preventDefault();
    return onLink(href);
  };
  return (
    <div class="markdown" onClick={follow}>
      {view.blocks.map((block, index) => (
        <Block key={index} {...{ block, folder, isLink }} />
      ))}
    </div>
  );
}

type BlockProps = Pick<MarkdownViewProps, 'folder' | 'isLink'> & { block: MarkdownBlock };

const Block = memo(function Block({ block, folder, isLink }: BlockProps) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    element.current?.replaceChildren(renderMarkdown(block.text, block.references, { folder, isLink }));
  }, [block, folder, isLink]);
  return <div ref={element} class="markdown-block" />;
});
