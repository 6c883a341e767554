/** The blocks of a Markdown text, each rendered again only when it has changed. Items and rows are put into their list or table. */
import { type ComponentChildren, createElement } from 'preact';
import { memo } from 'preact/compat';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MarkdownBlock, MarkdownGroup } from '../../../views/text/markdown/blockTokens.ts';
import { colourElement } from '../../code/colourCode.ts';
import { renderMarkdown, type RenderOptions } from './renderMarkdown.ts';

interface MarkdownBlocksProps extends RenderOptions {
  blocks: readonly MarkdownBlock[];
  /** The place of the first one that is drawn. */
  first: number;
}

export function MarkdownBlocks({ blocks, first, ...options }: MarkdownBlocksProps) {
  const drawn: ComponentChildren[] = [];
  for (let at = first; at < blocks.length; at++) {
    const { [at]: block } = blocks;
    if (!block?.group) {
      drawn.push(block && <Block key={at} {...{ block, at }} {...options} />);
      continue;
    }
    const { group } = block;
    const pieces: ComponentChildren[] = [];
    const tag = group.tag === 'table' ? 'tr' : 'li';
    const from = at;
    for (let piece = block as MarkdownBlock | undefined; piece?.group === group; piece = blocks[++at])
      if (tag === 'li' || at > group.first) pieces.push(<Block key={at} {...{ block: piece, at, tag }} {...options} />);
    at--;
    const head = group.tag === 'table' ? blocks[group.first] : undefined;
    drawn.push(
      <div key={group.first} class="markdown-block">
        {head ? (
          <div class="table-scroll" tabIndex={0}>
            <table>
              <Block block={head} at={group.first} tag="thead" {...options} />
              {pieces.length > 0 && <tbody>{pieces}</tbody>}
            </table>
          </div>
        ) : (
          createElement(group.tag, startOf(group, from), pieces)
        )}
      </div>,
    );
  }
  return <>{drawn}</>;
}

/** Not all items of a list may be drawn. */
function startOf({ tag, number, first }: MarkdownGroup, from: number) {
  const start = number + from - first;
  return tag === 'ol' && start !== 1 ? { start } : null;
}

interface BlockProps extends RenderOptions {
  block: MarkdownBlock;
  /** Its place. */
  at: number;
  /** Of the part of a list or a table. */
  tag?: 'li' | 'tr' | 'thead';
}

const Block = memo(function Block({ block, at, tag, folder, isLink, canUse }: BlockProps) {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const rendered = renderMarkdown(block, at, { folder, isLink, canUse });
    const part = tag === undefined ? rendered : rendered.querySelector<HTMLElement>(tag);
    const stops = [...rendered.querySelectorAll<HTMLElement>('code[data-language]')].map((code) =>
      colourElement(code, code.dataset.language ?? ''),
    );
    if (element.current && part instanceof HTMLElement) element.current.className = part.className;
    element.current?.replaceChildren(...(part?.childNodes ?? []));
    return () => stops.forEach((stop) => stop());
  }, [block, at, tag, folder, isLink, canUse]);
  return createElement(tag ?? 'div', {
    ref: element,
    ...(tag === undefined && { class: 'markdown-block' }),
    // What stays in its place, while more is shown before it, is the first of these.
    ...(tag !== 'thead' && { 'data-block': '' }),
  });
});
