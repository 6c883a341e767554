/** The texts of decisions. Each begins with its kind, and quotes the field that decided; a check says “succeeded” or “failed”. */
import type { Approval } from '../entry/approve.ts';
import type { PersonAnswer } from '../runs/personAnswer.ts';
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

/** Who has refused a tool in the round. */
export type RefuserOf = (tool: string) => string | undefined;

export function toolDecision(toolExecuted: readonly string[], missing: readonly string[], refuserOf: RefuserOf): string {
  const field = `criteria.toolExecuted ${JSON.stringify(toolExecuted)}`;
  return missing.length === 0
    ? `[CRITERIA] ${field} succeeded: all of them were called.`
    : `[CRITERIA] ${field} failed: ${missingWords(missing, refuserOf)} in the last round.`;
}

function missingWords(missing: readonly string[], refuserOf: RefuserOf): string {
  const refused = missing.flatMap((tool) => {
    const by = refuserOf(tool);
    return by === undefined ? [] : [`${tool} was refused by ${by}`];
  });
  const others = missing.filter((tool) => refuserOf(tool) === undefined);
  return [...(others.length > 0 ? [`${others.join(', ')} was not called`] : []), ...refused].join(' and ');
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

/** Who has answered what. */
export function answerDecision({ about, answer, by, tool, input, reason, option }: PersonAnswer): string {
  const why = reason === undefined ? '' : ` The reason given: ${quoted(reason)}.`;
  const chosen = option === undefined ? '' : ` (${quoted(option)})`;
  const given = input === undefined || input === '' ? '' : `, with ${quoted(input)}`;
  switch (about) {
    case 'call':
      return `[OPERATION] ${by} ${answer} a call${chosen}: ${tool} ${answer === 'approved' ? 'ran' : 'did not run'}${given}.${why}`;
    case 'result':
      return `[OPERATION] ${by} ${answer} the result of ${tool}${given}.${why}`;
    case 'question':
      return `[OPERATION] ${by} ${answer} a question${given}.`;
    case 'turn':
      return `[OPERATION] ${by} steered the running turn${given}.`;
    case 'setting':
      return `[OPERATION] ${by} changed what the session does without asking from now on: ${option}.`;
  }
}

/** `minutes`: how long nothing has happened. */
export function stalledDecision(minutes: number): string {
  return `[OPERATION] Nothing has happened in the session for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. It goes on waiting.`;
}

/** The text of a decision without its kind, for where another one quotes it. */
export function withoutKind(decision: string): string {
  return decision.replace(/^\[[A-Z ]+\] /, '');
}

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text);
}
