/** Attachments as chips. Those of a draft can be removed. */
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import { type FileAttachment, uriOf } from '../../../views/session/composer/attachments.ts';
import { isLentUri } from '../../../ahp/lentFiles.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { displayPath } from '../../../views/text/displayPath.ts';
import { isImage } from '../../../views/session/composer/images.ts';
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
  const { post, store } = useSession();
  const host = oneLine(store.state.shown?.hostLabel ?? 'its host');
  return (
    <ul class="chips" aria-label="Attachments">
      {attachments.map((attachment, index) => {
        const uri = uriOf(attachment);
        const kind = ('displayKind' in attachment && attachment.displayKind) || attachment.type;
        const name = attachment.label || uri?.replace(/\/$/, '').split('/').pop() || uri || attachment.type;
        const icon = (Object.hasOwn(icons, kind) && icons[kind]) || 'link';
        const isLent = uri !== undefined && isLentUri(uri);
        const sign = index < MAX_PICTURES && isImage(attachment) && !isLent ? <ImageThumb image={attachment} /> : <Icon name={icon} />;
        return (
          <li key={uri ?? index} class="chip">
            {uri === undefined ? (
              <span class="chip-name">
                {sign}
                <span>
                  <VisibleText text={name} prose />
                </span>
              </span>
            ) : (
              <button
                type="button"
                class="chip-name"
                title={isLent ? lentText(kind, host) : displayPath(uri)}
                onClick={() => post(isLent ? { type: 'runCommand', command: 'showLent' } : { type: 'openFile', uri })}
              >
                {sign}
                <span>
                  <VisibleText text={name} prose />
                  {isLent && <span class="chip-lent"> (lent to {host})</span>}
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
      {suggested && (
        <li class="chip suggested">
          <button
            type="button"
            class="chip-name"
            aria-label={`Add ${suggested.label} to the message`}
            title={`Add the file of the editor to the message: ${displayPath(suggested.uri)}`}
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

function lentText(kind: string, host: string): string {
  const what = kind === 'directory' ? 'This folder, with what is in it, is' : 'This file is';
  return `${what} on the computer that attached it. ${host} can read it while the session exists and this window is open, until you take it back. Press to see what is lent.`;
}
