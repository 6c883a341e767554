/** The form in the card of a question, whose draft other windows share. */
import * as l10n from '../../../../base/l10n.ts';
import { useId } from 'preact/hooks';
import type { InputRequest } from '../../../../ahp/common/inputRequest.ts';
import type { Gesture } from '../../../../views/session/sessionGesture.ts';
import { sessionKey } from '../../../../views/session/sessionRef.ts';
import { refusedFields } from '../../../../views/session/waiting/questionForm.ts';
import { questionKey } from '../../../../views/session/waiting/waiting.ts';
import { isLink } from '../../page/pageShell.ts';
import { useSession } from '../../page/sessionContext.tsx';
import { RejectionNote } from '../../parts/RejectionNote.tsx';
import type { RejectedMessage } from '../../protocol.ts';
import { copyText } from '../../text/CodeText.tsx';
import { openLink } from '../../text/Markdown.tsx';
import type { Agreement } from '../CardFrame.tsx';
import { useAnswerOnce } from '../useAnswerOnce.ts';
import { QuestionForm } from './QuestionForm.tsx';
import { useSharedFields } from './useSharedFields.ts';

const OPENS = /^(https?|mailto|file):/i;

interface SharedQuestionFormProps {
  request: InputRequest;
  agree: Agreement;
  rejection?: RejectedMessage;
}

export function SharedQuestionForm({ request, agree, rejection }: SharedQuestionFormProps) {
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
    <QuestionForm
      {...{ formId, request, agree, readOnly }}
      fields={shared.fields}
      contested={shared.contested}
      note={rejection && <RejectionNote rejection={rejection} what={l10n.t('Your answers were not accepted')} />}
      opens={(url) => OPENS.test(url) && isLink(url)}
      onOpen={(url) => openLink(post, url)}
      onCopy={copyText}
      onChange={shared.change}
      onAdopt={shared.adopt}
      onAccept={(answers) => complete({ response: 'accept', answers })}
      onRefuse={(response) => complete({ response })}
    />
  );
}
