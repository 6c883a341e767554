/** What a file says about a check. */
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../base/errors.ts';
import type { EvidenceCheck } from '../../tap/wire/evidence/evidenceCheck.ts';
import type { CompileBudget } from '../limits/compileBudget.ts';
import { compilePatterns } from '../limits/pattern.ts';
import { decided, type Decision, quotedPart, shown, undecided } from './checkDecision.ts';
import { findText } from './findText.ts';
import { valueAt } from './jsonPointer.ts';
import { firstMatch, type TimeLeft } from './linePattern.ts';
import { readSessionFile } from './sessionFile.ts';

type FileCheck = Extract<EvidenceCheck, { path: string }>;

export interface FileOptions {
  readonly cwd: string | undefined;
  readonly budget: CompileBudget;
  readonly left: TimeLeft;
}

export async function checkFile(check: FileCheck, { cwd, budget, left }: FileOptions): Promise<Decision> {
  const path = shown(check.path);
  let file;
  try {
    file = await readSessionFile(cwd, check.path);
  } catch (error) {
    return undecided(`${path} cannot be read: ${messageOf(error)}`);
  }
  if (file.is === 'refused') return undecided(`${path}: ${file.why}`);
  if (file.is === 'missing') return decided(false, `there is no ${path}`);
  if (check.kind === 'fileExists')
    return decided(true, file.is === 'folder' ? `${path} is a folder` : `${path} is a file of ${file.bytes} bytes`);
  if (file.is === 'folder') return decided(false, `${path} is a folder, not a file`);
  if (file.is === 'large') return undecided(`${path} is too large to be looked at: ${file.bytes} bytes`);
  const { text } = file;
  switch (check.kind) {
    case 'fileContains':
      return containing(path, text, check.text.replaceAll('\r\n', '\n'));
    case 'fileMatches':
      return await matching(path, text, check.pattern, budget, left);
    case 'jsonEquals':
      return equalling(path, text, check.pointer, check.value);
  }
}

function containing(path: string, text: string, wanted: string): Decision {
  const at = findText(text, wanted);
  if (at < 0) return decided(false, `${path} has no ${quotedPart(wanted)} in its ${linesOf(text).length} lines`);
  const before = text.slice(0, at);
  const number = before.split('\n').length;
  return decided(true, `${path}:${number}: ${lineAt(text, at)}`);
}

async function matching(path: string, text: string, source: string, budget: CompileBudget, left: TimeLeft): Promise<Decision> {
  let pattern;
  try {
    [pattern] = compilePatterns([{ source, field: 'pattern' }], budget);
  } catch (error) {
    return undecided(messageOf(error));
  }
  const lines = linesOf(text);
  const at = pattern ? await firstMatch(pattern, lines, left) : -1;
  if (at === 'too slow') return undecided(`the pattern takes too long on ${path}`);
  if (at < 0) return decided(false, `no line of ${path} matches ${quotedPart(source)}; it has ${lines.length} lines`);
  return decided(true, `${path}:${at + 1}: ${lines[at]}`);
}

function equalling(path: string, text: string, pointer: string, wanted: unknown): Decision {
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return decided(false, `${path} is not JSON: ${messageOf(error)}`);
  }
  const found = valueAt(document, pointer);
  if (found === undefined) return decided(false, `${path} has nothing at ${quotedPart(pointer)}`);
  return decided(isDeepStrictEqual(found, wanted), `${path} has ${JSON.stringify(found)} at ${quotedPart(pointer)}`);
}

/** A new line at the end begins none. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, end < 0 ? undefined : end);
}
