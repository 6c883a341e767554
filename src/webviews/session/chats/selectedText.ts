/** Characters of what a side chat is about. */
const MAX_LENGTH = 4_000;

/** What the user has selected in one turn of the page. Undefined where that is nothing, or reaches beyond the turn. */
export function selectedTextOf(turnId: string): string | undefined {
  const selection = window.getSelection();
  const turn = [...document.querySelectorAll('.turn')].find((element) => element.getAttribute('data-turn') === turnId);
  if (!selection || !turn || !turn.contains(selection.anchorNode) || !turn.contains(selection.focusNode)) return undefined;
  return selection.toString().trim().slice(0, MAX_LENGTH) || undefined;
}
