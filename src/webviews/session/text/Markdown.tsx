/** Markdown that may still grow. Each top-level block is rendered again only when it has changed. */
import { memo } from 'preact/compat';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { emptyMarkdown, markdownBlocks, type MarkdownBlock } from '../../../views/text/markdownBlocks.ts';
import type { SessionPort } from '../page/sessionPort.ts';
import { post as postToPage } from '../page/vscodeApi.ts';
import { renderMarkdown } from './renderMarkdown.ts';
import { useSession } from '../page/sessionContext.tsx';

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const { workingDirectory, post } = useSession();
  const previous = useRef(emptyMarkdown);
  const view = useMemo(() => (previous.current = markdownBlocks(previous.current, text)), [text]);
  return (
    <div class="markdown" onClick={(event) => followClick(post, event)}>
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

/** Handles clicks on the links and copy buttons of the rendered HTML. */
function followClick(post: SessionPort['post'], event: MouseEvent): void {
  const target = event.target as Element;
  const copy = target.closest('.copy-code');
  if (copy) {
    postToPage({ type: 'copy', text: copy.closest('.code-block')?.querySelector('code')?.textContent ?? '' });
    return;
  }
  const href = target.closest('a')?.getAttribute('href');
  if (!href) return;
  event.preventDefault();
  openLink(post, href);
}

export function openLink(post: SessionPort['post'], href: string): void {
  if (/^file:/i.test(href)) post({ type: 'openFile', uri: href });
  else postToPage({ type: 'openExternal', url: href });
}
