/** A turn: the user's message and the agent's response, in stream order. It is rendered again only when it has changed. */
import { memo } from 'preact/compat';
import { useRef } from 'preact/hooks';
import type { SectionPart } from '../../../ahp/hookRequests.ts';
import type { SessionInputRequest } from '../../../ahp/v1/inputRequest.ts';
import type { CallAnswer, Delivery, TurnDeliveries } from '../../../views/session/composer/deliveries.ts';
import { isInterruption, type Remedy } from '../../../views/session/transcript/turnRemedies.ts';
import { questionKey } from '../../../views/session/waiting/waiting.ts';
import { messageView } from '../../../views/session/transcript/messageView.ts';
import { rowsByPlace, type TimelineRow } from '../../../views/session/transcript/timeline.ts';
import { unknownLabel, type Row, type TurnView } from '../../../views/session/transcript/transcript.ts';
import { CodeText } from '../text/CodeText.tsx';
import { ErrorBoundary } from '../parts/ErrorBoundary.tsx';
import { Fold } from '../parts/Fold.tsx';
import { newId } from '../page/newId.ts';
import { Icon } from '../parts/Icon.tsx';
import { Markdown } from '../text/Markdown.tsx';
import type { RejectedMessage } from '../protocol.ts';
import { QuestionCard } from '../waiting/QuestionCard.tsx';
import { ReasoningRow } from './ReasoningRow.tsx';
import { ChooseModelButton, GiveModelsButton } from './remedyButtons.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { ToolCallRow } from '../toolCall/ToolCallRow.tsx';
import { ResourceRow } from '../toolCall/ToolContent.tsx';
import { rejectionOf } from './rejectionOf.ts';
import { SubagentCards } from './SubagentCards.tsx';
import { TimelineRows } from './TimelineRows.tsx';
import { UserMessageCard } from './UserMessageCard.tsx';
import { WaitingCallCard } from '../waiting/WaitingCallCard.tsx';
import { WaitingResultCard } from '../waiting/WaitingResultCard.tsx';

interface TurnRowProps {
  turn: TurnView;
  /** What providers added to its system message. */
  sections: readonly SectionPart[];
  /** What providers said in the course of it. */
  timeline: readonly TimelineRow[];
  deliveries: TurnDeliveries | undefined;
  /** It was stopped while the host was away, because the host ended or by another client. */
  stoppedAway: boolean;
  /** For the active turn only. */
  requests: readonly SessionInputRequest[];
  /** For the last turn, if it failed. */
  remedies: readonly Remedy[];
  rejections: readonly RejectedMessage[];
}

export const TurnRow = memo(function TurnRow({
  turn,
  sections,
  timeline,
  deliveries,
  stoppedAway,
  requests,
  remedies,
  rejections,
}: TurnRowProps) {
  const { away, uri } = useSession();
  const delivery = deliveries?.start ?? 'sent';
  const places = useRef(new Map<string, number>());
  for (const request of requests) {
    // A question stands after the parts that came before it. Later parts come below it.
    if (!places.current.has(request.id)) places.current.set(request.id, turn.rows.length);
  }
  const requestsAt = (index: number) =>
    requests
      .filter((request) => places.current.get(request.id) === index)
      .map((request) => (
        <ErrorBoundary key={`q:${questionKey(request)}`} what="question" of={request}>
          <QuestionCard request={request} rejection={rejectionOf(rejections, uri, 'requestId', request.id)} />
        </ErrorBoundary>
      ));
  const said = rowsByPlace(
    timeline,
    turn.rows.map((row) => (row.kind === 'toolCall' ? row.call.toolCallId : undefined)),
  );
  const saidAt = (index: number) => {
    const rows = said.get(index);
    return rows && <TimelineRows rows={rows} />;
  };
  return (
    <article class="turn" data-turn={turn.id} aria-label="Turn">
      <UserMessageCard turnId={turn.id} message={turn.userMessage} sections={sections} delivery={delivery} />
      {turn.rows.map((row, index) => (
        <div key={row.key} class="turn-part">
          {saidAt(index)}
          {requestsAt(index)}
          <ErrorBoundary what="part" of={row}>
            <RowView row={row} turnId={turn.id} answers={deliveries?.answers} rejections={rejections} />
          </ErrorBoundary>
        </div>
      ))}
      {saidAt(turn.rows.length)}
      {requestsAt(turn.rows.length)}
      {turn.state === 'running' && turn.rows.length === 0 && requests.length === 0 && delivery === 'sent' && (
        <div class="row hint">
          <Icon name="loading" />
          <span>{away ? 'Waiting for the host' : 'Working'}</span>
        </div>
      )}
      <TurnEnd turn={turn} stop={stoppedAway ? 'away' : (deliveries?.stop ?? 'sent')} remedies={remedies} />
      {saidAt(turn.rows.length + 1)}
    </article>
  );
});

const stopping: Record<Delivery | 'away', string> = {
  away: 'Stopped while the host was away',
  sent: 'Stopped',
  sending: 'Stopping',
  held: 'Will be stopped when the host is back',
  unanswered: 'Asked to stop. The host has not answered',
};

function TurnEnd({ turn, stop, remedies }: { turn: TurnView; stop: Delivery | 'away'; remedies: readonly Remedy[] }) {
  const { state, error, usage } = turn;
  const { ownHost } = useSession();
  const interrupted = isInterruption(error);
  return (
    <>
      {(state === 'error' || error) && (
        <div class="error-row">
          <div class="row">
            <Icon name={interrupted ? 'debug-disconnect' : 'error'} />
            <span class="row-text">{error?.message || 'The turn failed.'}</span>
          </div>
          {error?.stack && (
            <Fold id={`e:${turn.id}`} summary={<span class="row-text">Details</span>}>
              {() => <CodeText text={error.stack ?? ''} label="Stack" />}
            </Fold>
          )}
          {remedies.length > 0 && (
            <div class="remedies">
              {remedies.map((remedy, index) => (
                <RemedyButton key={index} remedy={remedy} />
              ))}
            </div>
          )}
        </div>
      )}
      {state === 'cancelled' && <p class="turn-end">{stopping[stop]}</p>}
      {!['running', 'complete', 'cancelled', 'error'].includes(state) && <p class="turn-end">{unknownLabel('end', state)}</p>}
      {/* Other hosts report the usage of the last request to the model, our host that of the whole turn. */}
      {usage !== undefined && state !== 'running' && <p class="turn-end usage">{ownHost ? usage : `Last request: ${usage}`}</p>}
    </>
  );
}

function RemedyButton({ remedy }: { remedy: Remedy }) {
  const { uri, dispatch } = useSession();
  if (remedy.kind === 'giveModels') return <GiveModelsButton source={remedy.source} />;
  if (remedy.kind === 'chooseModel') return <ChooseModelButton />;
  const { label, userMessage } = remedy;
  return (
    <button
      type="button"
      class="link-button"
      title={`Sends: ${messageView(userMessage.text).words}`}
      onClick={() => dispatch({ type: 'session/turnStarted', session: uri, turnId: newId(), userMessage })}
    >
      {label}
    </button>
  );
}

interface RowViewProps {
  row: Row;
  turnId: string;
  answers: ReadonlyMap<string, CallAnswer> | undefined;
  rejections: readonly RejectedMessage[];
}

function RowView({ row, turnId, answers, rejections }: RowViewProps) {
  const { uri } = useSession();
  switch (row.kind) {
    case 'markdown':
      return <Markdown text={row.text} />;
    case 'reasoning':
      return <ReasoningRow row={row} />;
    case 'resource':
      return <ResourceRow resource={row.resource} />;
    case 'unknown':
      return (
        <Fold id={`${turnId} ${row.key}`} summary={<span class="row-text">{row.label}</span>}>
          {() => <CodeText text={row.json} label="JSON" />}
        </Fold>
      );
    case 'toolCall': {
      const { call } = row;
      const rejection = rejectionOf(rejections, uri, 'toolCallId', call.toolCallId);
      // A call that asks again with another input gets a new card: what was seen and typed belongs to the first.
      const key = JSON.stringify(call);
      if (call.status === 'pending-confirmation') return <WaitingCallCard key={key} turnId={turnId} call={call} rejection={rejection} />;
      if (call.status === 'pending-result-confirmation')
        return <WaitingResultCard key={key} turnId={turnId} call={call} rejection={rejection} />;
      return (
        <>
          <ToolCallRow turnId={turnId} call={call} answer={answers?.get(call.toolCallId)} rejection={rejection} />
          <SubagentCards call={call} rejections={rejections} />
        </>
      );
    }
  }
}
