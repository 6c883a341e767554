/** Questions of the agent as a form, whose draft other windows share. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Gesture } from '../../../../views/session/gestures.ts';
import type { InputQuestion, InputRequest } from '../../../../ahp/common/inputRequest.ts';
import { draftOf, initialFields, refusedFields, type Field, type Fields } from '../../../../views/session/waiting/questions.ts';
import { cardName, questionKey, questionTitle } from '../../../../views/session/waiting/waiting.ts';
import { copyText } from '../../text/CodeText.tsx';
import { openLink } from '../../text/Markdown.tsx';
import type { RejectedMessage } from '../../protocol.ts';
import { RejectionNote } from '../../parts/RejectionNote.tsx';
import { sessionKey } from '../../../../views/session/sessionRef.ts';
import { useSession } from '../../page/sessionContext.tsx';
import { useAnswerOnce } from '../useAnswerOnce.ts';
import { persist, readPersisted } from '../../page/vscodeApi.ts';
import { QuestionForm } from './QuestionForm.tsx';
import { WaitingCard } from '../WaitingCard.tsx';

/** Drafts are shared with other windows through the host, but not at every key. */
const DRAFT_DELAY_MS = 300;
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
  // What was typed in this page wins over the host's draft: it may be newer, and may not be a valid answer yet ("-").
  const [typed, setTyped] = useState<Fields>(() => (readPersisted().forms[form] as Fields | undefined) ?? refusedFields(rejection?.action));
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const pending = timers.current;
    return () => pending.forEach((timer) => clearTimeout(timer));
  }, []);

  const change = (question: InputQuestion, field: Field) => {
    const next = { ...typed, [question.id]: field };
    setTyped(next);
    persist('forms', form, next);
    clearTimeout(timers.current.get(question.id));
    timers.current.set(
      question.id,
      setTimeout(() => {
        const answer = draftOf(question, field);
        dispatch(chat, {
          type: 'chat/inputAnswerChanged',
          requestId: request.id,
          questionId: question.id,
          ...(answer && { answer }),
        });
      }, DRAFT_DELAY_MS),
    );
  };
  const complete = (answer: Pick<Gesture<'chat/inputCompleted'>, 'response' | 'answers'>) => {
    if (!first()) return;
    dispatch(chat, { type: 'chat/inputCompleted', requestId: request.id, ...answer }, questionKey(request));
    timers.current.forEach((timer) => clearTimeout(timer));
    persist('forms', form, undefined);
  };

  return (
    <WaitingCard kind="question" name={cardName({ kind: 'question', request })} icon="question" title={questionTitle(request)}>
      {(agree) => (
        <QuestionForm
          {...{ formId, request, agree, readOnly }}
          fields={{ ...initialFields(request), ...typed }}
          note={rejection && <RejectionNote rejection={rejection} what="Your answers were not accepted" />}
          opens={(url) => OPENS.test(url)}
          onOpen={(url) => openLink(post, url)}
          onCopy={copyText}
          onChange={change}
          onAccept={(answers) => complete({ response: 'accept', answers })}
          onRefuse={(response) => complete({ response })}
        />
      )}
    </WaitingCard>
  );
}
