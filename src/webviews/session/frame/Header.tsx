/** The title, which can be edited in place, the session's host, agent, model and folder, and its state. */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { HeaderView } from '../../../views/session/frame/header.ts';
import { Icon } from '../parts/Icon.tsx';
import { NewChatButton } from '../chats/Chats.tsx';
import type { LendingInfo } from '../protocol.ts';
import { LendingFact } from './Lending.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { WatchedRow } from '../watching/WatchedRow.tsx';

const icons: Record<HeaderView['state']['kind'], string> = {
  failed: 'error',
  needsYou: 'warning',
  running: 'loading',
  away: 'debug-disconnect',
  error: 'error',
  idle: 'check',
};

interface HeaderProps {
  view: HeaderView;
  readOnly: boolean;
  lending: LendingInfo | undefined;
  /** Which programs serve the session. */
  serving: string | undefined;
  /** There is one chat, and the host can make more. */
  canAddChat: boolean;
  /** What goes on in the background. */
  background: string | undefined;
  /** How much is watched for the session. */
  watched: { active: number; all: number } | undefined;
}

export function Header({ view, readOnly, lending, serving, canAddChat, background, watched }: HeaderProps) {
  const { uri, dispatch, post } = useSession();
  const { state } = view;
  const [renaming, setRenaming] = useState(false);
  const titleButton = useRef<HTMLButtonElement>(null);
  const finish = (title?: string) => {
    setRenaming(false);
    if (title !== undefined && title !== '' && title !== view.title) dispatch(uri, { type: 'session/titleChanged', title });
    queueMicrotask(() => titleButton.current?.focus());
  };
  return (
    <header class="header">
      <div class="header-line">
        {renaming ? (
          <TitleEditor title={view.untitled ? '' : view.title} onFinish={finish} />
        ) : (
          <h1 class="title">
            {readOnly ? (
              view.title
            ) : (
              <button ref={titleButton} type="button" class="title-button" title={l10n.t('Rename')} onClick={() => setRenaming(true)}>
                {view.title}
              </button>
            )}
          </h1>
        )}
        <span class={`state state-${state.kind}`} title={state.label}>
          <Icon name={icons[state.kind]} />
          <span class="state-label">{state.label}</span>
        </span>
        {canAddChat && <NewChatButton />}
      </div>
      <div class="header-facts">
        <span>
          {view.demo && <span class="badge">{l10n.t('Demo')}</span>} {view.facts.join(' · ')}
        </span>
        {view.workingDirectory !== undefined && (
          <span class="working-directory" title={view.workingDirectory}>
            <bdi>{view.workingDirectory}</bdi>
          </span>
        )}
        {view.branch !== undefined && (
          <span title={view.branch}>
            <Icon name="git-branch" /> {view.branch}
          </span>
        )}
        {background !== undefined && (
          <span>
            <Icon name="terminal" /> {background}{' '}
            <button
              type="button"
              class="link-button"
              data-needs="commands"
              onClick={() => post({ type: 'runCommand', command: 'showSessionTerminals' })}
            >
              {l10n.t('Show or stop')}
            </button>
          </span>
        )}
        <LendingFact lending={lending} />
        {serving !== undefined && (
          <span title={serving}>
            <Icon name="plug" /> <bdi>{serving}</bdi>
          </span>
        )}
      </div>
      {watched && <WatchedRow count={watched} />}
    </header>
  );
}

function TitleEditor({ title, onFinish }: { title: string; onFinish(title?: string): void }) {
  const [text, setText] = useState(title);
  const input = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  useEffect(() => input.current?.select(), []);
  const finish = (result?: string) => {
    // Enter removes the field, which also blurs it.
    if (done.current) return;
    done.current = true;
    onFinish(result);
  };
  return (
    <input
      ref={input}
      class="input title-input"
      aria-label={l10n.t('Title of the session')}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={() => finish(text.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish(text.trim());
        else if (event.key === 'Escape') {
          event.stopPropagation();
          finish();
        }
      }}
    />
  );
}
