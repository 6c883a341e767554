/** The origin of a paired page, or of one that asks to be paired, in the user's language. */
import * as l10n from '../../base/l10n.ts';
import { isEncodedName, readOrigin } from '../../base/text/origin.ts';

export function originWords(origin: string): string {
  const read = readOrigin(origin);
  switch (read.kind) {
    case 'none':
      return l10n.t('a page without an address');
    case 'file':
      return l10n.t('a page from a file');
    case 'web':
      return read.text;
    case 'unusual':
      return l10n.t`the unusual origin ${read.text}`;
  }
}

/** With an article where it is no address: “the page https://a.example”, “a page from a file”, “a program on this computer”. */
export function whoAsks(origin: string | undefined): string {
  if (origin === undefined) return l10n.t('a program on this computer');
  const read = readOrigin(origin);
  return read.kind === 'web' ? l10n.t`the page ${read.text}` : originWords(origin);
}

/** For a place that is short: “https://a.example”, “page from a file”, “program on this computer”. */
export function shortWho(origin: string | undefined): string {
  if (origin === undefined) return l10n.t('program on this computer');
  const read = readOrigin(origin);
  switch (read.kind) {
    case 'none':
      return l10n.t('page without an address');
    case 'file':
      return l10n.t('page from a file');
    case 'web':
      return read.text;
    case 'unusual':
      return l10n.t`unusual origin ${read.text}`;
  }
}

/** A hint for names that are encoded; undefined for others. */
export function encodedNameHint(origin: string | undefined): string | undefined {
  return isEncodedName(origin) ? l10n.t('The name has letters that may look like others. It is shown as browsers encode it.') : undefined;
}
