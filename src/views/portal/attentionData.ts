/** What waits for a person, as the portal lists it (docs/portal-api.md), and the answers that its page sends. */
import * as z from 'zod';
import type { InputAnswer, InputQuestion, InputRequest } from '../../ahp/common/inputRequest.ts';
import type { AnswerValue, ProgramAnswer } from '../attention/answerAction.ts';
import { type ListedItem, listedItem } from '../attention/listedItem.ts';
import type { ConfirmationChoice } from '../session/waiting/waiting.ts';
import type { SessionSummary } from './sessionData.ts';

/** Of `attention`, and of each event of `attention/events`. */
export const attentionList = z.object({
  items: z.array(z.object({ id: z.string(), revision: z.string(), ...listedItem.shape })),
  isComplete: z.boolean(),
});
export type AttentionList = z.infer<typeof attentionList>;
export type WaitingItem = AttentionList['items'][number];

/** Of `attention/ID`. */
export const attentionAnswer = z.object({
  error: z.string().optional(),
  message: z.string().optional(),
  problems: z.record(z.string(), z.string()).optional(),
});
export type AttentionOutcome = z.infer<typeof attentionAnswer>;

/** Why an answer was not given, in words for the user. */
export function outcomeText({ error, message = '' }: AttentionOutcome): string {
  switch (error) {
    case 'AttentionChanged':
      return 'Nothing was sent, because it has changed meanwhile. Look at it again before you answer.';
    case 'AttentionNotFound':
      return 'Nothing was sent, because it has been answered elsewhere, or has ended.';
    case 'DecisionNotPossible':
      return 'Nothing was sent, because it cannot be answered in this way here. Answer it in Tapline.';
    case 'AnswersNotValid':
      return 'Nothing was sent, because an answer is not right.';
    case 'AnswerRefused':
      return `The agent host has refused it: ${message}`;
    case 'OutcomeUnknown':
      return `It is not known whether your answer has arrived: ${message}`;
    default:
      return message || String(error);
  }
}

/** The buttons of a call: what can be decided here, the first that approves being the main one. */
export function choicesOf({ options = [], decisions }: Pick<ListedItem, 'options' | 'decisions'>): ConfirmationChoice[] {
  const possible = options.filter(({ decision }) => decisions.includes(decision));
  const firstApprove = possible.findIndex(({ decision }) => decision === 'approve');
  const choices = possible.map(({ decision, option, label }, at) => ({
    ...{ label, approve: decision === 'approve', primary: at === firstApprove },
    ...(option !== undefined && { optionId: option }),
  }));
  if (decisions.includes('deny') && !choices.some(({ approve }) => !approve))
    choices.push({ label: 'Deny', approve: false, primary: false });
  return choices;
}

/** The questions as the form takes them. What is no known question has no controls there. */
export function requestOf({ id, question }: WaitingItem): InputRequest | undefined {
  if (!question) return undefined;
  const { questions, ...rest } = question;
  return { id, ...rest, questions: questions.map((one) => ({ ...one, options: one.options ?? [] }) as InputQuestion) };
}

/** What was filled in, as a program sends it. Or by the ids of questions what cannot be sent so. */
export function programAnswers(
  { questions = [] }: InputRequest,
  answers: Readonly<Record<string, InputAnswer>>,
): { answer: Extract<ProgramAnswer, { decision: 'accept' }> } | { problems: ReadonlyMap<string, string> } {
  const problems = new Map<string, string>();
  const values: [string, AnswerValue][] = [];
  for (const question of questions) {
    const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
    const value = answer?.state === 'submitted' ? answer.value : undefined;
    const words = value?.kind === 'selected' || value?.kind === 'selected-many' ? (value.freeformValues ?? []) : [];
    // It would choose that option, which may say something else.
    if (words.some((word) => idsOf(question).includes(word)))
      problems.set(question.id, 'The text is the internal name of an option. Choose the option, or write something else.');
    switch (value?.kind) {
      case 'text':
      case 'number':
      case 'boolean':
        values.push([question.id, value.value]);
        break;
      case 'selected':
        values.push([question.id, words[0] ?? value.value]);
        break;
      case 'selected-many':
        values.push([question.id, [...value.value, ...words]]);
    }
  }
  return problems.size > 0 ? { problems } : { answer: { decision: 'accept', answers: Object.fromEntries(values) } };
}

/** The session of the portal in which it waits, or in whose subagent. */
export function sessionOf(
  { session, topSession = session, host }: WaitingItem,
  sessions: readonly SessionSummary[],
): SessionSummary | undefined {
  return topSession === undefined ? undefined : sessions.find((one) => one.uri === topSession && one.host === host);
}

function idsOf(question: InputQuestion): string[] {
  return 'options' in question ? question.options.map(({ id }) => id) : [];
}
