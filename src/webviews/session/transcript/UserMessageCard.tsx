/** A message that began a turn, with its attachments, what providers added to it, and whether the host has it. */
import * as l10n from '../../../base/l10n.ts';
import { memo } from 'preact/compat';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SectionPart } from '../../../ahp/hookRequests.ts';
import type { Message } from '../../../ahp/channels/shapes/message.ts';
import type { Delivery } from '../../../views/session/composer/deliveries.ts';
import { PROMPT } from '../../../views/session/find/promptKey.ts';
import { MESSAGE_ROOM, messageView } from '../../../views/session/transcript/messageView.ts';
import { excerpt } from '../../../views/text/excerpt.ts';
import { filled } from '../../text/filled.ts';
import { AttachmentChips } from '../parts/AttachmentChips.tsx';
import { Fold } from '../parts/Fold.tsx';
import { Icon } from '../parts/Icon.tsx';
import { useReveal } from '../text/reveal.ts';
import { CodeText } from '../text/CodeText.tsx';
import { ShowAll, useShowAll } from '../text/ShowAll.tsx';
import { VisibleText } from '../text/VisibleText.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { MessageActions } from '../wayBack/MessageActions.tsx';
import { MessageEditor } from '../wayBack/MessageEditor.tsx';
import { SenderName } from './SenderName.tsx';

interface UserMessageCardProps {
  turnId: string;
  message: Message;
  /** What providers added to the system message of the turn. */
  sections: readonly SectionPart[];
  delivery: Delivery;
}

export const UserMessageCard = memo(function UserMessageCard({ turnId, message, sections, delivery }: UserMessageCardProps) {
  const { words, sentBy, added } = messageView(message, sections);
  const { wayBack } = useSession();
  const isEdited = wayBack?.edited === turnId;
  const card = useRef<HTMLDivElement>(null);
  const wasEdited = useRef(isEdited);
  useLayoutEffect(() => {
    // The focus was in the editor, which has gone.
    if (wasEdited.current && !isEdited && document.activeElement === document.body)
      card.current?.querySelector<HTMLElement>('.message-actions > button')?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  return (
    <div ref={card} class={`user-message ${sentBy ? 'provider-message' : ''}`} data-part={PROMPT}>
      {sentBy ? (
        <h2 class="provider-message-head">
          <Icon name="zap" />
          <span>{filled(l10n.t('Sent by {0}, not by you'), <SenderName sentBy={sentBy} />)}</span>
        </h2>
      ) : (
        <h2 class="visually-hidden">{l10n.t('You')}</h2>
      )}
      {added.map(({ label, content }, index) => (
        <Fold
          key={index}
          id={`x:${turnId} ${index}`}
          class="added-context"
          summary={
            <span class="row-text">
              <VisibleText text={label} prose />
            </span>
          }
        >
          {() => <CodeText text={content} label={label} visible />}
        </Fold>
      ))}
      {isEdited && <MessageEditor wayBack={wayBack} hasOthers={(message.attachments ?? []).length > 0} />}
      {words !== '' &&
        !isEdited &&
        (sentBy ? (
          <div class="user-text">
            <VisibleText text={words} />
          </div>
        ) : (
          <Prompt words={words} />
        ))}
      {message.attachments && message.attachments.length > 0 && <AttachmentChips attachments={message.attachments} />}
      <DeliveryNote delivery={delivery} />
      {delivery === 'sent' && !isEdited && <MessageActions turnId={turnId} message={message} />}
    </div>
  );
});

/** Of the user, who knows it: a long one is folded. */
function Prompt({ words }: { words: string }) {
  const { isAll, showAll, part } = useShowAll<HTMLDivElement>();
  const [isRevealed, setRevealed] = useState(false);
  useReveal(part, (key) => key === PROMPT && setRevealed(true));
  const lines = words.split('\n');
  const shown = isAll || isRevealed ? lines : excerpt(lines, MESSAGE_ROOM);
  return (
    <>
      <div ref={part} class="user-text" data-reveals tabIndex={isAll ? -1 : undefined}>
        {shown === lines ? words : `${shown.join('\n')} …`}
      </div>
      {shown !== lines && <ShowAll lines={lines} what={l10n.t('your message')} onClick={showAll} />}
    </>
  );
}

const words: Record<Exclude<Delivery, 'sent'>, string> = {
  sending: l10n.t('sending'),
  held: l10n.t('not sent yet'),
  unanswered: l10n.t('not answered yet'),
};

export function DeliveryNote({ delivery }: { delivery: Delivery }) {
  return delivery === 'sent' ? null : <span class="fact">{words[delivery]}</span>;
}
