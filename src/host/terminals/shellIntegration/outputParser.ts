/**
 * Reads the output of a pty as it streams. It removes the marks of our shell integration, and reports titles (OSC 0, 2) and working
 * directories (OSC 7), which stay in the data because terminal views read them too. Everything else passes unchanged.
 *
 * Only marks with the terminal's own nonce count. Others are data, so that output such as a printed file or a remote computer cannot
 * announce commands that never ran.
 */
export type ShellMark =
  /** The integration has been loaded. */
  | { kind: 'ready' }
  /** The prompt is complete. The echo from here on is the command line. */
  | { kind: 'promptEnd' }
  /** A command starts. Undefined when the shell does not report its text. */
  | { kind: 'executed'; commandLine: string | undefined }
  | { kind: 'finished'; exitCode: number | undefined }
  | { kind: 'cwd'; path: string };

export type OutputPiece =
  { kind: 'data'; text: string } | { kind: 'title'; title: string } | { kind: 'directory'; uri: string } | ShellMark;

const ESC = '\x1b';
/** The longest sequence that is waited for, in UTF-16 units. Our longest mark, a command line of 8192 characters, is shorter. */
const MAX_SEQUENCE = 40_000;
const OF_INTEREST = ['0', '2', '7', '633'];

export class OutputParser {
  /** The beginning of an incomplete sequence. */
  #held = '';

  /** `nonce` is undefined for a terminal without shell integration. */
  constructor(private readonly nonce: string | undefined) {}

  push(chunk: string): OutputPiece[] {
    const text = this.#held + chunk;
    this.#held = '';
    const pieces: OutputPiece[] = [];
    let dataStart = 0;
    let from = 0;
    const flushData = (end: number) => {
      if (end > dataStart) pieces.push({ kind: 'data', text: text.slice(dataStart, end) });
      dataStart = end;
    };
    for (;;) {
      const start = text.indexOf(ESC, from);
      if (start < 0) break;
      const sequence = findSequence(text, start);
      if (sequence === 'other') {
        from = start + 1;
        continue;
      }
      if (sequence === 'incomplete') {
        flushData(start);
        this.#held = text.slice(start);
        return pieces;
      }
      const piece = this.#read(sequence.body);
      if (piece) {
        // A mark is removed. A title or directory is reported after the data that contains it.
        const isMark = piece.kind !== 'title' && piece.kind !== 'directory';
        flushData(isMark ? start : sequence.end);
        dataStart = sequence.end;
        pieces.push(piece);
      }
      from = sequence.end;
    }
    flushData(text.length);
    return pieces;
  }

  /** The held data at the end of the output. */
  end(): OutputPiece[] {
    const text = this.#held;
    this.#held = '';
    return text ? [{ kind: 'data', text }] : [];
  }

  #read(body: string): OutputPiece | undefined {
    const separator = body.indexOf(';');
    const payload = body.slice(separator + 1);
    switch (body.slice(0, separator)) {
      case '0':
      case '2':
        return { kind: 'title', title: payload };
      case '7':
        return { kind: 'directory', uri: payload };
      case '633':
        return this.#readMark(payload);
      default:
        return undefined;
    }
  }

  #readMark(payload: string): ShellMark | undefined {
    const match = /^([A-Z]);([^;]*)(?:;([^]*))?$/.exec(payload);
    if (!match || this.nonce === undefined || match[2] !== this.nonce) return undefined;
    const value = match[3];
    switch (match[1]) {
      case 'A':
        return { kind: 'ready' };
      case 'B':
        return { kind: 'promptEnd' };
      case 'C':
        return { kind: 'executed', commandLine: value === undefined ? undefined : unescapeValue(value) };
      case 'D':
        return { kind: 'finished', exitCode: value !== undefined && /^\d{1,3}$/.test(value) ? Number(value) : undefined };
      case 'P':
        return value === undefined ? undefined : { kind: 'cwd', path: unescapeValue(value) };
      default:
        return undefined;
    }
  }
}

/** The OSC sequence that begins at `start`: its body and the index after its end. */
function findSequence(text: string, start: number): { body: string; end: number } | 'incomplete' | 'other' {
  if (start + 1 === text.length) return 'incomplete';
  if (text[start + 1] !== ']') return 'other';
  const bodyStart = start + 2;
  // Long sequences of other kinds, such as images and the clipboard, are not waited for.
  const number = /\d{0,3}/y;
  number.lastIndex = bodyStart;
  const digits = number.exec(text)?.[0] ?? '';
  const atEnd = bodyStart + digits.length === text.length;
  const interesting = atEnd
    ? OF_INTEREST.some((candidate) => candidate.startsWith(digits))
    : text[bodyStart + digits.length] === ';' && OF_INTEREST.includes(digits);
  if (!interesting) return 'other';
  const terminator = /[\x07\x18\x1a\x1b]/g;
  terminator.lastIndex = bodyStart;
  const found = terminator.exec(text);
  if (!found) return text.length - start > MAX_SEQUENCE ? 'other' : 'incomplete';
  const body = text.slice(bodyStart, found.index);
  if (found[0] === '\x07') return { body, end: found.index + 1 };
  if (found[0] !== ESC) return 'other';
  if (found.index + 1 === text.length) return 'incomplete';
  return text[found.index + 1] === '\\' ? { body, end: found.index + 2 } : 'other';
}

function unescapeValue(value: string): string {
  return value.replace(/\\(?:\\|x([0-9a-f]{2}))/g, (_match, hex: string | undefined) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
