/** Puts elements into a translated sentence, so that every language has its own order of words. */
import * as l10n from '../../base/l10n.ts';
import type { ComponentChildren } from 'preact';

/** @param sentence With `{0}`, `{1}` and so on for the parts, such as ``l10n.t('Press {0} to send.')``. */
export function filled(sentence: string, ...parts: ComponentChildren[]): ComponentChildren[] {
  return sentence.split(/(\{\d\})/).map((piece) => (/^\{\d\}$/.test(piece) ? parts[Number(piece[1])] : piece));
}

/** Sentences of which some have elements, one after the other as the language has them. */
export function sentences(...all: ComponentChildren[]): ComponentChildren[] {
  return filled(l10n.sentencesText(all.map((_, index) => `{${index}}`)), ...all);
}
