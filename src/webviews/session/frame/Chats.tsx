/** The chats of a session as tabs, where it has several. */
import { useRef } from 'preact/hooks';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { ChatTab } from '../../../views/session/chats.ts';
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
}

export function Chats({ tabs, canAdd, problem, onChoose }: ChatsProps) {
  const list = useRef<HTMLDivElement>(null);
  const refused = problem !== undefined && (
    <p class="problem" role="alert">
      {problem}
    </p>
  );
  const move = (event: KeyboardEvent) => {
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
          <div ref={list} class="chat-tabs" role="tablist" aria-label="Chats of this session" onKeyDown={move}>
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
          {canAdd && <NewChatButton />}
        </div>
      )}
      {refused}
    </>
  );
}

/** Beside the tabs, or in the header while there are none. */
export function NewChatButton() {
  const { newChat } = useSession();
  return (
    <button type="button" class="icon-button" aria-label="New chat" title="New chat in this session" onClick={() => newChat()}>
      <Icon name="add" />
    </button>
  );
}
