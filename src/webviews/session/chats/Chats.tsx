/** The chats of a session as tabs, where it has several. */
import * as l10n from '../../../base/l10n.ts';
import { useRef } from 'preact/hooks';
import type { URI } from '../../../ahp/common/shapes.ts';
import { type ChatTab, MAKING } from '../../../views/session/chats.ts';
import { useSession } from '../page/sessionContext.tsx';
import { Icon } from '../parts/Icon.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

interface ChatsProps {
  tabs: readonly ChatTab[];
  /** The host can make more. */
  canAdd: boolean;
  /** Why none was made. */
  problem: string | undefined;
  onChoose(uri: URI): void;
  /** Undefined where the chat that is shown cannot have another name. */
  onRename: (() => void) | undefined;
  /** Undefined where the chat that is shown cannot be deleted. */
  onDelete: (() => void) | undefined;
}

export function Chats({ tabs, canAdd, problem, onChoose, onRename, onDelete }: ChatsProps) {
  const { isMakingChat } = useSession();
  const list = useRef<HTMLDivElement>(null);
  const refused = problem !== undefined && (
    <p class="problem" role="alert">
      {problem}
    </p>
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Delete') onDelete?.();
    if (event.key === 'F2') onRename?.();
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = tabs[tabs.findIndex(({ isShown }) => isShown) + by];
    if (by === 0 || !next) return;
    event.preventDefault();
    onChoose(next.uri);
    queueMicrotask(() => list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
  };
  return (
    <>
      {tabs.length > 0 && (
        <div class="chats">
          <div ref={list} class="chat-tabs" role="tablist" aria-label={l10n.t('Chats of this session')} onKeyDown={onKeyDown}>
            {tabs.map(({ uri, title, icon, note, isShown }) => (
              <button
                key={uri}
                type="button"
                role="tab"
                class="chat-tab"
                aria-selected={isShown}
                tabIndex={isShown ? 0 : -1}
                title={title}
                onClick={() => onChoose(uri)}
              >
                <Icon name={icon} />
                <span class="chat-tab-title">
                  <VisibleText text={title} prose />
                </span>
                {note !== undefined && <span class="fact">{note}</span>}
              </button>
            ))}
          </div>
          {onRename && (
            <button
              type="button"
              class="icon-button"
              aria-label={l10n.t('Rename this chat')}
              title={l10n.t('Rename this chat… (F2 on its tab)')}
              onClick={onRename}
            >
              <Icon name="edit" />
            </button>
          )}
          {onDelete && (
            <button
              type="button"
              class="icon-button"
              aria-label={l10n.t('Delete this chat')}
              title={l10n.t('Delete this chat… (Delete on its tab)')}
              onClick={onDelete}
            >
              <Icon name="trash" />
            </button>
          )}
          {canAdd && <NewChatButton />}
        </div>
      )}
      {/* For screen readers. On screen it is said where it is done, so that nothing moves under a second click. */}
      <div class="visually-hidden" role="status">
        {isMakingChat && MAKING}
      </div>
      {refused}
    </>
  );
}

/** Beside the tabs, or in the header while there are none. */
export function NewChatButton() {
  const { newChat, isMakingChat } = useSession();
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={l10n.t('New chat')}
      title={isMakingChat ? MAKING : l10n.t('New chat in this session')}
      aria-disabled={isMakingChat}
      onClick={() => newChat()}
    >
      <Icon name={isMakingChat ? 'loading' : 'add'} />
    </button>
  );
}
