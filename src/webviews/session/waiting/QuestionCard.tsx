/** Questions of the agent as a form, at the place where they were asked. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionInputCompletedAction, SessionInputQuestion, SessionInputRequest } from '../../../ahp/v1/inputRequest.ts';
import { draftOf, emptyField, initialFields, problemOf, submission, type Field, type Fields } from '../../../views/session/questions.ts';
import { questionKey } from '../../../views/session/waiting.ts';
import { dispatch } from '../page/gestures.ts';
import { isPlainEnter } from '../page/slips.ts';
import { openLink } from '../parts/Markdown.tsx';
import type { RejectedMessage } from '../protocol.ts';
import { QuestionControl } from './QuestionControl.tsx';
import { RejectionNote } from '../parts/RejectionNote.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { useAnswerOnce } from './useAnswerOnce.ts';
import { VisibleText } from '../parts/VisibleText.tsx';
import { persist, readPersisted } from '../page/vscodeApi.ts';
import { WaitingCard, type Agreement } from './WaitingCard.tsx';

/** Drafts are shared with other windows through the host, but not with every key. */
const DRAFT_DELAY_MS = 300;

interface QuestionCardProps {
  request: SessionInputRequest;
  rejection?: RejectedMessage;
}

export function QuestionCard({ request, rejection }: QuestionCardProps) {
  const { uri, readOnly } = useSession();
  const formElement = useRef<HTMLFormElement>(null);
  const form = questionKey(request);
  const first = useAnswerOnce(request.id, rejection);
  // What was typed in this page wins over what the host knows: it may be newer, and may not be an answer yet ("-").
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
    // On the way to a button that checks all: a line more would move it away from under the pointer.
    if (relatedTarget instanceof Element && relatedTarget.closest('.card-buttons')) return;
    const field = fields[question.id] ?? emptyField;
    // An empty answer is only wrong once it is to be sent.
    const problem = sameField(field, emptyField) ? undefined : problemOf(question, field);
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
      const [mend] = result.problems.keys();
      formElement.current?.querySelector<HTMLElement>(`[data-question="${CSS.escape(mend ?? '')}"] :is(input, textarea)`)?.focus();
    } else agree.to(() => complete({ response: 'accept', answers: result.answers }));
  };

  const questions = request.questions ?? [];
  const { url } = request;
  return (
    <WaitingCard
      id={`question-${request.id}`}
      icon="question"
      title={request.message || (questions.length === 1 ? 'A question for you' : 'Questions for you')}
    >
      {(agree) => (
        <>
          {url !== undefined && <LinkToReview url={url} />}
          <form
            ref={formElement}
            class="questions"
            noValidate
            onSubmit={(event) => event.preventDefault()}
            onKeyDown={(event) => {
              // The buttons are no native submit buttons, so Enter in a field would do nothing by itself.
              if (!isPlainEnter(event)) return;
              event.preventDefault();
              accept(agree);
            }}
          >
            {questions.map((question) => (
              <QuestionControl
                key={question.id}
                formId={request.id}
                question={question}
                titled={questions.length > 1 || question.message !== request.message}
                field={fields[question.id] ?? emptyField}
                problem={problems.get(question.id)}
                disabled={readOnly}
                onChange={(field) => change(question, field)}
                onLeave={(event) => check(question, event)}
              />
            ))}
            {rejection && <RejectionNote rejection={rejection} what="Your answers were not taken" />}
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

/** The URL whole, so that the user sees where it leads before it is opened. */
function LinkToReview({ url }: { url: string }) {
  const opens = /^(https?|mailto|file):/i.test(url);
  return (
    <p class="card-text url-text" data-judged>
      {opens ? (
        <a
          href={url}
          onClick={(event) => {
            event.preventDefault();
            openLink(url);
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

const sameField = (a: Field, b: Field) => JSON.stringify(a) === JSON.stringify(b);

function without(map: ReadonlyMap<string, string>, key: string): ReadonlyMap<string, string> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
