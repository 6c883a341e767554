/** Input that must not count as an answer: typing in a field, keys with a modifier, repeated keys, and second clicks. */

let last: { modified: boolean; held: boolean } | undefined;
function watchInput(): void {
  document.addEventListener(
    'keydown',
    ({ ctrlKey, metaKey, altKey, repeat }) => (last = { modified: ctrlKey || metaKey || altKey, held: repeat }),
    true,
  );
  document.addEventListener(
    'click',
    (event) => {
      // The buttons treat Enter with any modifier as a click, also while it is held. So Ctrl+Enter on "Deny" would deny and approve.
      const byKey = (event as { synthetic?: boolean }).synthetic === true && (last?.modified || last?.held);
      // The second click of a double click may hit the next card.
      const isSecond = event.detail > 1 && event.target instanceof Element && event.target.closest('.waiting-card vscode-button') !== null;
      if (!byKey && !isSecond) return;
      event.stopPropagation();
      event.preventDefault();
    },
    true,
  );
}
// Where the page is only drawn, nothing is done to it.
if (typeof document !== 'undefined') watchInput();

/** True while a key is held down. */
export function keyIsHeld(): boolean {
  return last?.held === true;
}

/** True when the focus is in a field or in a form. */
export function isTyping(): boolean {
  return document.activeElement?.closest('form, input, textarea, select, [contenteditable]') != null;
}

/** True for Enter without modifiers in a single-line field, which sends the form. */
export function isPlainEnter(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing, target } = event;
  return key === 'Enter' && !(ctrlKey || metaKey || altKey || shiftKey || isComposing) && target instanceof HTMLInputElement;
}
