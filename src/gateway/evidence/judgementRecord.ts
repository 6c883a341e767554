/** What is kept for later of a goal or a claim. */
import type { Judgement } from '../../tap/wire/evidence/verdict.ts';
import { cleanText } from '../limits/cleanText.ts';

const MAX_CHECKS = 20;
const TEXT_LENGTH = 200;

/** With the checks that decide first, and how many are left out. */
export function judgementRecord({ text, verdict, checks }: Judgement): Record<string, unknown> {
  const ordered = [...checks.filter((one) => one.verdict === verdict), ...checks.filter((one) => one.verdict !== verdict)];
  const kept = ordered.slice(0, MAX_CHECKS).map(({ check, line, ...rest }) => {
    return { check: cleanText(check, TEXT_LENGTH), ...rest, line: cleanText(line, TEXT_LENGTH) };
  });
  const leftOut = checks.length - kept.length;
  return { text, verdict, checks: kept, ...(leftOut > 0 && { leftOut }) };
}
