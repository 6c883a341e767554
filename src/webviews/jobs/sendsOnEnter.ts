/** Enter sends what is in a field of several lines, Shift+Enter breaks the line. */
export function sendsOnEnter(event: KeyboardEvent, send: () => void): void {
  // Enter also ends the composition of a character, and a key that is held sends once.
  if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  event.preventDefault();
  if (!event.repeat) send();
}
