/** Attachments as chips. Those of a draft can be removed. */
import * as l10n from '../../../base/l10n.ts';
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import { type FileAttachment, uriOf } from '../../../views/session/composer/attachments.ts';
import { lentNote } from '../../../views/session/composer/lentFile.ts';
import { displayPath } from '../../../views/text/displayPath.ts';
import { isImage, isMadeSmaller } from '../../../views/session/composer/imageTypes.ts';
import { Icon } from './Icon.tsx';
import { ImageThumb } from './ImageThumb.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

interface AttachmentChipsProps {
  attachments: readonly MessageAttachment[];
  onRemove?: (index: number) => void;
  /** What can be added by its chip. */
  suggested?: FileAttachment | undefined;
  onAdd?: (file: FileAttachment) => void;
}

/** Of one message. A host may name any number of files. */
const MAX_PICTURES = 20;

const icons: Record<string, string> = {
  file: 'file',
  directory: 'folder',
  selection: 'selection',
  chat: 'comment-discussion',
  annotations: 'comment',
};

export function AttachmentChips({ attachments, onRemove, suggested, onAdd }: AttachmentChipsProps) {
  const { post, store, lending } = useSession();
  return (
    <ul class="chips" aria-label={l10n.t('Attachments')}>
      {attachments.map((attachment, index) => {
        const uri = uriOf(attachment);
        const kind = ('displayKind' in attachment && attachment.displayKind) || attachment.type;
        const name = attachment.label || uri?.replace(/\/$/, '').split('/').pop() || uri || attachment.type;
        const icon = (Object.hasOwn(icons, kind) && icons[kind]) || 'link';
        const lent = lentNote(uri ?? '', kind === 'directory', store.state.shown?.hostLabel ?? l10n.t('its host'), lending);
        const sign = index < MAX_PICTURES && isImage(attachment) && !lent ? <ImageThumb image={attachment} /> : <Icon name={icon} />;
        const smaller = isMadeSmaller(attachment) && <span class="chip-lent"> {l10n.t('(made smaller)')}</span>;
        return (
          <li key={uri ?? index} class="chip">
            {uri === undefined ? (
              <span class="chip-name">
                {sign}
                <span>
                  <VisibleText text={name} prose />
                  {smaller}
                </span>
              </span>
            ) : (
              <button
                type="button"
                class="chip-name"
                title={lent?.detail ?? displayPath(uri)}
                onClick={() => post(lent ? { type: 'runCommand', command: 'showLent' } : { type: 'openFile', uri })}
              >
                {sign}
                <span>
                  <VisibleText text={name} prose />
                  {lent && <span class="chip-lent"> ({lent.note})</span>}
                  {smaller}
                </span>
              </button>
            )}
            {onRemove && (
              <button
                type="button"
                class="icon-button"
                aria-label={l10n.t`Remove ${name}`}
                title={l10n.t('Remove')}
                onClick={() => onRemove(index)}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        );
      })}
      {suggested && (
        <li class="chip suggested">
          <button
            type="button"
            class="chip-name"
            aria-label={l10n.t`Add ${suggested.label} to the message`}
            title={l10n.t`Add the file of the editor to the message: ${displayPath(suggested.uri)}`}
            onClick={() => onAdd?.(suggested)}
          >
            <Icon name="add" />
            <span>
              <VisibleText text={suggested.label.slice(suggested.label.lastIndexOf('/') + 1)} prose />
            </span>
          </button>
        </li>
      )}
    </ul>
  );
}
