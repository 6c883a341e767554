/** The chats of a session as tabs, where it has several. */
import { useRef } from 'preact/hooks';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { ChatTab } from '../../../views/session/chats.ts';
import { Icon } from '../parts/Icon.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

export function Chats({ tabs, onChoose }: { tabs: readonly ChatTab[]; onChoose(uri: URI): void }) {
  const list = useRef<HTMLDivElement>(null);
  if (tabs.length === 0) return null;
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = tabs[tabs.findIndex(({ isShown }) => isShown) + by];
    if (by === 0 || !next) return;
    event.preventDefault();
    onChoose(next.uri);
    queueMicrotask(() => list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
  };
  return (
    <div ref={list} class="chats" role="tablist" aria-label="Chats of this session" onKeyDown={move}>
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
  );
}
