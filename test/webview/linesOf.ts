import type { Locator } from 'playwright-core';

/** The text of an element, by the lines in which it is drawn. */
export async function linesOf(element: Locator): Promise<string[]> {
  return element.evaluate((root) => {
    const lines: string[] = [];
    const range = document.createRange();
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    let last: number | undefined;
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.textContent ?? '';
      for (let at = 0; at < text.length; at++) {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        // Letters of two fonts may stand a bit above each other.
        const { top = last ?? 0, height = 0 } = [...range.getClientRects()].at(-1) ?? {};
        if (last === undefined || top > last + height / 2) {
          lines.push('');
          last = top;
        }
        lines[lines.length - 1] += text[at] ?? '';
      }
    }
    return lines;
  });
}
