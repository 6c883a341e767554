/** The card of a call that has run. The user decides whether the model gets its result. */
import * as l10n from '../../../base/l10n.ts';
import type { ToolCallPendingResultConfirmationState } from '../../../ahp/channels/shapes/toolCall.ts';
import { runnerOf } from '../../../views/session/toolCall/callProvider.ts';
import { toolCallView } from '../../../views/session/toolCall/toolCallView.ts';
import { cardName } from '../../../views/session/waiting/waiting.ts';
import { CodeText } from '../text/CodeText.tsx';
import { FileEditRow } from '../toolCall/FileEditRow.tsx';
import { InlineText } from '../text/InlineText.tsx';
import type { RejectedMessage } from '../protocol.ts';
import { RejectionNote } from '../parts/RejectionNote.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { ToolContent } from '../toolCall/ToolContent.tsx';
import { CardButtons } from './CardButtons.tsx';
import { useAnswerOnce } from './useAnswerOnce.ts';
import { WaitingCard } from './WaitingCard.tsx';

interface WaitingResultCardProps {
  turnId: string;
  call: ToolCallPendingResultConfirmationState;
  rejection?: RejectedMessage;
}

export function WaitingResultCard({ turnId, call, rejection }: WaitingResultCardProps) {
  const { chat, cards, readOnly, store, knownCalls, dispatch } = useSession();
  const { toolCallId } = call;
  const first = useAnswerOnce(call, rejection);
  const answer = (approved: boolean) => {
    if (!first()) return;
    cards.hasAnswered(turnId);
    dispatch(chat, { type: 'chat/toolCallResultConfirmed', turnId, toolCallId, approved });
  };
  const view = toolCallView(call, store.times.duration(toolCallId));
  return (
    <WaitingCard
      kind="result"
      name={cardName({ kind: 'result', turnId, call })}
      turn={turnId}
      icon="warning"
      title={l10n.t('Give the result to the model?')}
      runner={runnerOf(knownCalls, turnId, call)}
      answers={{ approve: () => answer(true), deny: () => answer(false) }}
      foot={(agree) =>
        !readOnly && (
          <CardButtons>
            <vscode-button {...agree.button} onClick={() => agree.to(() => answer(true))}>
              {l10n.t('Give result')}
            </vscode-button>
            <vscode-button secondary onClick={() => answer(false)}>
              {l10n.t('Withhold')}
            </vscode-button>
          </CardButtons>
        )
      }
    >
      {() => (
        <>
          <p class="card-text" data-judged>
            <InlineText segments={view.summary} /> {view.facts.length > 0 && <span class="fact">{view.facts.join(' · ')}</span>}
          </p>
          {view.content.map((content, index) =>
            content.type === 'fileEdit' ? <FileEditRow key={index} edit={content} /> : <ToolContent key={index} content={content} />,
          )}
          {view.structured !== undefined && <CodeText text={view.structured} label={l10n.t('Result')} language="json" />}
          {view.error !== undefined && <CodeText text={view.error} label={l10n.t('Error')} />}
          {rejection && <RejectionNote rejection={rejection} what={l10n.t('Your answer was not accepted')} />}
        </>
      )}
    </WaitingCard>
  );
}
