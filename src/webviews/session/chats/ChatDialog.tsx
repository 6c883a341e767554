/** What VS Code asks with boxes of its own, in the page: the new name of a chat, or whether it is to be deleted. */
import * as l10n from '../../../base/l10n.ts';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../base/errors.ts';
import { MAX_CHAT_NAME } from '../../../ahp/chatNames.ts';

export interface ChatDialogProps {
  kind: 'rename' | 'delete';
  title: string;
  /** Rejects with why it was not done. `name`: the new one. */
  onAccept(name: string): Promise<unknown>;
  /** It is done, or the user has left it. */
  onClose(): void;
}

export function ChatDialog({ kind, title, onAccept, onClose }: ChatDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [name, setName] = useState(title);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  // The browser gives the focus back to where it was when the dialog is closed.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const accept = (event: Event) => {
    event.preventDefault();
    if (isBusy || name.trim() === '') return;
    setBusy(true);
    setProblem(undefined);
    onAccept(name.trim())
      .then(onClose, (error: unknown) => setProblem(messageOf(error)))
      .finally(() => setBusy(false));
  };
  const words = kind === 'rename' ? l10n.t('Rename this chat') : l10n.t`Delete the chat “${title}”?`;
  return (
    <dialog ref={dialog} class="chat-dialog" aria-label={words} onCancel={onClose} onKeyDown={(event) => event.stopPropagation()}>
      <form onSubmit={accept}>
        {kind === 'rename' ? (
          <label class="field">
            <span>{l10n.t('Name of this chat')}</span>
            <input class="input" maxLength={MAX_CHAT_NAME} value={name} autofocus onInput={(event) => setName(event.currentTarget.value)} />
          </label>
        ) : (
          <>
            <p>{words}</p>
            <p class="detail">
              {l10n.t(
                'The agent host is asked to remove what was said in it and to stop a turn in progress. The other chats of the session and its files stay as they are.',
              )}
            </p>
          </>
        )}
        {problem !== undefined && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="chat-dialog-buttons">
          {/* An Enter too many leaves the chat where it is. */}
          <button type="button" autofocus={kind === 'delete'} onClick={onClose}>
            {l10n.t('Cancel')}
          </button>
          <button type="submit" aria-disabled={isBusy || name.trim() === ''}>
            {kind === 'rename' ? l10n.t('Rename') : l10n.t('Delete')}
          </button>
        </div>
      </form>
    </dialog>
  );
}
