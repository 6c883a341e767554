/** Questions of the agent. The form is loaded when the first one is shown. */
import * as l10n from '../../../../base/l10n.ts';
import type { InputRequest } from '../../../../ahp/common/inputRequest.ts';
import { cardName, questionTitle } from '../../../../views/session/waiting/waiting.ts';
import { LateNote } from '../../../late/LateNote.tsx';
import { latePart, useLatePart } from '../../../late/latePart.ts';
import type { RejectedMessage } from '../../protocol.ts';
import { WaitingCard } from '../WaitingCard.tsx';

export const questionForm = latePart(
  l10n.t('The form'),
  () => import('./SharedQuestionForm.tsx'),
  (module) => module.SharedQuestionForm,
);

interface QuestionCardProps {
  request: InputRequest;
  rejection?: RejectedMessage;
}

export function QuestionCard({ request, rejection }: QuestionCardProps) {
  const Form = useLatePart(questionForm);
  return (
    <WaitingCard kind="question" name={cardName({ kind: 'question', request })} icon="question" title={questionTitle(request)}>
      {(agree) =>
        Form ? <Form {...{ request, agree, rejection }} /> : <LateNote part={questionForm} loading={l10n.t('Opening the form…')} />
      }
    </WaitingCard>
  );
}
