/** Puts elements into a translated sentence, so that every language has its own order of words. */
import type { ComponentChildren } from 'preact';

/** @param sentence With `{0}`, `{1}` and so on for the parts, such as ``l10n.t('Press {0} to send.')``. */
export function filled(sentence: string, ...parts: ComponentChildren[]): ComponentChildren[] {
  return sentence.split(/(\{\d\})/).map((piece) => (/^\{\d\}$/.test(piece) ? parts[Number(piece[1])] : piece));
}
