/** What waits in the chat of a subagent, below the row of the call that started it. It is answered here, in the subagent's chat. */
import { useMemo } from 'preact/hooks';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { ToolResultSubagentContent } from '../../../ahp/common/tools.ts';
import { folderOf } from '../../../views/session/openChat.ts';
import { answerText, turnDeliveries } from '../../../views/session/composer/deliveries.ts';
import { waitingCallKey, questionKey, waitingOf } from '../../../views/session/waiting/waiting.ts';
import { ErrorBoundary } from '../parts/ErrorBoundary.tsx';
import { askedOf, resourceModel } from '../page/resourceViews.ts';
import { SessionContext, useSession, useWatched } from '../page/sessionContext.tsx';
import type { RejectedMessage } from '../protocol.ts';
import { SubagentRow } from '../toolCall/SubagentRow.tsx';
import { QuestionCard } from '../waiting/questions/QuestionCard.tsx';
import { SignInCard } from '../waiting/SignInCard.tsx';
import { WaitingCallCard } from '../waiting/WaitingCallCard.tsx';
import { WaitingResultCard } from '../waiting/WaitingResultCard.tsx';
import { rejectionOf } from './rejectionOf.ts';

interface SubagentCardsProps {
  call: ToolCallState;
  rejections: readonly RejectedMessage[];
}

export function SubagentCards({ call, rejections }: SubagentCardsProps) {
  const { chat, above = [], holds } = useSession();
  if (call.status !== 'running') return null;
  // A host may name any resource there, also this chat or one above. Only what lies below is answered here.
  const isBelow = (uri: string) => holds(uri) && uri !== chat && !above.includes(uri);
  const subagents = (call.content ?? []).filter((content) => content.type === 'subagent' && isBelow(content.resource));
  return (subagents as ToolResultSubagentContent[]).map(({ resource }) => (
    <CardsOf key={resource} chat={resource} rejections={rejections} />
  ));
}

function CardsOf({ chat, rejections }: { chat: string; rejections: readonly RejectedMessage[] }) {
  const outer = useSession();
  const view = useWatched(chat, 'chat');
  const state = resourceModel('chat', view);
  const workingDirectory = state && folderOf(state);
  const context = useMemo(
    () => ({
      ...outer,
      chat,
      above: [...(outer.above ?? []), outer.chat],
      workingDirectory: workingDirectory ?? outer.workingDirectory,
      // The window knows which provider runs a call of the shown session. A call of a subagent with the same ids is another call.
      knownCalls: { ...outer.knownCalls, calls: new Map() },
    }),
    [outer, chat, workingDirectory],
  );
  if (!state) return null;
  const onTheirWay = [...turnDeliveries(askedOf(view), outer.away).values()].flatMap(({ answers }) => [...answers]);
  return (
    <SessionContext.Provider value={context}>
      <div class="subagent-cards">
        {waitingOf(state).map((one) => {
          if (one.kind === 'question') {
            const { request } = one;
            return (
              <ErrorBoundary key={`q:${questionKey(request)}`} what="question" of={request}>
                <QuestionCard request={request} rejection={rejectionOf(rejections, chat, { requestId: request.id })} />
              </ErrorBoundary>
            );
          }
          const { turnId, call } = one;
          const rejection = rejectionOf(rejections, chat, { turnId, toolCallId: call.toolCallId });
          return (
            // A call that asks again with another input gets a new card: what was seen and typed belongs to the first.
            <ErrorBoundary key={waitingCallKey(call)} what="call" of={call}>
              {one.kind === 'call' && <WaitingCallCard turnId={turnId} call={one.call} rejection={rejection} />}
              {one.kind === 'result' && <WaitingResultCard turnId={turnId} call={one.call} rejection={rejection} />}
              {one.kind === 'signIn' && <SignInCard turnId={turnId} call={one.call} />}
            </ErrorBoundary>
          );
        })}
        {onTheirWay.map(([callId, answer]) => (
          <p key={callId} class="row hint" role="status">
            {answerText(answer)}
          </p>
        ))}
        {(state.activeTurn?.responseParts ?? []).map((part) => {
          if (part.kind !== 'toolCall' || part.toolCall.status !== 'running') return null;
          const started = (part.toolCall.content ?? []).filter((content) => content.type === 'subagent');
          return (
            <div key={part.toolCall.toolCallId}>
              {(started as ToolResultSubagentContent[]).map((content) => (
                <SubagentRow key={content.resource} content={content} live />
              ))}
              <SubagentCards call={part.toolCall} rejections={rejections} />
            </div>
          );
        })}
      </div>
    </SessionContext.Provider>
  );
}
