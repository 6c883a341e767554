/**
 * Select all is done by the field that has the focus. VS Code gets the keys of a webview too, does it a second time after a while, and what was typed
 * in between would be selected, and replaced by the next letter.
 */
export function ownSelectAll(page: Document): void {
  page.addEventListener('keydown', (event) => {
    const isSelectAll = event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    const [field] = event.composedPath();
    if (isSelectAll && (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) event.stopPropagation();
  });
}
