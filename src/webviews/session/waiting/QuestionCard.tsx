/** Questions of the agent as a form. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { SessionInputCompletedAction } from '../../../ahp/v1/clientActions.ts';
import type { SessionInputQuestion, SessionInputRequest } from '../../../ahp/v1/inputRequest.ts';
import { sameJson } from '../../../base/sameJson.ts';
import {
  draftOf,
  emptyField,
  initialFields,
  problemOf,
  submission,
  type Field,
  type Fields,
} from '../../../views/session/waiting/questions.ts';
import { cardName, questionKey } from '../../../views/session/waiting/waiting.ts';
import { isPlainEnter } from '../answering/accidentalInput.ts';
import { openLink } from '../text/Markdown.tsx';
import type { RejectedMessage } from '../protocol.ts';
import { QuestionControl } from './QuestionControl.tsx';
import { RejectionNote } from '../parts/RejectionNote.tsx';
import { sessionKey } from '../../../views/session/sessionRef.ts';
import { useSession } from '../page/sessionContext.tsx';
import { useAnswerOnce } from './useAnswerOnce.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import { persist, readPersisted } from '../page/vscodeApi.ts';
import { WaitingCard, type Agreement } from './WaitingCard.tsx';

/** Drafts are shared with other windows through the host, but not at every key. */
const DRAFT_DELAY_MS = 300;

interface QuestionCardProps {
  request: SessionInputRequest;
  rejection?: RejectedMessage;
}

export function QuestionCard({ request, rejection }: QuestionCardProps) {
  const { hostId, uri, readOnly, post, dispatch } = useSession();
  const formId = useId();
  const formElement = useRef<HTMLFormElement>(null);
  const form = `${sessionKey({ hostId, uri })}\n${questionKey(request)}`;
  const first = useAnswerOnce(request.id, rejection);
  // What was typed in this page wins over the host's draft: it may be newer, and may not be a valid answer yet ("-").
  const [typed, setTyped] = useState<Fields>(() => (readPersisted().forms[form] as Fields | undefined) ?? {});
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const pending = timers.current;
    return () => pending.forEach((timer) => clearTimeout(timer));
  }, []);

  const fields: Fields = { ...initialFields(request), ...typed };
  const change = (question: SessionInputQuestion, field: Field) => {
    const next = { ...typed, [question.id]: field };
    setTyped(next);
    persist('forms', form, next);
    if (problems.has(question.id)) setProblems(without(problems, question.id));
    clearTimeout(timers.current.get(question.id));
    timers.current.set(
      question.id,
      setTimeout(() => {
        const answer = draftOf(question, field);
        dispatch({
          type: 'session/inputAnswerChanged',
          session: uri,
          requestId: request.id,
          questionId: question.id,
          ...(answer && { answer }),
        });
      }, DRAFT_DELAY_MS),
    );
  };
  const check = (question: SessionInputQuestion, { relatedTarget }: FocusEvent) => {
    // The user may be about to click a button that checks everything. A new line would move the button away from the pointer.
    if (relatedTarget instanceof Element && relatedTarget.closest('.card-buttons')) return;
    const field = fields[question.id] ?? emptyField;
    // An empty answer is wrong only when the form is sent.
    const problem = sameJson(field, emptyField) ? undefined : problemOf(question, field);
    if (problem !== undefined) setProblems(new Map(problems).set(question.id, problem));
  };
  const complete = (answer: Pick<SessionInputCompletedAction, 'response' | 'answers'>) => {
    if (!first()) return;
    dispatch({ type: 'session/inputCompleted', session: uri, requestId: request.id, ...answer });
    timers.current.forEach((timer) => clearTimeout(timer));
    persist('forms', form, undefined);
  };
  const accept = (agree: Agreement) => {
    const result = submission(request, fields);
    if (result.kind === 'problems') {
      setProblems(result.problems);
      const [first] = result.problems.keys();
      formElement.current?.querySelector<HTMLElement>(`[data-question="${CSS.escape(first ?? '')}"] :is(input, textarea)`)?.focus();
    } else agree.to(() => complete({ response: 'accept', answers: result.answers }));
  };

  const questions = request.questions ?? [];
  const { url } = request;
  return (
    <WaitingCard
      kind="question"
      name={cardName({ kind: 'question', request })}
      icon="question"
      title={request.message || (questions.length === 1 ? 'A question for you' : 'Questions for you')}
    >
      {(agree) => (
        <>
          {url !== undefined && <LinkToReview url={url} onOpen={() => openLink(post, url)} />}
          <form
            ref={formElement}
            class="questions"
            noValidate
            onSubmit={(event) => event.preventDefault()}
            onKeyDown={(event) => {
              // The buttons are not native submit buttons, so Enter in a field does nothing by itself.
              if (!isPlainEnter(event)) return;
              event.preventDefault();
              accept(agree);
            }}
          >
            {questions.map((question) => (
              <QuestionControl
                key={question.id}
                formId={formId}
                question={question}
                titled={questions.length > 1 || question.message !== request.message}
                field={fields[question.id] ?? emptyField}
                problem={problems.get(question.id)}
                disabled={readOnly}
                onChange={(field) => change(question, field)}
                onLeave={(event) => check(question, event)}
              />
            ))}
            {rejection && <RejectionNote rejection={rejection} what="Your answers were not accepted" />}
            {!readOnly && (
              <div class="card-buttons">
                <vscode-button onClick={() => accept(agree)}>{questions.length > 0 ? 'Send answers' : 'Continue'}</vscode-button>
                <vscode-button secondary onClick={() => complete({ response: 'decline' })}>
                  Decline
                </vscode-button>
                <vscode-button secondary onClick={() => complete({ response: 'cancel' })}>
                  Cancel
                </vscode-button>
              </div>
            )}
          </form>
        </>
      )}
    </WaitingCard>
  );
}

/** Shows the whole URL, so that the user sees where it leads before opening it. */
function LinkToReview({ url, onOpen }: { url: string; onOpen(): void }) {
  const opens = /^(https?|mailto|file):/i.test(url);
  return (
    <p class="card-text url-text" data-judged>
      {opens ? (
        <a
          href={url}
          onClick={(event) => {
            event.preventDefault();
            onOpen();
          }}
        >
          <VisibleText text={url} />
        </a>
      ) : (
        <VisibleText text={url} />
      )}
    </p>
  );
}

function without(map: ReadonlyMap<string, string>, key: string): ReadonlyMap<string, string> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
