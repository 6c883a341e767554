/** A call that waits for the user: what exactly will happen, and the choices. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ToolCallPendingConfirmationState } from '../../ahp/v1/toolCall.ts';
import { inlineText, plainText } from '../../views/session/inlineText.ts';
import { toolCallView } from '../../views/session/toolCallView.ts';
import { confirm, confirmationChoices, type ConfirmationChoice } from '../../views/session/waiting.ts';
import { CodeText } from './CodeText.tsx';
import { DenyForm } from './DenyForm.tsx';
import { EditPreview } from './EditPreview.tsx';
import { Fold } from './Fold.tsx';
import { dispatch } from './gestures.ts';
import { Icon } from './Icon.tsx';
import { InlineText } from './InlineText.tsx';
import type { RejectedMessage } from './protocol.ts';
import { RejectionNote } from './RejectionNote.tsx';
import { useSession } from './sessionContext.tsx';
import { ToolInputText } from './ToolCallRow.tsx';
import { useAnswerOnce } from './useAnswerOnce.ts';
import { useFocusReturn } from './useFocusReturn.ts';

interface WaitingCallCardProps {
  turnId: string;
  call: ToolCallPendingConfirmationState;
  rejection?: RejectedMessage;
}

export function WaitingCallCard({ turnId, call, rejection }: WaitingCallCardProps) {
  const { uri, cards, readOnly } = useSession();
  const card = useRef<HTMLElement>(null);
  const [editedInput, setEditedInput] = useState<string>();
  const [denying, setDenying] = useState(false);
  useFocusReturn(card);
  const first = useAnswerOnce(call, rejection);

  const choices = confirmationChoices(call.options);
  const firstDeny = choices.find((choice) => !choice.approve);
  const answer = (choice: ConfirmationChoice, reason?: string, suggestion?: string) => {
    if (!readOnly && first()) dispatch(confirm(uri, turnId, call, choice, { editedInput, reason, suggestion }));
  };
  // The commands must see the input as it is edited now, so they go through a ref.
  const latest = useRef({ choices, answer });
  latest.current = { choices, answer };
  useEffect(() => {
    const element = card.current;
    if (!element || readOnly) return undefined;
    const take = (approve: boolean) => () => {
      const choice = latest.current.choices.find((candidate) => candidate.approve === approve);
      if (choice) latest.current.answer(choice);
    };
    return cards.add({ element, approve: take(true), deny: take(false) });
  }, [cards, readOnly]);

  const view = toolCallView(call);
  const title = call.confirmationTitle ?? call.displayName;
  const says = plainText(call.invocationMessage);
  // Below in full: once is enough.
  const command = view.input?.command ?? view.input?.rest;
  // The change says what the input means; the input itself would push it out of view.
  const edits = call.edits?.items ?? [];
  const folded = edits.length > 0 ? view.input?.rest : undefined;
  const heading = `waiting-${call.toolCallId}`;
  return (
    <section ref={card} class="card waiting-card" tabIndex={-1} aria-labelledby={heading}>
      <h3 id={heading} class="card-title">
        <Icon name="warning" />
        <span>
          <InlineText segments={inlineText(title)} />
        </span>
      </h3>
      {says !== '' && !plainText(title).includes(says) && !(command && says.includes(command)) && (
        <p class="card-text">
          <InlineText segments={view.summary} />
        </p>
      )}
      {editedInput === undefined ? (
        view.input && <ToolInputText input={folded === undefined ? view.input : { ...view.input, rest: undefined }} />
      ) : (
        <InputEditor text={editedInput} onText={setEditedInput} />
      )}
      {edits.map((edit, index) => (
        <EditPreview key={index} edit={edit} />
      ))}
      {folded !== undefined && editedInput === undefined && (
        <Fold id={`i:${call.toolCallId}`} summary={<span class="row-text">Input of the tool</span>}>
          {() => <CodeText text={folded} label={view.input?.restName ?? 'Input'} judged />}
        </Fold>
      )}
      {rejection && <RejectionNote rejection={rejection} what="Your answer was not taken" />}
      {denying && firstDeny ? (
        <DenyForm onDeny={(reason, suggestion) => answer(firstDeny, reason, suggestion)} onCancel={() => setDenying(false)} />
      ) : (
        !readOnly && (
          <div class="card-buttons">
            {groupsOf(choices).map((group) => (
              <span key={group[0]?.label} class="button-group" role="group">
                {group.map((choice) => (
                  <vscode-button key={choice.optionId ?? choice.label} secondary={!choice.primary} onClick={() => answer(choice)}>
                    {choice.label}
                  </vscode-button>
                ))}
              </span>
            ))}
            <span class="card-links">
              {call.editable && (
                <button
                  type="button"
                  class="link-button"
                  onClick={() => setEditedInput(editedInput === undefined ? (call.toolInput ?? '') : undefined)}
                >
                  {editedInput === undefined ? 'Edit input' : 'Discard edit'}
                </button>
              )}
              <button type="button" class="link-button" onClick={() => setDenying(true)}>
                Deny…
              </button>
            </span>
          </div>
        )
      )}
    </section>
  );
}

function groupsOf(choices: readonly ConfirmationChoice[]): ConfirmationChoice[][] {
  const groups: ConfirmationChoice[][] = [];
  for (const choice of choices) {
    if (choice.startsGroup || groups.length === 0) groups.push([]);
    groups.at(-1)?.push(choice);
  }
  return groups;
}

function InputEditor({ text, onText }: { text: string; onText(text: string): void }) {
  const element = useRef<HTMLTextAreaElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <textarea
      ref={element}
      class="input code-input"
      aria-label="Input of the tool"
      rows={Math.min(16, text.split('\n').length + 1)}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  );
}
