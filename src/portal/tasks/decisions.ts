/** The texts of decisions. Each begins with its kind, and quotes the field that decided; a check says “succeeded” or “failed”. */
import type { Approval } from '../entry/approve.ts';
import type { UnaskedCall } from './portalSession.ts';
import type { Answer } from './round.ts';

/** A prompt is quoted up to this length. */
const MAX_QUOTE = 500;

export function previousTaskDecision(previousTasks: readonly string[], missing: readonly string[]): string {
  const field = `availability.previousTasks ${JSON.stringify(previousTasks)}`;
  return missing.length === 0
    ? `[AVAILABILITY] ${field} succeeded: all of them have succeeded in this job.`
    : `[AVAILABILITY] ${field} failed: ${missing.map((name) => JSON.stringify(name)).join(', ')} has not succeeded in this job.`;
}

export function toolDecision(toolExecuted: readonly string[], missing: readonly string[]): string {
  const field = `criteria.toolExecuted ${JSON.stringify(toolExecuted)}`;
  return missing.length === 0
    ? `[CRITERIA] ${field} succeeded: all of them were called.`
    : `[CRITERIA] ${field} failed: ${missing.join(', ')} was not called in the last round.`;
}

/** `answer`: what the last boolean tool of the round said. */
export function conditionDecision(part: 'availability' | 'criteria', condition: string, answer: Answer | undefined): string {
  const why = answer
    ? `job_boolean_${answer.holds} said ${quoted(answer.reason)}`
    : 'neither job_boolean_true nor job_boolean_false was called';
  return `[${part.toUpperCase()}] ${part}.condition ${quoted(condition)} ${answer?.holds ? 'succeeded' : 'failed'}: ${why}.`;
}

/** Who allowed a call about which nobody was asked. */
export function unaskedDecision(approved: readonly Approval[], { name, input, isByEntry }: UnaskedCall): string {
  const who = isByEntry ? `approve ${JSON.stringify(approved)} of the entry` : 'a setting that was changed in the session';
  return `[OPERATION] ${who}: ${name} ran without a question, with ${quoted(input)}.`;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text);
}
