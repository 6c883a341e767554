/** A turn: the user's message and the agent's response, in stream order. It is rendered again only when it has changed. */
import * as l10n from '../../../base/l10n.ts';
import { memo } from 'preact/compat';
import { useRef } from 'preact/hooks';
import type { SectionPart } from '../../../ahp/hookRequests.ts';
import type { CallAnswer, Delivery, TurnDeliveries } from '../../../views/session/composer/deliveries.ts';
import { MAKING } from '../../../views/session/chats.ts';
import { isInterruption, type Remedy } from '../../../views/session/transcript/turnRemedies.ts';
import { startTurn } from '../../../views/session/composer/composer.ts';
import { waitingCallKey, questionKey } from '../../../views/session/waiting/waiting.ts';
import { messageView } from '../../../views/session/transcript/messageView.ts';
import { rowsByPlace, type TimelineRow } from '../../../views/session/transcript/timelineRows.ts';
import { inRuns, oneByOne, type RowGroup } from '../../../views/session/toolCall/readRuns.ts';
import { isOpenCall, rowsOf } from '../../../views/session/toolCall/partsWindow.ts';
import { turnFiles } from '../../../views/session/transcript/turnFiles.ts';
import { turnFacts } from '../../../views/session/transcript/turnFacts.ts';
import { answerOf, unknownLabel, type Row, type TurnView } from '../../../views/session/transcript/transcript.ts';
import { inlineText } from '../../../views/text/inlineText.ts';
import { InlineText } from '../text/InlineText.tsx';
import { CodeText, copyText } from '../text/CodeText.tsx';
import { ErrorBoundary } from '../parts/ErrorBoundary.tsx';
import { Fold } from '../parts/Fold.tsx';
import { newId } from '../page/newId.ts';
import { Icon } from '../parts/Icon.tsx';
import { Markdown } from '../text/Markdown.tsx';
import type { RejectedMessage } from '../protocol.ts';
import { QuestionCard } from '../waiting/questions/QuestionCard.tsx';
import { AnsweredQuestion } from './AnsweredQuestion.tsx';
import { ContradictedClaims } from './ContradictedClaims.tsx';
import { type Following, PartsWindow } from './PartsWindow.tsx';
import { ReasoningRow } from './ReasoningRow.tsx';
import { ChooseModelButton, GiveModelsButton } from './remedyButtons.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { ReadRun } from '../toolCall/ReadRun.tsx';
import { ToolCallRow } from '../toolCall/ToolCallRow.tsx';
import { ResourceRow } from '../toolCall/ToolContent.tsx';
import { rejectionOf } from './rejectionOf.ts';
import { SubagentCards } from './SubagentCards.tsx';
import { TimelineRows } from './TimelineRows.tsx';
import { UserMessageCard } from './UserMessageCard.tsx';
import { SignInCard } from '../waiting/SignInCard.tsx';
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
  /** For the last turn, if it failed. */
  remedies: readonly Remedy[];
  rejections: readonly RejectedMessage[];
  /** The model that it had, by its name. */
  modelName: string | undefined;
  /** Stays the same object. */
  following: Following;
}

export const TurnRow = memo(function TurnRow({
  turn,
  sections,
  timeline,
  deliveries,
  stoppedAway,
  remedies,
  rejections,
  modelName,
  following,
}: TurnRowProps) {
  const { away, chat } = useSession();
  const delivery = deliveries?.start ?? 'sent';
  const places = useRef(new Map<string, number>());
  const questions = turn.rows.filter((row) => row.kind === 'question');
  const rows = turn.rows.filter((row) => row.kind !== 'question');
  for (const { key } of questions) {
    // A question stands after the parts that came before it. AHP v1 does not say which, so what this page saw first counts.
    if (!places.current.has(key)) places.current.set(key, placeOf(turn, key));
  }
  const requestsAt = (index: number) =>
    questions
      .filter(({ key }) => places.current.get(key) === index)
      .map(({ request, response }) => (
        <ErrorBoundary key={`q:${questionKey(request)}`} what="question" of={request}>
          {response === undefined ? (
            <QuestionCard request={request} rejection={rejectionOf(rejections, chat, { requestId: request.id })} />
          ) : (
            <AnsweredQuestion request={request} response={response} />
          )}
        </ErrorBoundary>
      ));
  const said = rowsByPlace(
    timeline,
    rows.map((row) => (row.kind === 'toolCall' ? row.call.toolCallId : undefined)),
  );
  const saidAt = (index: number) => {
    const rows = said.get(index);
    return rows && <TimelineRows rows={rows} />;
  };
  const part = (row: Exclude<Row, { kind: 'question' }>) => (
    <div key={row.key} class="turn-part" data-part={row.key}>
      <ErrorBoundary what="part" of={row}>
        <RowView row={row} turnId={turn.id} answers={deliveries?.answers} rejections={rejections} />
      </ErrorBoundary>
    </div>
  );
  const stays = (group: RowGroup<Row>) =>
    questions.some(({ key, response }) => response === undefined && places.current.get(key) === group.at) ||
    rowsOf(group).some((row) => {
      if (row.kind !== 'toolCall') return false;
      const { call } = row;
      const { toolCallId } = call;
      return (
        isOpenCall(call, turn.state) ||
        deliveries?.answers.has(toolCallId) ||
        rejectionOf(rejections, chat, { turnId: turn.id, toolCallId })
      );
    });
  return (
    <article class="turn" data-turn={turn.id} aria-label={l10n.t('Turn')}>
      <UserMessageCard turnId={turn.id} message={turn.message} sections={sections} delivery={delivery} />
      <PartsWindow
        groups={inRuns(rows, (at) => said.has(at) || questions.some(({ key }) => places.current.get(key) === at))}
        stays={stays}
        following={following}
      >
        {(group) => (
          <>
            {saidAt(group.at)}
            {requestsAt(group.at)}
            {group.kind === 'row' ? (
              part(group.row)
            ) : (
              <ReadRun rows={group.rows}>
                {() => (
                  <PartsWindow groups={oneByOne(group.rows)} following={following}>
                    {(one) => one.kind === 'row' && part(one.row)}
                  </PartsWindow>
                )}
              </ReadRun>
            )}
          </>
        )}
      </PartsWindow>
      {saidAt(rows.length)}
      {requestsAt(rows.length)}
      {turn.state === 'running' && turn.rows.length === 0 && delivery === 'sent' && (
        <div class="row hint">
          <Icon name="loading" />
          <span>{away ? l10n.t('Waiting for the host') : l10n.t('Working')}</span>
        </div>
      )}
      <ContradictedClaims turn={turn} />
      {turn.state !== 'running' && <TurnFiles turn={turn} />}
      {turn.state !== 'running' && <TurnActions turn={turn} />}
      <TurnEnd turn={turn} stop={stoppedAway ? 'away' : (deliveries?.stop ?? 'sent')} remedies={remedies} modelName={modelName} />
      {saidAt(rows.length + 1)}
    </article>
  );
});

/** What it changed in files, in one line. */
function TurnFiles({ turn }: { turn: TurnView }) {
  const { chat, post } = useSession();
  const files = turnFiles(turn);
  if (files === undefined) return null;
  return (
    <p class="turn-end">
      {files}
      <span data-needs="editor">
        {' · '}
        <button
          type="button"
          class="link-button"
          title={l10n.t('Shows all that this turn changed, in one editor')}
          onClick={() => post({ type: 'showTurnChanges', chat, turnId: turn.id })}
        >
          {l10n.t('View all')}
        </button>
      </span>
    </p>
  );
}

/** What can be done with the turn: its answer copied, and chats begun from here, where the host can. */
function TurnActions({ turn }: { turn: TurnView }) {
  const { chat, abilities, readOnly, newChat, isMakingChat } = useSession();
  const turnId = turn.id;
  const answer = answerOf(turn);
  const canBegin = !readOnly && (abilities.fork || abilities.sideChat);
  if (answer === '' && !canBegin) return null;
  const button = (kind: 'fork' | 'sideChat', label: string, title: string) => (
    <button
      type="button"
      class="link-button"
      title={title}
      aria-disabled={isMakingChat}
      // What is selected stays so: a side chat is about it. The button gets the focus all the same.
      onMouseDown={(event) => {
        event.preventDefault();
        event.currentTarget.focus({ preventScroll: true });
      }}
      onClick={() => newChat({ kind, chat, turnId })}
    >
      {label}
    </button>
  );
  return (
    <div class="turn-chats">
      {answer !== '' && (
        <button
          type="button"
          class="link-button"
          title={l10n.t('Copies what the agent wrote in this turn, as Markdown')}
          onClick={() => copyText(answer)}
        >
          {l10n.t('Copy answer')}
        </button>
      )}
      {canBegin &&
        abilities.fork &&
        button('fork', l10n.t('Fork from here'), l10n.t('A new chat that begins with everything up to this turn'))}
      {canBegin &&
        abilities.sideChat &&
        button(
          'sideChat',
          l10n.t('Ask aside'),
          l10n.t('A side chat about this turn, or about what you have selected in it. This chat stays as it is'),
        )}
      {isMakingChat && (
        <span class="hint" aria-hidden="true">
          {MAKING}
        </span>
      )}
    </div>
  );
}

const stopping: Record<Delivery | 'away', string> = {
  away: l10n.t('Stopped while the host was away'),
  sent: l10n.t('Stopped'),
  sending: l10n.t('Stopping'),
  held: l10n.t('Will be stopped when the host is back'),
  unanswered: l10n.t('Asked to stop. The host has not answered'),
};

interface TurnEndProps {
  turn: TurnView;
  stop: Delivery | 'away';
  remedies: readonly Remedy[];
  modelName: string | undefined;
}

function TurnEnd({ turn, stop, remedies, modelName }: TurnEndProps) {
  const { state, error } = turn;
  const { ownHost, store } = useSession();
  const facts = turnFacts(turn, { observedMs: store.times.turnDuration(turn.id), modelName, isOfTurn: ownHost });
  const interrupted = isInterruption(error);
  return (
    <>
      {(state === 'error' || error) && (
        <div class="error-row">
          <div class="row">
            <Icon name={interrupted ? 'debug-disconnect' : 'error'} />
            <span class="row-text">{error?.message || l10n.t('The turn failed.')}</span>
          </div>
          {error?.stack && (
            <Fold id={`e:${turn.id}`} summary={<span class="row-text">{l10n.t('Details')}</span>}>
              {() => <CodeText text={error.stack ?? ''} label={l10n.t('Stack')} />}
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
      {facts !== undefined && <p class="turn-end usage">{facts}</p>}
    </>
  );
}

function RemedyButton({ remedy }: { remedy: Remedy }) {
  const { chat, dispatch } = useSession();
  if (remedy.kind === 'giveModels') return <GiveModelsButton source={remedy.source} />;
  if (remedy.kind === 'chooseModel') return <ChooseModelButton />;
  if (remedy.kind === 'resume') {
    const { turnId } = remedy;
    return (
      <button type="button" class="link-button" onClick={() => dispatch(chat, { type: 'chat/turnResume', turnId })}>
        {l10n.t('Go on with this turn')}
      </button>
    );
  }
  const { label, message } = remedy;
  return (
    <button
      type="button"
      class="link-button"
      title={l10n.t`Sends: ${messageView(message).words}`}
      onClick={() => dispatch(chat, startTurn(newId(), message, new Date().toISOString()))}
    >
      {label}
    </button>
  );
}

interface RowViewProps {
  row: Exclude<Row, { kind: 'question' }>;
  turnId: string;
  answers: ReadonlyMap<string, CallAnswer> | undefined;
  rejections: readonly RejectedMessage[];
}

function RowView({ row, turnId, answers, rejections }: RowViewProps) {
  const { chat } = useSession();
  switch (row.kind) {
    case 'markdown':
      return <Markdown text={row.text} />;
    case 'reasoning':
      return <ReasoningRow row={row} />;
    case 'resource':
      return <ResourceRow resource={row.resource} />;
    case 'notice':
      return (
        <div class="row hint notice" role="note">
          <Icon name="info" />
          <span class="row-text">
            <InlineText segments={inlineText(row.text)} />
          </span>
        </div>
      );
    case 'unknown':
      return (
        <Fold id={`${turnId} ${row.key}`} summary={<span class="row-text">{row.label}</span>}>
          {() => <CodeText text={row.json} label="JSON" />}
        </Fold>
      );
    case 'toolCall': {
      const { call } = row;
      const rejection = rejectionOf(rejections, chat, { turnId, toolCallId: call.toolCallId });
      // A call that asks again with another input gets a new card: what was seen and typed belongs to the first.
      if (call.status === 'pending-confirmation')
        return <WaitingCallCard key={waitingCallKey(call)} turnId={turnId} call={call} rejection={rejection} />;
      if (call.status === 'pending-result-confirmation')
        return <WaitingResultCard key={waitingCallKey(call)} turnId={turnId} call={call} rejection={rejection} />;
      if (call.status === 'auth-required') return <SignInCard key={waitingCallKey(call)} turnId={turnId} call={call} />;
      return (
        <>
          <ToolCallRow turnId={turnId} call={call} answer={answers?.get(call.toolCallId)} rejection={rejection} />
          <SubagentCards call={call} rejections={rejections} />
        </>
      );
    }
  }
}

/** The number of other rows before a question. */
function placeOf({ rows }: TurnView, key: string): number {
  const at = rows.findIndex((row) => row.key === key);
  return rows.slice(0, at).filter(({ kind }) => kind !== 'question').length;
}
