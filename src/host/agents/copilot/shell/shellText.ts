/** What models read of shells, and type into them. */

/** Characters of one result. The first ones say what began, the last ones how it ended. */
const MAX_HEAD = 6_000;
const MAX_TAIL = 24_000;

/** The text, or its beginning and end with a line between them that says how much is missing. */
export function shortened(text: string): string {
  if (text.length <= MAX_HEAD + MAX_TAIL) return wellFormed(text);
  const [head, tail] = [text.slice(0, MAX_HEAD), text.slice(-MAX_TAIL)].map(wellFormed);
  return `${head}\n[${text.length - MAX_HEAD - MAX_TAIL} characters are left out here]\n${tail}`;
}

/** Half of a surrogate pair is removed, because some servers refuse requests that contain one. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, '\ufffd');
}

const keys: Readonly<Record<string, string>> = {
  enter: '\r',
  tab: '\t',
  escape: '\x1b',
  space: ' ',
  backspace: '\x7f',
  delete: '\x1b[3~',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[H',
  end: '\x1b[F',
  pageup: '\x1b[5~',
  pagedown: '\x1b[6~',
};
/** For the description of the tool. */
export const keyNames: readonly string[] = [...Object.keys(keys), 'ctrl-a … ctrl-z'].map((name) => `{${name}}`);

/** The terminal input for a text with keys in braces. A line break is the Enter key. Other braces are text. */
export function typed(input: string): string {
  return input.replaceAll(/\{([a-z]+(?:-[a-z])?)\}|\r?\n/gi, (whole, name: string | undefined) => {
    if (name === undefined) return '\r';
    const key = name.toLowerCase();
    if (Object.hasOwn(keys, key)) return keys[key] ?? whole;
    const letter = /^ctrl-([a-z])$/.exec(key)?.[1];
    return letter === undefined ? whole : String.fromCharCode(letter.charCodeAt(0) - 96);
  });
}
