/** Which file a block of code of an answer is for, and what the file would be with it. All texts are a model's. */
import * as l10n from '../../../base/l10n.ts';
import { withoutEnd } from '../../../base/text/ends.ts';
import { isFilePath } from '../filePath.ts';

export interface NamedCode {
  code: string;
  /** What stands behind the fence: `ts src/a.ts`. */
  info: string;
  /** What stands before the block. */
  before: string;
}

/** In characters: how much of each text is looked at. */
export const LOOKED_AT = { info: 300, line: 300, before: 500 };
const MAX_FILES = 5;

const WORDS = /[\w./@+~-]+/g;
const COMMENTS = ['//', '/*', '<!--', '--', '#', ';'];

/** The one word of a line that is a comment, such as `// src/a.ts` or `<!-- file: a.html -->`. */
function commented(line: string): string | undefined {
  const text = line.trim();
  const begin = COMMENTS.find((mark) => text.startsWith(mark));
  if (begin === undefined) return undefined;
  const words = text
    .slice(begin.length)
    .split(/\s/)
    .filter((word) => !['', '*/', '-->'].includes(word));
  const [word, ...more] = /^file(?:name)?:$/i.test(words[0] ?? '') ? words.slice(1) : words;
  return more.length === 0 ? word : undefined;
}

/** Paths that the block, its first line or the words before it name, the most likely one first. Whether there are such files is not known. */
export function filesNamed({ code, info, before }: NamedCode): string[] {
  const first = commented(code.slice(0, LOOKED_AT.line).split('\n', 1)[0] ?? '');
  const inWords = (text: string) => (text.match(WORDS) ?? []).map((word) => withoutEnd(word, '.'));
  const named = [
    ...inWords(info.slice(0, LOOKED_AT.info)),
    ...(first === undefined ? [] : [first]),
    // The last one is the nearest.
    ...inWords(before.slice(-LOOKED_AT.before)).reverse(),
  ];
  return [...new Set(named.filter(isFilePath))].slice(0, MAX_FILES);
}

/** Offsets in the text of a file. */
export interface Part {
  start: number;
  end: number;
}

/** What takes the place of the part: the code with the line ends of the file. It ends with one only where the part did. */
export function codeFor(code: string, text: string, { start, end }: Part, lineEnd: '\n' | '\r\n'): string {
  const isWhole = start === 0 && end === text.length;
  const lines = isWhole || text.slice(start, end).endsWith('\n') ? code : code.replace(/\r?\n$/, '');
  return lines.replace(/\r\n?|\n/g, lineEnd);
}

export interface ApplyQuestion {
  /** The name of the file. */
  file: string;
  /** Lines of the file, and of the code. */
  lines: number;
  newLines: number;
  /** Where only a part is replaced: its lines, from 1. */
  selection?: { from: number; to: number };
}

/** What applying would do, for the user who sees the diff. */
export function applyQuestion({ file, lines, newLines, selection }: ApplyQuestion): string {
  if (selection) {
    const { from, to } = selection;
    return from === to
      ? l10n.t`Apply the code to ${file}? What is selected in line ${from} is replaced, as the diff shows.`
      : l10n.t`Apply the code to ${file}? What is selected in lines ${from} to ${to} is replaced, as the diff shows.`;
  }
  const isLess = newLines * 2 < lines;
  const question = l10n.t`Apply the code to ${file}? The whole file (${linesText(lines)}) is replaced with the code (${linesText(newLines)}), as the diff shows.`;
  const hint = l10n.t('If the code is only a part of the file, select in the file what it replaces, and apply it again.');
  return l10n.sentencesText(isLess ? [question, hint] : [question]);
}

function linesText(lines: number): string {
  return l10n.plural(lines, l10n.t`${l10n.countText(lines)} line`, l10n.t`${l10n.countText(lines)} lines`);
}
