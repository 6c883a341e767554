/** What became of a check, a claim or a goal. */
import * as z from 'zod';

/** `unknown`: it cannot be decided. */
export const verdict = z.enum(['supported', 'contradicted', 'unknown']);
export type Verdict = z.output<typeof verdict>;

export interface CheckAnswer {
  /** In a few words, such as `fileContains README.md`. */
  check: string;
  verdict: Verdict;
  /** Who has seen what decides. `stated`: nobody but who makes the claim. Absent where nothing decides. */
  seenBy?: 'gateway' | 'session' | 'stated';
  /** What decides: a line of the file, stream or output, or why it cannot be decided. */
  line: string;
}

/** Of several that must all hold. */
export function verdictOfAll(answers: readonly { readonly verdict: Verdict }[]): Verdict {
  const has = (one: Verdict) => answers.some((answer) => answer.verdict === one);
  if (has('contradicted')) return 'contradicted';
  return has('unknown') || answers.length === 0 ? 'unknown' : 'supported';
}

/** A goal or a claim that was judged. */
export interface Judgement {
  /** Rises within a session. */
  id: number;
  ts: string;
  kind: 'goal' | 'claim';
  /** In the words of the model. */
  text: string;
  verdict: Verdict;
  checks: CheckAnswer[];
}
