/**
 * Like `indexOf`, in linear time whatever the texts are. What is looked for and where may both be a model's own, and there are pairs for which
 * `indexOf` takes as long as their lengths multiplied.
 */
export function findText(text: string, wanted: string): number {
  if (wanted === '') return 0;
  const back = fallbacks(wanted);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = back[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === code) matched++;
    if (matched === wanted.length) return at - matched + 1;
  }
  return -1;
}

/** For each beginning of the text: how long the longest shorter beginning is that it ends with. */
function fallbacks(text: string): Uint32Array {
  const back = new Uint32Array(text.length);
  for (let at = 1, matched = 0; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(matched) !== text.charCodeAt(at)) matched = back[matched - 1] ?? 0;
    if (text.charCodeAt(matched) === text.charCodeAt(at)) matched++;
    back[at] = matched;
  }
  return back;
}
