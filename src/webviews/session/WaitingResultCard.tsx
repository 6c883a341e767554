/** A call that ran: the user decides whether the model gets its result. */
import { useEffect, useRef } from 'preact/hooks';
import type { ToolCallPendingResultConfirmationState } from '../../ahp/v1/toolCall.ts';
import { toolCallView } from '../../views/session/toolCallView.ts';
import { CodeText } from './CodeText.tsx';
import { FileEditRow } from './FileEditRow.tsx';
import { dispatch } from './gestures.ts';
import { Icon } from './Icon.tsx';
import { InlineText } from './InlineText.tsx';
import type { RejectedMessage } from './protocol.ts';
import { RejectionNote } from './RejectionNote.tsx';
import { useSession } from './sessionContext.tsx';
import { ToolContent } from './ToolContent.tsx';
import { useAnswerOnce } from './useAnswerOnce.ts';
import { useFocusReturn } from './useFocusReturn.ts';

interface WaitingResultCardProps {
  turnId: string;
  call: ToolCallPendingResultConfirmationState;
  rejection?: RejectedMessage;
}

export function WaitingResultCard({ turnId, call, rejection }: WaitingResultCardProps) {
  const { uri, cards, readOnly, store } = useSession();
  const card = useRef<HTMLElement>(null);
  useFocusReturn(card);
  const { toolCallId } = call;
  const first = useAnswerOnce(call, rejection);
  const answer = (approved: boolean) => {
    if (first()) dispatch({ type: 'session/toolCallResultConfirmed', session: uri, turnId, toolCallId, approved });
  };
  const latest = useRef(answer);
  latest.current = answer;
  useEffect(() => {
    const element = card.current;
    if (!element || readOnly) return undefined;
    return cards.add({ element, approve: () => latest.current(true), deny: () => latest.current(false) });
  }, [cards, readOnly]);
  const view = toolCallView(call, store.times.duration(toolCallId));
  const heading = `result-${toolCallId}`;
  return (
    <section ref={card} class="card waiting-card" tabIndex={-1} aria-labelledby={heading}>
      <h3 id={heading} class="card-title">
        <Icon name="warning" />
        <span>Give the result to the model?</span>
      </h3>
      <p class="card-text">
        <InlineText segments={view.summary} /> {view.facts.length > 0 && <span class="fact">{view.facts.join(' · ')}</span>}
      </p>
      {view.content.map((content, index) =>
        content.type === 'fileEdit' ? <FileEditRow key={index} edit={content} /> : <ToolContent key={index} content={content} />,
      )}
      {view.structured !== undefined && <CodeText text={view.structured} label="Result" />}
      {view.error !== undefined && <p class="error-text">{view.error}</p>}
      {rejection && <RejectionNote rejection={rejection} what="Your answer was not taken" />}
      {!readOnly && (
        <div class="card-buttons">
          <vscode-button onClick={() => answer(true)}>Give result</vscode-button>
          <vscode-button secondary onClick={() => answer(false)}>
            Withhold
          </vscode-button>
        </div>
      )}
    </section>
  );
}
