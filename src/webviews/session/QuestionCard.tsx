/** Questions of the agent as a form, at the place where they were asked. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionInputQuestion, SessionInputRequest } from '../../ahp/v1/inputRequest.ts';
import { draftOf, emptyField, initialFields, problemOf, submission, type Field, type Fields } from '../../views/session/questions.ts';
import { dispatch } from './gestures.ts';
import { Icon } from './Icon.tsx';
import { openLink } from './Markdown.tsx';
import type { RejectedMessage } from './protocol.ts';
import { QuestionControl } from './QuestionControl.tsx';
import { RejectionNote } from './RejectionNote.tsx';
import { useSession } from './sessionContext.tsx';
import { useAnswerOnce } from './useAnswerOnce.ts';
import { useFocusReturn } from './useFocusReturn.ts';
import { VisibleText } from './VisibleText.tsx';
import { persist, readPersisted } from './vscodeApi.ts';

/** Drafts are shared with other windows through the host, but not with every key. */
const DRAFT_DELAY_MS = 300;

interface QuestionCardProps {
  request: SessionInputRequest;
  rejection?: RejectedMessage;
}

export function QuestionCard({ request, rejection }: QuestionCardProps) {
  const { uri, cards, readOnly } = useSession();
  const card = useRef<HTMLElement>(null);
  useFocusReturn(card);
  const first = useAnswerOnce(request.id, rejection);
  // What was typed in this page wins over what the host knows: it may be newer, and may not be an answer yet ("-").
  const [typed, setTyped] = useState<Fields>(() => (readPersisted().forms[request.id] as Fields | undefined) ?? {});
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const pending = timers.current;
    return () => pending.forEach((timer) => clearTimeout(timer));
  }, []);
  useEffect(() => {
    if (!card.current || readOnly) return undefined;
    return cards.add({ element: card.current });
  }, [cards, readOnly]);

  const fields: Fields = { ...initialFields(request), ...typed };
  const change = (question: SessionInputQuestion, field: Field) => {
    const next = { ...typed, [question.id]: field };
    setTyped(next);
    persist('forms', request.id, next);
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
  const finish = (response: 'accept' | 'decline' | 'cancel') => {
    if (response === 'accept') {
      const result = submission(request, fields);
      if (result.kind === 'problems') {
        setProblems(result.problems);
        const [mend] = result.problems.keys();
        card.current?.querySelector<HTMLElement>(`[data-question="${CSS.escape(mend ?? '')}"] :is(input, textarea)`)?.focus();
        return;
      }
      if (!first()) return;
      dispatch({ type: 'session/inputCompleted', session: uri, requestId: request.id, response, answers: result.answers });
    } else {
      if (!first()) return;
      dispatch({ type: 'session/inputCompleted', session: uri, requestId: request.id, response });
    }
    timers.current.forEach((timer) => clearTimeout(timer));
    persist('forms', request.id, undefined);
  };

  const questions = request.questions ?? [];
  const heading = `question-${request.id}`;
  const { url } = request;
  return (
    <section ref={card} class="card waiting-card" tabIndex={-1} aria-labelledby={heading}>
      <h3 id={heading} class="card-title">
        <Icon name="question" />
        <span>{request.message || (questions.length === 1 ? 'A question for you' : 'Questions for you')}</span>
      </h3>
      {url !== undefined && <LinkToReview url={url} />}
      <form
        class="questions"
        noValidate
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          // The buttons are no native submit buttons, so Enter in a field would do nothing by itself.
          if (event.key !== 'Enter' || event.isComposing || !(event.target instanceof HTMLInputElement)) return;
          event.preventDefault();
          finish('accept');
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
            <vscode-button onClick={() => finish('accept')}>{questions.length > 0 ? 'Send answers' : 'Continue'}</vscode-button>
            <vscode-button secondary onClick={() => finish('decline')}>
              Decline
            </vscode-button>
            <vscode-button secondary onClick={() => finish('cancel')}>
              Cancel
            </vscode-button>
          </div>
        )}
      </form>
    </section>
  );
}

/** The URL whole, so that the user sees where it leads before it is opened. */
function LinkToReview({ url }: { url: string }) {
  const opens = /^(https?|mailto|file):/i.test(url);
  return (
    <p class="card-text url-text">
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
