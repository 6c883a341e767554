/** How a question was answered, in words. */
import type { InputAnswer, InputQuestion, InputRequest } from '../../../ahp/common/inputRequest.ts';
import { fieldOf } from './questionForm.ts';
import * as l10n from '../../../base/l10n.ts';

/** `lines`: one for each answer. */
export interface AnsweredText {
  outcome: string;
  lines: readonly string[];
}

const outcomes: Readonly<Record<string, string>> = { accept: l10n.t('answered'), decline: l10n.t('declined'), cancel: l10n.t('cancelled') };

export function answersText({ questions = [], answers = {} }: InputRequest, response: string): AnsweredText {
  const outcome = (Object.hasOwn(outcomes, response) && outcomes[response]) || response;
  if (response !== 'accept') return { outcome, lines: [] };
  const lines = questions.flatMap((question) => {
    const text = Object.hasOwn(answers, question.id) ? textOf(question, answers[question.id] as InputAnswer) : '';
    return text === '' ? [] : [questions.length > 1 ? l10n.t`${question.title || question.message}: ${text}` : text];
  });
  return { outcome, lines };
}

function textOf(question: InputQuestion, answer: InputAnswer): string {
  const { text, checked, selected, freeform } = fieldOf(answer);
  const options = 'options' in question ? question.options : [];
  const labels = selected.map((id) => options.find((option) => option.id === id)?.label ?? id);
  return [text, ...(checked === undefined ? [] : [checked ? l10n.t('Yes') : l10n.t('No')]), ...labels, freeform]
    .filter((part) => part !== '')
    .join(', ');
}
