/** Code as parts of one colour each. The worker sends them as numbers, so that no text travels back and no markup is made of it. */

/** What a part is, by the class that colours it. Their order is that of the numbers. */
export const codeKinds = ['comment', 'keyword', 'string', 'number', 'function', 'type', 'variable', 'meta', 'added', 'removed'] as const;
export type CodeKind = (typeof codeKinds)[number];

export interface CodePart {
  text: string;
  /** Absent: plain. */
  kind?: CodeKind;
}

/** Length and kind of each part in turn, in UTF-16 code units. A kind is one more than its place in `codeKinds`; 0 is plain. */
export type CodeRuns = readonly number[];

/** Undefined unless the parts, joined, are the text. */
export function codeParts(text: string, runs: CodeRuns): readonly CodePart[] | undefined {
  const parts: CodePart[] = [];
  let sum = 0;
  let at = 0;
  for (let index = 0; index + 1 < runs.length; index += 2) {
    sum += runs[index] ?? 0;
    // Half of a character is none, and would be shown as a code.
    const end = (text.codePointAt(sum - 1) ?? 0) > 0xffff ? sum + 1 : sum;
    const kind = codeKinds[(runs[index + 1] ?? 0) - 1];
    if (end > at) parts.push({ text: text.slice(at, end), ...(kind && { kind }) });
    at = end;
  }
  return sum === text.length ? parts : undefined;
}

/** Of each part: whether what follows it on its line is more than spaces. */
export function goOn(parts: readonly CodePart[]): readonly boolean[] {
  const found: boolean[] = [];
  let goesOn = false;
  for (const { text } of parts.toReversed()) {
    found.push(goesOn);
    const first = /[^ ]/.exec(text)?.[0];
    if (first !== undefined) goesOn = first !== '\n';
  }
  return found.reverse();
}

/** The parts of each line, without line feeds. */
export function linesOfParts(parts: readonly CodePart[]): readonly (readonly CodePart[])[] {
  const lines: CodePart[][] = [[]];
  for (const { text, ...kind } of parts) {
    text.split('\n').forEach((piece, index) => {
      if (index > 0) lines.push([]);
      if (piece !== '') lines.at(-1)?.push({ text: piece, ...kind });
    });
  }
  return lines;
}

export interface ColourRequest {
  code: string;
  /** A name or an alias of a language, or the ending of a file's name. */
  language: string;
}
