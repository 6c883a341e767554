/** What of the user is no answer: keys in a field are words, keys with a modifier are VS Code's, and what repeats was meant once. */

let last: { modified: boolean; held: boolean } | undefined;
document.addEventListener(
  'keydown',
  ({ ctrlKey, metaKey, altKey, repeat }) => (last = { modified: ctrlKey || metaKey || altKey, held: repeat }),
  true,
);
document.addEventListener(
  'click',
  (event) => {
    // The buttons take Enter with any modifier for a click, and again while it is held: Ctrl+Enter on "Deny" would deny, and approve too.
    const byKey = (event as { synthetic?: boolean }).synthetic === true && (last?.modified || last?.held);
    // The second click of two may find the next card where the first found this one.
    const isSecond = event.detail > 1 && event.target instanceof Element && event.target.closest('.waiting-card vscode-button') !== null;
    if (!byKey && !isSecond) return;
    event.stopPropagation();
    event.preventDefault();
  },
  true,
);

/** The last key repeats because it is held. */
export function keyIsHeld(): boolean {
  return last?.held === true;
}

/** The focus is where the user writes, or in a form with what they wrote. */
export function isTyping(): boolean {
  return document.activeElement?.closest('form, input, textarea, select, [contenteditable]') != null;
}

/** Enter and nothing else, in a field of one line: it sends the form. */
export function isPlainEnter(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing, target } = event;
  return key === 'Enter' && !(ctrlKey || metaKey || altKey || shiftKey || isComposing) && target instanceof HTMLInputElement;
}
