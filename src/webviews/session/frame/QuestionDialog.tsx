/** What VS Code asks with a box of its own, in the page, in front of everything else. */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { VisibleText } from '../text/VisibleText.tsx';
import type { PageQuestion } from '../protocol.ts';

/** Until an answer that changes something counts: the click may have been meant for what was there before. */
const UNSETTLED_MS = 500;

/** `onAnswer`: without an index the user has left it. */
export function QuestionDialog({ question, onAnswer }: { question: PageQuestion; onAnswer(index?: number): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isSettled, setSettled] = useState(false);
  // The browser gives the focus back to where it was when the dialog is closed.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), UNSETTLED_MS);
    return () => clearTimeout(timer);
  }, []);
  const leave = (event: Event) => {
    event.preventDefault();
    onAnswer();
  };
  return (
    <dialog
      ref={dialog}
      class="chat-dialog"
      aria-labelledby="question-title"
      {...(question.kind === 'choose' && { 'aria-describedby': 'question-detail' })}
      onCancel={leave}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <p id="question-title" class="question-title" {...(question.kind === 'wait' && { role: 'status' })}>
        <VisibleText text={question.kind === 'wait' ? `${question.title}…` : question.title} prose />
      </p>
      {question.kind === 'choose' && question.detail !== '' && (
        <p id="question-detail" class="detail question-detail">
          <VisibleText text={question.detail} prose />
        </p>
      )}
      <div class="chat-dialog-buttons">
        {question.kind === 'wait' ? (
          <button type="button" autofocus onClick={leave}>
            {l10n.t('Do not wait')}
          </button>
        ) : (
          question.answers.map((answer, index) => (
            // The first changes nothing. Enter takes it.
            <button
              key={index}
              type="button"
              autofocus={index === 0}
              aria-disabled={index > 0 && !isSettled}
              onClick={() => (index === 0 || isSettled) && onAnswer(index)}
            >
              {answer}
            </button>
          ))
        )}
      </div>
    </dialog>
  );
}
