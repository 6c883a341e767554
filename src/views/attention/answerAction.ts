/** The action with which a program answers what waits. */
/* eslint-disable texts/translated -- for programs that answer */
import type { ClientAction } from '../../ahp/client/model/resourceModel.ts';
import type { InputQuestion } from '../../ahp/common/inputRequest.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { emptyField, type Field, type Fields, submission } from '../session/waiting/questionForm.ts';
import { choicesFor, confirm, type Waiting } from '../session/waiting/waiting.ts';
import type { AttentionItem } from './attentionItems.ts';

/** What was answered to a question: by its kind a text, a number, yes or no, the id of an option or a text in its place, or ids of options. */
export type AnswerValue = string | number | boolean | readonly string[];

export type ProgramAnswer =
  | { decision: 'approve'; option?: string }
  | { decision: 'deny'; option?: string; reason?: string }
  | { decision: 'accept'; answers?: Readonly<Record<string, AnswerValue>> }
  | { decision: 'decline' | 'cancel' }
  | { decision: 'markRead' };

/** `action`: to be performed in `uri`, a session or a chat. `problems`: by the id of the question, in words for the user. `impossible`: what waits cannot be answered in this way. */
export type AnswerAction = { uri: URI; action: ClientAction } | { problems: Record<string, string> } | 'impossible';

export function answerAction({ kind, uri, chat = uri, waiting }: AttentionItem, answer: ProgramAnswer): AnswerAction {
  if (uri === undefined || chat === undefined) return 'impossible';
  switch (answer.decision) {
    case 'approve':
    case 'deny':
      return decided(chat, waiting, answer);
    case 'accept':
    case 'decline':
    case 'cancel':
      return waiting?.kind === 'question' ? completed(chat, waiting, answer) : 'impossible';
    case 'markRead':
      return kind === 'failed' ? { uri, action: { type: 'session/isReadChanged', isRead: true } } : 'impossible';
  }
}

type Decided = Extract<ProgramAnswer, { decision: 'approve' } | { decision: 'deny' }>;

function decided(uri: URI, waiting: Waiting | undefined, answer: Decided): AnswerAction {
  const approved = answer.decision === 'approve';
  const reason = answer.decision === 'deny' ? answer.reason : undefined;
  if (waiting?.kind === 'result') {
    // The protocol has neither for a result.
    if (answer.option !== undefined || reason !== undefined) return 'impossible';
    const { turnId, call } = waiting;
    return { uri, action: { type: 'chat/toolCallResultConfirmed', turnId, toolCallId: call.toolCallId, approved } };
  }
  if (waiting?.kind !== 'call') return 'impossible';
  const { turnId, call } = waiting;
  const choices = choicesFor(call).filter(({ approve }) => approve === approved);
  const choice = answer.option === undefined ? choices[0] : choices.find(({ optionId }) => optionId === answer.option);
  return choice ? { uri, action: confirm(turnId, call, choice, { reason }) } : 'impossible';
}

type Completed = Extract<ProgramAnswer, { decision: 'accept' } | { decision: 'decline' | 'cancel' }>;

function completed(uri: URI, { request }: Extract<Waiting, { kind: 'question' }>, answer: Completed): AnswerAction {
  const action = { type: 'chat/inputCompleted' as const, requestId: request.id, response: answer.decision };
  if (answer.decision !== 'accept') return { uri, action };
  const { answers = {} } = answer;
  const problems = new Map<string, string>();
  const fields: [string, Field][] = [];
  const questions = request.questions ?? [];
  for (const question of questions) {
    if (!Object.hasOwn(answers, question.id)) continue;
    const field = fieldOf(question, answers[question.id] as AnswerValue);
    if (typeof field === 'string') problems.set(question.id, field);
    else fields.push([question.id, field]);
  }
  for (const id of Object.keys(answers)) if (!questions.some((one) => one.id === id)) problems.set(id, 'There is no such question.');
  const submitted = submission(request, Object.fromEntries(fields) as Fields);
  if (submitted.kind === 'problems') for (const [id, problem] of submitted.problems) if (!problems.has(id)) problems.set(id, problem);
  if (problems.size > 0 || submitted.kind === 'problems') return { problems: Object.fromEntries(problems) };
  return { uri, action: { ...action, answers: submitted.answers } };
}

/** The controls of the question with this answer, or what is wrong with it. */
function fieldOf(question: InputQuestion, value: AnswerValue): Field | string {
  switch (question.kind) {
    case 'text':
      return typeof value === 'string' ? { ...emptyField, text: value } : 'Give a text.';
    case 'number':
    case 'integer':
      return typeof value === 'number' ? { ...emptyField, text: String(value) } : 'Give a number.';
    case 'boolean':
      return typeof value === 'boolean' ? { ...emptyField, checked: value } : 'Give true or false.';
    case 'single-select': {
      if (typeof value !== 'string') return 'Give the id of an option.';
      if (question.options.some(({ id }) => id === value)) return { ...emptyField, selected: [value] };
      return question.allowFreeformInput ? { ...emptyField, freeform: value } : 'There is no such option.';
    }
    case 'multi-select': {
      if (!Array.isArray(value)) return 'Give a list of ids of options.';
      const selected = question.options.flatMap(({ id }) => (value.includes(id) ? [id] : []));
      const others = [...new Set(value as string[])].filter((one) => !selected.includes(one));
      const [freeform = ''] = others;
      return others.length > (question.allowFreeformInput ? 1 : 0) ? 'There is no such option.' : { ...emptyField, selected, freeform };
    }
    default:
      return 'This version does not know this kind of question.';
  }
}
