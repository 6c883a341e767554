/** The card of a call that waits for approval: exactly what will happen, and the choices. */
import * as l10n from '../../../base/l10n.ts';
import { useState } from 'preact/hooks';
import type { ToolCallPendingConfirmationState } from '../../../ahp/channels/shapes/toolCall.ts';
import { isShownByEdits, type ReadEdit } from '../../../views/session/toolCall/editInput.ts';
import { sizeText } from '../../../views/text/excerpt.ts';
import { inlineText, plainText } from '../../../views/text/inlineText.ts';
import { filled } from '../../text/filled.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import { runnerOf } from '../../../views/session/toolCall/callProvider.ts';
import { inputRef, toolCallView } from '../../../views/session/toolCall/toolCallView.ts';
import {
  cardName,
  choicesFor,
  confirm,
  namesOnly,
  refusedAnswer,
  saysOnly,
  type ConfirmationChoice,
} from '../../../views/session/waiting/waiting.ts';
import { CodeText, copyText } from '../text/CodeText.tsx';
import { CardButtons } from './CardButtons.tsx';
import { ChoiceButtons } from './ChoiceButtons.tsx';
import { DenyForm } from './DenyForm.tsx';
import { EditPreview } from '../toolCall/EditPreview.tsx';
import { Fold } from '../parts/Fold.tsx';
import { Icon } from '../parts/Icon.tsx';
import { InlineText } from '../text/InlineText.tsx';
import type { RejectedMessage } from '../protocol.ts';
import { RejectionNote } from '../parts/RejectionNote.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { ToolInputText } from '../toolCall/ToolCallRow.tsx';
import { ResourceRow } from '../toolCall/ToolContent.tsx';
import { GrowingField } from '../text/textFields.tsx';
import { useAnswerOnce } from './useAnswerOnce.ts';
import { WaitingCard } from './WaitingCard.tsx';

interface WaitingCallCardProps {
  turnId: string;
  call: ToolCallPendingConfirmationState;
  rejection?: RejectedMessage;
}

export function WaitingCallCard({ turnId, call, rejection }: WaitingCallCardProps) {
  const { chat, cards, readOnly, workingDirectory, knownCalls, dispatch } = useSession();
  // The card is a new one after a refusal.
  const [refused] = useState(() => refusedAnswer(call, rejection?.action));
  const [editedInput, setEditedInput] = useState(refused?.editedInput);
  const [denying, setDenying] = useState(refused?.said !== undefined);
  const first = useAnswerOnce(call, rejection);

  const choices = choicesFor(call);
  const ref = inputRef(call);
  const inline = typeof call.toolInput === 'string' ? call.toolInput : '';
  const firstApprove = choices.find((choice) => choice.approve);
  const firstDeny = choices.find((choice) => !choice.approve);
  const answer = (choice: ConfirmationChoice | undefined, reason?: string, suggestion?: string) => {
    if (!choice || readOnly || !first()) return;
    cards.hasAnswered(turnId);
    dispatch(chat, confirm(turnId, call, choice, { editedInput, reason, suggestion }));
  };

  const runner = runnerOf(knownCalls, turnId, call);
  const view = toolCallView(call);
  const title = call.confirmationTitle ?? call.displayName;
  const says = plainText(call.invocationMessage);
  // The preview of the change shows what the input means. The input would push it out of view.
  const edits = call.edits?.items ?? [];
  const folded = edits.length > 0 ? view.input?.rest : undefined;
  const [read, setRead] = useState<readonly ReadEdit[]>([]);
  // The input of a program is never that of an edit, whatever it looks like.
  const isShown = call._meta?.toolKind !== 'typing' && isShownByEdits(inline, read, workingDirectory);
  return (
    <WaitingCard
      kind="call"
      name={cardName({ kind: 'call', turnId, call })}
      turn={turnId}
      icon="warning"
      title={title}
      runner={runner}
      answers={{ approve: () => answer(firstApprove), deny: () => answer(firstDeny) }}
      isDenying={denying}
      foot={(agree) =>
        denying && firstDeny ? (
          <DenyForm
            {...(refused?.said && { said: refused.said })}
            onDeny={(reason, suggestion) => answer(firstDeny, reason, suggestion)}
            onCancel={() => setDenying(false)}
          />
        ) : (
          !readOnly && (
            <CardButtons>
              <ChoiceButtons choices={choices} agree={agree} onChoice={answer} onDenyWithReason={() => setDenying(true)} />
              {call.editable && !ref && (
                <button
                  type="button"
                  class="icon-button"
                  aria-label={editedInput === undefined ? l10n.t('Edit input') : l10n.t('Discard edit')}
                  title={editedInput === undefined ? l10n.t('Edit input') : l10n.t('Discard edit')}
                  onClick={() => setEditedInput(editedInput === undefined ? inline : undefined)}
                >
                  <Icon name={editedInput === undefined ? 'edit' : 'discard'} />
                </button>
              )}
            </CardButtons>
          )
        )
      }
    >
      {() => (
        <>
          {call.intention && (
            <p class="card-text" data-judged>
              {filled(l10n.t('The agent says why: {0}'), <VisibleText text={call.intention} prose />)}
            </p>
          )}
          <Risk risk={call.riskAssessment} />
          {says !== '' &&
            says !== call.intention?.trim() &&
            !plainText(title).includes(says) &&
            !namesOnly(says, edits) &&
            !(view.input && saysOnly(says, view.input)) && (
              <p class="card-text" data-judged>
                <InlineText segments={view.summary} />
              </p>
            )}
          {editedInput === undefined ? (
            view.input && (
              <ToolInputText input={folded === undefined ? view.input : { ...view.input, rest: undefined }} tool={call.toolName} />
            )
          ) : (
            <GrowingField
              class="input code-input"
              aria-label={l10n.t('Input of the tool')}
              data-judged
              text={editedInput}
              takesFocus={refused?.editedInput === undefined}
              onText={setEditedInput}
              onCopy={copyText}
            />
          )}
          {edits.length > 0 && editedInput !== undefined && editedInput !== call.toolInput ? (
            <p class="hint" data-judged>
              {l10n.t('You have edited the input, so what this changes is not known before it runs.')}
            </p>
          ) : (
            edits.map((edit, index) => (
              <EditPreview key={index} edit={edit} title={plainText(title)} onRead={(one) => setRead((others) => [...others, one])} />
            ))
          )}
          {folded !== undefined && editedInput === undefined && (
            <Fold
              id={`i:${call.toolCallId}`}
              hides={!isShown}
              summary={<span class="row-text">{l10n.t`Input of the tool: ${sizeText(folded.split('\n'))}`}</span>}
            >
              {() => <CodeText text={folded} label={view.input?.restName ?? l10n.t('Input')} />}
            </Fold>
          )}
          {ref && (
            <>
              <ResourceRow resource={ref} />
              <p class="hint">
                {l10n.t('The host does not send the input of this call with it, so it cannot be approved here. It can be denied.')}
              </p>
            </>
          )}
          <WaitingChecks />
          {rejection && <RejectionNote rejection={rejection} what={l10n.t('Your answer was not accepted')} />}
        </>
      )}
    </WaitingCard>
  );
}

/** Rules of programs that are not in force, so nobody has asked them about this call. */
function WaitingChecks() {
  const { waitingChecks = 0, post } = useSession();
  if (waitingChecks === 0) return null;
  const programs = l10n.countText(waitingChecks);
  return (
    <p class="hint">
      {l10n.plural(waitingChecks, l10n.t`${programs} program wants to check calls:`, l10n.t`${programs} programs want to check calls:`)}{' '}
      <button type="button" class="link-button" onClick={() => post({ type: 'runCommand', command: 'answerConsent' })}>
        {l10n.t('Review')}
      </button>
    </p>
  );
}

/** What a judge of the host thinks of the call. It decides nothing. */
function Risk({ risk }: { risk: ToolCallPendingConfirmationState['riskAssessment'] }) {
  if (risk?.status === 'loading') return <p class="hint">{l10n.t('The host is judging the risk of this call.')}</p>;
  if (risk?.status !== 'complete' || !('reason' in risk)) return null;
  return (
    <p class="card-text" data-judged>
      {filled(
        l10n.t('The host judges the risk (safety {0}): {1}'),
        l10n.countText(risk.safety),
        <InlineText segments={inlineText(risk.reason)} />,
      )}
    </p>
  );
}
