/** The questions of an agent as a form, in any page: says what is wrong with an answer, and sends them all once they are right. */
import * as l10n from '../../../../base/l10n.ts';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { InputAnswer, InputQuestion, InputRequest } from '../../../../ahp/common/inputRequest.ts';
import { sameJson } from '../../../../base/sameJson.ts';
import { emptyField, fieldAt, problemOf, submission, type Field, type Fields } from '../../../../views/session/waiting/questionForm.ts';
import { isPlainEnter } from '../../answering/accidentalInput.ts';
import { VisibleText } from '../../text/VisibleText.tsx';
import { CardButtons } from '../CardButtons.tsx';
import type { Agreement } from '../CardFrame.tsx';
import { QuestionControl } from './QuestionControl.tsx';

/** By the ids of questions, in words for the user. */
export type Problems = ReadonlyMap<string, string>;

interface QuestionFormProps {
  /** Distinguishes the element ids of several forms. */
  formId: string;
  request: InputRequest;
  fields: Fields;
  /** Questions that another window has answered otherwise. */
  contested?: ReadonlySet<string>;
  agree: Agreement;
  readOnly?: boolean;
  /** Why the answers were refused. */
  refused?: Problems;
  /** Below the questions. */
  note?: ComponentChildren;
  /** The addresses that the page can open. */
  opens(url: string): boolean;
  onOpen(url: string): void;
  onCopy(text: string): void;
  onChange(question: InputQuestion, field: Field): void;
  /** Shows the answer of the other window. */
  onAdopt?(questionId: string): void;
  /** All of the form has been in view, and the answers are valid. */
  onAccept(answers: Record<string, InputAnswer>): void;
  onRefuse(response: 'decline' | 'cancel'): void;
}

export function QuestionForm(props: QuestionFormProps) {
  const {
    formId,
    request,
    fields,
    contested,
    agree,
    readOnly = false,
    refused,
    note,
    opens,
    onOpen,
    onCopy,
    onChange,
    onAdopt,
    onAccept,
    onRefuse,
  } = props;
  const formElement = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Problems>(new Map());
  const goTo = (wrong: Problems) => {
    setProblems(wrong);
    const [first = ''] = wrong.keys();
    formElement.current?.querySelector<HTMLElement>(`[data-question="${CSS.escape(first)}"] :is(input, textarea)`)?.focus();
  };
  useLayoutEffect(() => {
    if (refused) goTo(refused);
  }, [refused]);

  const check = (question: InputQuestion, { relatedTarget }: FocusEvent) => {
    // The user may be about to click a button that checks everything. A new line would move the button away from the pointer.
    if (relatedTarget instanceof Element && relatedTarget.closest('.card-buttons')) return;
    const field = fieldAt(fields, question);
    // An empty answer is wrong only when the form is sent.
    const problem = sameJson(field, emptyField) ? undefined : problemOf(question, field);
    if (problem !== undefined) setProblems(new Map(problems).set(question.id, problem));
  };
  const accept = () => {
    const result = submission(request, fields);
    if (result.kind === 'problems') goTo(result.problems);
    else agree.to(() => onAccept(result.answers));
  };

  const questions = request.questions ?? [];
  const { url } = request;
  return (
    <>
      {url !== undefined && <LinkToReview url={url} opens={opens(url)} onOpen={() => onOpen(url)} />}
      <form
        ref={formElement}
        class="questions"
        noValidate
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          // The key of a button may have moved the focus into a text, which must not get a new line by it.
          if (event.key === 'Enter' && event.target instanceof Element && event.target.matches('vscode-button')) event.preventDefault();
          // The buttons are not native submit buttons, so Enter in a field does nothing by itself.
          if (!isPlainEnter(event)) return;
          event.preventDefault();
          accept();
        }}
      >
        {questions.map((question) => (
          <QuestionControl
            key={question.id}
            formId={formId}
            question={question}
            titled={questions.length > 1 || question.message !== request.message}
            field={fieldAt(fields, question)}
            problem={problems.get(question.id)}
            disabled={readOnly}
            onChange={(field) => {
              if (problems.has(question.id)) setProblems(without(problems, question.id));
              onChange(question, field);
            }}
            onLeave={(event) => check(question, event)}
            onCopy={onCopy}
            {...(contested?.has(question.id) && { onAdopt: () => onAdopt?.(question.id) })}
          />
        ))}
        {note}
        {!readOnly && (
          <CardButtons>
            <vscode-button onClick={accept}>{questions.length > 0 ? l10n.t('Send answers') : l10n.t('Continue')}</vscode-button>
            <vscode-button secondary onClick={() => onRefuse('decline')}>
              {l10n.t('Decline')}
            </vscode-button>
            <vscode-button secondary onClick={() => onRefuse('cancel')}>
              {l10n.t('Cancel')}
            </vscode-button>
          </CardButtons>
        )}
      </form>
    </>
  );
}

/** Shows the whole URL, so that the user sees where it leads before opening it. */
function LinkToReview({ url, opens, onOpen }: { url: string; opens: boolean; onOpen(): void }) {
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

function without(map: Problems, key: string): Problems {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
