/** A message that was sent, while it is edited in its place. What came after it goes when it is sent. */
import * as l10n from '../../../base/l10n.ts';
import { useState } from 'preact/hooks';
import { useSession, type WayBackOffer } from '../page/sessionContext.tsx';
import { WordsEditor } from '../parts/WordsEditor.tsx';

/** `hasOthers`: it has attachments, so that it may have no words. */
export function MessageEditor({ wayBack, hasOthers }: { wayBack: WayBackOffer; hasOthers: boolean }) {
  const { away } = useSession();
  const [text, setText] = useState(wayBack.words);
  const { isOffered, isGoing } = wayBack;
  return (
    <div class="message-editor">
      <WordsEditor
        label={l10n.t('Edited message')}
        text={text}
        save={l10n.t('Send')}
        canSave={isOffered && !isGoing && (text.trim() !== '' || hasOthers)}
        isReadOnly={isGoing}
        onInput={(words) => {
          setText(words);
          wayBack.type(words);
        }}
        onSave={wayBack.sendEdited}
        onCancel={wayBack.cancelEdit}
      />
      <p class="hint">
        {isOffered
          ? l10n.t('Enter sends it in place of this message and all that came after it · Escape ends')
          : away
            ? l10n.t('It can be sent when the host is back.')
            : l10n.t('It cannot be sent now.')}
      </p>
    </div>
  );
}
