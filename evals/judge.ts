/** What is wrong with a conversation, by the rules of its case. No model is asked. */
import type { Assertion, EvalCase } from './evalCase.ts';

export interface MadeCall {
  tool: string;
  args: unknown;
  /** JSON, or why it has failed. */
  result: string;
  failed: boolean;
}
export interface Transcript {
  calls: MadeCall[];
  answer: string;
}
export interface Finding {
  kind: 'required' | 'prohibited' | 'assertion' | 'rubric';
  /** The tool that it is about. */
  tool?: string;
  text: string;
}

export function judge({ required, prohibited, assertions }: EvalCase, transcript: Transcript): Finding[] {
  const { calls, answer } = transcript;
  const findings: Finding[] = [];
  for (const { tool, args, result } of required) {
    const made = calls.filter((call) => call.tool === tool);
    const fits = (call: MadeCall) => !call.failed && (args?.test(JSON.stringify(call.args)) ?? true) && (result?.test(call.result) ?? true);
    if (made.some(fits)) continue;
    const wanted = [args && `with ${args.source}`, result && `answered ${result.source}`].filter(Boolean).join(', ');
    const how = made.length ? `was called, but not ${wanted || 'with success'}` : 'was not called';
    findings.push({ kind: 'required', tool, text: `${tool} ${how}` });
  }
  for (const claim of prohibited) {
    const [said] = claim.exec(answer) ?? [];
    if (said !== undefined) findings.push({ kind: 'prohibited', text: `the answer says “${said}”` });
  }
  for (const assertion of assertions) {
    const finding = broken(assertion, transcript);
    if (finding) findings.push({ kind: 'assertion', ...finding });
  }
  return findings;
}

function broken(assertion: Assertion, { calls, answer }: Transcript): Omit<Finding, 'kind'> | undefined {
  if ('firstTool' in assertion) {
    const { firstTool: tool } = assertion;
    const first = calls[0]?.tool;
    return first === tool
      ? undefined
      : { tool, text: `the first call is ${first === undefined ? 'missing' : `of ${first}`}, not of ${tool}` };
  }
  if ('neverCalled' in assertion) {
    const { neverCalled: tool } = assertion;
    return calls.some((call) => call.tool === tool) ? { tool, text: `${tool} was called` } : undefined;
  }
  if ('callsAtMost' in assertion) {
    return calls.length <= assertion.callsAtMost ? undefined : { text: `${calls.length} calls, more than ${assertion.callsAtMost}` };
  }
  if ('answerMatches' in assertion) {
    return assertion.answerMatches.test(answer) ? undefined : { text: `the answer has no ${assertion.answerMatches.source}` };
  }
  const failed = calls.find((call) => call.failed);
  return failed && { tool: failed.tool, text: `${failed.tool} has failed: ${failed.result.slice(0, 300)}` };
}
