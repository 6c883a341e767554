/** What another client of the chat has typed and not sent, where the composer has something else. */
import * as l10n from '../../../base/l10n.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { AttachmentChips } from '../parts/AttachmentChips.tsx';
import { Icon } from '../parts/Icon.tsx';
import { VisibleText } from '../text/VisibleText.tsx';
import type { OfferedDraft } from './useSharedDraft.ts';
import { filled } from '../../text/filled.ts';

export function SharedDraft({ offered }: { offered: OfferedDraft }) {
  return (
    <div class="note shared-draft">
      <Icon name="edit" />
      <span class="row-text">
        {filled(l10n.t('Another client is writing: {0}'), <VisibleText text={oneLine(offered.words.text, 200) || l10n.t('files')} prose />)}
        {offered.words.attachments.length > 0 && <AttachmentChips attachments={offered.words.attachments} />}
      </span>
      <span class="remedies">
        <button type="button" class="link-button" onClick={offered.use}>
          {l10n.t('Use it')}
        </button>
        <button type="button" class="link-button" onClick={offered.dismiss}>
          {l10n.t('Dismiss')}
        </button>
      </span>
    </div>
  );
}
