/** What the user has typed in a chat that is gone. It stays until they say what becomes of it. */
import * as l10n from '../../../base/l10n.ts';
import { useState } from 'preact/hooks';
import { oneLine } from '../../../views/text/oneLine.ts';
import { draftOf, emptyDraft, isEmpty, saveDraft } from '../drafts/chatDrafts.ts';
import { useSession } from '../page/sessionContext.tsx';
import { post } from '../page/pageShell.ts';
import { AttachmentChips } from '../parts/AttachmentChips.tsx';
import { Icon } from '../parts/Icon.tsx';
import type { Draft } from '../protocol.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import { filled } from '../../text/filled.ts';

export function LooseDraft({ onUse }: { onUse(draft: Draft): void }) {
  const { hostId, uri, chat } = useSession();
  const [, redraw] = useState(0);
  const session = { hostId, uri };
  const draft = draftOf(session);
  // In AHP v1, and before the chats are known, the draft of the session is that of the composer.
  if (chat === uri || isEmpty(draft)) return null;
  const discard = () => {
    saveDraft(session, emptyDraft);
    redraw((count) => count + 1);
  };
  return (
    <div class="note" role="status">
      <Icon name="edit" />
      <span class="row-text">
        {filled(
          l10n.t('You wrote this in a chat that was removed: {0}'),
          <VisibleText text={oneLine(draft.text, 200) || l10n.t('files')} prose />,
        )}
        {draft.attachments.length > 0 && <AttachmentChips attachments={draft.attachments} />}
      </span>
      <span class="remedies">
        <button
          type="button"
          class="link-button"
          onClick={() => {
            onUse(draft);
            discard();
          }}
        >
          {l10n.t('Use it here')}
        </button>
        <button type="button" class="link-button" onClick={() => post({ type: 'copy', text: draft.text })}>
          {l10n.t('Copy')}
        </button>
        <button type="button" class="link-button" onClick={discard}>
          {l10n.t('Discard')}
        </button>
      </span>
    </div>
  );
}
