/** Markdown that may still grow: each top-level block is drawn once and again only when it changed. */
import { memo } from 'preact/compat';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { emptyMarkdown, markdownBlocks, type MarkdownBlock } from '../../../views/session/markdownBlocks.ts';
import { post } from '../page/vscodeApi.ts';
import { renderMarkdown } from './renderMarkdown.ts';
import { useSession } from '../page/sessionContext.tsx';

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const { workingDirectory } = useSession();
  const previous = useRef(emptyMarkdown);
  const view = useMemo(() => (previous.current = markdownBlocks(previous.current, text)), [text]);
  return (
    <div class="markdown" onClick={followClick}>
      {view.blocks.map((block, index) => (
        <Block key={index} block={block} folder={workingDirectory} />
      ))}
    </div>
  );
});

const Block = memo(function Block({ block, folder }: { block: MarkdownBlock; folder: string | undefined }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    element.current?.replaceChildren(renderMarkdown(block.text, block.references, folder));
  }, [block, folder]);
  return <div ref={element} class="markdown-block" />;
});

/** One listener for the links and copy buttons that the renderer made. */
function followClick(event: MouseEvent): void {
  const target = event.target as Element;
  const copy = target.closest('.copy-code');
  if (copy) {
    post({ type: 'copy', text: copy.closest('.code-block')?.querySelector('code')?.textContent ?? '' });
    return;
  }
  const href = target.closest('a')?.getAttribute('href');
  if (!href) return;
  event.preventDefault();
  openLink(href);
}

export function openLink(href: string): void {
  if (/^file:/i.test(href)) post({ type: 'openFile', uri: href });
  else post({ type: 'openExternal', url: href });
}
