/** Attachments as chips. Those of a draft can be removed. */
import type { MessageAttachment } from '../../../ahp/v1/common.ts';
import { displayPath } from '../../../views/text/displayPath.ts';
import { Icon } from './Icon.tsx';
import { useSession } from '../page/sessionContext.tsx';

interface AttachmentChipsProps {
  attachments: readonly MessageAttachment[];
  onRemove?: (index: number) => void;
}

const icons: Record<string, string> = { file: 'file', directory: 'folder', selection: 'selection' };

export function AttachmentChips({ attachments, onRemove }: AttachmentChipsProps) {
  const { post } = useSession();
  return (
    <ul class="chips" aria-label="Attachments">
      {attachments.map((attachment, index) => {
        const name = attachment.displayName || attachment.uri.replace(/\/$/, '').split('/').pop() || attachment.uri;
        return (
          <li key={attachment.uri} class="chip">
            <button
              type="button"
              class="chip-name"
              title={displayPath(attachment.uri)}
              onClick={() => post({ type: 'openFile', uri: attachment.uri })}
            >
              <Icon name={(Object.hasOwn(icons, attachment.type) && icons[attachment.type]) || 'link'} />
              <span>{name}</span>
            </button>
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
