/** Attachments as chips. Those of a draft can be removed. */
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import { uriOf } from '../../../views/session/composer/attachments.ts';
import { displayPath } from '../../../views/text/displayPath.ts';
import { Icon } from './Icon.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

interface AttachmentChipsProps {
  attachments: readonly MessageAttachment[];
  onRemove?: (index: number) => void;
}

const icons: Record<string, string> = {
  file: 'file',
  directory: 'folder',
  selection: 'selection',
  chat: 'comment-discussion',
  annotations: 'comment',
};

export function AttachmentChips({ attachments, onRemove }: AttachmentChipsProps) {
  const { post } = useSession();
  return (
    <ul class="chips" aria-label="Attachments">
      {attachments.map((attachment, index) => {
        const uri = uriOf(attachment);
        const kind = ('displayKind' in attachment && attachment.displayKind) || attachment.type;
        const name = attachment.label || uri?.replace(/\/$/, '').split('/').pop() || uri || attachment.type;
        const icon = (Object.hasOwn(icons, kind) && icons[kind]) || 'link';
        return (
          <li key={uri ?? index} class="chip">
            {uri === undefined ? (
              <span class="chip-name">
                <Icon name={icon} />
                <span>
                  <VisibleText text={name} prose />
                </span>
              </span>
            ) : (
              <button type="button" class="chip-name" title={displayPath(uri)} onClick={() => post({ type: 'openFile', uri })}>
                <Icon name={icon} />
                <span>
                  <VisibleText text={name} prose />
                </span>
              </button>
            )}
            {onRemove && (
              <button type="button" class="icon-button" aria-label={`Remove ${name}`} title="Remove" onClick={() => onRemove(index)}>
                <Icon name="close" />
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
