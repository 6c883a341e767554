/**
 * The origin of a paired page, or of one that asks to be paired, as text that no other origin has. Names are shown as the browser encodes them
 * (punycode), because letters of other scripts look like Latin ones. Programs that are no browsers may send anything as their origin.
 */

/** Characters. The end of a name says whose it is, so a long one is cut at its beginning. */
const LIMIT = 120;

/** `web`: with its address. `unusual`: with what it is, in quotes. */
export type Origin = { readonly kind: 'none' | 'file' } | { readonly kind: 'web' | 'unusual'; readonly text: string };

export function readOrigin(origin: string): Origin {
  if (origin === '' || origin === 'null') return { kind: 'none' };
  if (/^file:\/*$/i.test(origin)) return { kind: 'file' };
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  // Exactly as a browser writes it: without a path, a user name, a space or letters that it would encode.
  const isWeb = url?.origin === origin && (url.protocol === 'http:' || url.protocol === 'https:');
  return isWeb
    ? { kind: 'web', text: cut(`${url.protocol}//`, url.host) }
    : { kind: 'unusual', text: cut('', JSON.stringify(ascii(origin.slice(0, LIMIT)))) };
}

/** In English, for models and files. People read `originWords`. */
export function originText(origin: string): string {
  const read = readOrigin(origin);
  switch (read.kind) {
    case 'none':
      return 'a page without an address';
    case 'file':
      return 'a page from a file';
    case 'web':
      return read.text;
    case 'unusual':
      return `the unusual origin ${read.text}`;
  }
}

/** With an article where it is no address: "the page https://a.example", "a page from a file", "a program on this computer". */
export function whoAsks(origin: string | undefined): string {
  if (origin === undefined) return 'a program on this computer';
  const text = originText(origin);
  return /^https?:/.test(text) ? `the page ${text}` : text;
}

/** Its name is written in letters that are not Latin. */
export function isEncodedName(origin: string | undefined): boolean {
  return origin !== undefined && /(?:^|[/.])xn--/i.test(originText(origin));
}

/** A hint for names that are encoded; undefined for others. */
export function encodedNameHint(origin: string | undefined): string | undefined {
  return isEncodedName(origin) ? 'The name has letters that may look like others. It is shown as browsers encode it.' : undefined;
}

function cut(scheme: string, name: string): string {
  return scheme.length + name.length > LIMIT ? `${scheme}…${name.slice(scheme.length - LIMIT)}` : `${scheme}${name}`;
}

function ascii(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/gu,
    (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}
