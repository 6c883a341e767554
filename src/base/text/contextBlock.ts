/**
 * What tool providers, and context that the user attaches, add to a user's message: a marked block in front of the user's words. The model reads it as text, and our views tell it
 * from the words by its marks, which no provider can write: a mark in what it says is escaped.
 */
export interface ContextPart {
  /** `context`: for every message. `startup`: once. `section`: for a section of the system message. `hook`: from a rule about a tool call. `push`: an event that started the turn. `item`: what the user has attached of a context provider. */
  kind: 'context' | 'startup' | 'section' | 'hook' | 'push' | 'item';
  /** Name of the provider. Untrusted, like the content. */
  provider: string;
  /** Of the section, of the event stream, or of the item. */
  name?: string;
  content: string;
}

const OPEN = '<tapline-context>\n';
const CLOSE = '</tapline-context>';
const kinds: readonly string[] = ['context', 'startup', 'section', 'hook', 'push', 'item'] satisfies ContextPart['kind'][];

/** The message with the parts in front; the words alone where there are none. */
export function withContext(parts: readonly ContextPart[], words: string): string {
  if (parts.length === 0) return words;
  const block = `${OPEN}${parts.map(writePart).join('')}${CLOSE}`;
  return words === '' ? block : `${block}\n\n${words}`;
}

/** The parts and the user's own words. A text that does not begin with a whole block is all words. */
export function splitContext(text: string): { parts: ContextPart[]; words: string } {
  const parts: ContextPart[] = [];
  if (!text.startsWith(OPEN)) return { parts, words: text };
  let at = OPEN.length;
  const part = /<part kind="(\w+)" provider="([^"\n]*)"(?: name="([^"\n]*)")?>\n([^]*?)\n<\/part>\n/y;
  for (;;) {
    part.lastIndex = at;
    const found = part.exec(text);
    if (!found) break;
    const [, kind = '', provider = '', name, content = ''] = found;
    if (!kinds.includes(kind)) return { parts: [], words: text };
    parts.push({
      kind: kind as ContextPart['kind'],
      provider: readAttribute(provider),
      ...(name !== undefined && { name: readAttribute(name) }),
      content: readContent(content),
    });
    at = part.lastIndex;
  }
  if (parts.length === 0 || !text.startsWith(CLOSE, at)) return { parts: [], words: text };
  return { parts, words: text.slice(at + CLOSE.length).replace(/^\n\n/, '') };
}

function writePart({ kind, provider, name, content }: ContextPart): string {
  const named = name === undefined ? '' : ` name="${writeAttribute(name)}"`;
  return `<part kind="${kind}" provider="${writeAttribute(provider)}"${named}>\n${writeContent(content)}\n</part>\n`;
}

const attributeMarks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': ' ', '\r': ' ' };
const attributeTexts: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

function writeAttribute(text: string): string {
  return text.replace(/[&<>"\n\r]/g, (character) => attributeMarks[character] ?? character);
}
function readAttribute(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot);/g, (mark) => attributeTexts[mark] ?? mark);
}

// Only the marks are escaped, and what looks like an escaped one: all else is to be read as it is.
function writeContent(text: string): string {
  return text.replace(/&(?=(?:amp;)*lt;\/?(?:part|tapline-context)\b)/gi, '&amp;').replace(/<(?=\/?(?:part|tapline-context)\b)/gi, '&lt;');
}
function readContent(text: string): string {
  return text.replace(/&lt;(?=\/?(?:part|tapline-context)\b)/gi, '<').replace(/&amp;(?=(?:amp;)*lt;\/?(?:part|tapline-context)\b)/gi, '&');
}
