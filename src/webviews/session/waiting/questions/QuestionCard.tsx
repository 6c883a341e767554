/** Questions of the agent as a form, whose draft other windows share. */
import { useId } from 'preact/hooks';
import type { Gesture } from '../../../../views/session/gestures.ts';
import type { InputRequest } from '../../../../ahp/common/inputRequest.ts';
import { refusedFields } from '../../../../views/session/waiting/questions.ts';
import { cardName, questionKey, questionTitle } from '../../../../views/session/waiting/waiting.ts';
import { copyText } from '../../text/CodeText.tsx';
import { openLink } from '../../text/Markdown.tsx';
import type { RejectedMessage } from '../../protocol.ts';
import { RejectionNote } from '../../parts/RejectionNote.tsx';
import { sessionKey } from '../../../../views/session/sessionRef.ts';
import { useSession } from '../../page/sessionContext.tsx';
import { useAnswerOnce } from '../useAnswerOnce.ts';
import { QuestionForm } from './QuestionForm.tsx';
import { useSharedFields } from './useSharedFields.ts';
import { WaitingCard } from '../WaitingCard.tsx';

const OPENS = /^(https?|mailto|file):/i;

interface QuestionCardProps {
  request: InputRequest;
  rejection?: RejectedMessage;
}

export function QuestionCard({ request, rejection }: QuestionCardProps) {
  const { hostId, chat, readOnly, post, dispatch } = useSession();
  const formId = useId();
  const form = `${sessionKey({ hostId, uri: chat })}\n${questionKey(request)}`;
  const first = useAnswerOnce(request.id, rejection);
  const shared = useSharedFields({
    request,
    form,
    earlier: refusedFields(rejection?.action),
    isIn: (questionId) => document.activeElement?.closest<HTMLElement>('.question')?.dataset.question === questionId,
    share: (questionId, answer) =>
      dispatch(chat, { type: 'chat/inputAnswerChanged', requestId: request.id, questionId, ...(answer && { answer }) }),
  });
  const complete = (answer: Pick<Gesture<'chat/inputCompleted'>, 'response' | 'answers'>) => {
    if (!first()) return;
    dispatch(chat, { type: 'chat/inputCompleted', requestId: request.id, ...answer }, questionKey(request));
    shared.forget();
  };

  return (
    <WaitingCard kind="question" name={cardName({ kind: 'question', request })} icon="question" title={questionTitle(request)}>
      {(agree) => (
        <QuestionForm
          {...{ formId, request, agree, readOnly }}
          fields={shared.fields}
          contested={shared.contested}
          note={rejection && <RejectionNote rejection={rejection} what="Your answers were not accepted" />}
          opens={(url) => OPENS.test(url)}
          onOpen={(url) => openLink(post, url)}
          onCopy={copyText}
          onChange={shared.change}
          onAdopt={shared.adopt}
          onAccept={(answers) => complete({ response: 'accept', answers })}
          onRefuse={(response) => complete({ response })}
        />
      )}
    </WaitingCard>
  );
}
