/** The composer without a session: sending creates one. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { StartAgent, StartOffer } from '../../views/newSession/startOffer.ts';
import type { WaitingCards } from './answering/waitingCards.ts';
import { COMPOSER_ID } from './answering/useFocusReturn.ts';
import { PickerSelect } from './composer/pickers/PickerSelect.tsx';
import { useFocusReport } from './page/useContextKeys.ts';
import { persist, post, readPersisted } from './page/vscodeApi.ts';
import { Icon } from './parts/Icon.tsx';
import type { GestureMessage } from './SessionView.tsx';

/** What is typed here is kept like the drafts of sessions. */
const DRAFT_KEY = 'new session';
const keyOf = ({ hostId, provider }: Pick<StartAgent, 'hostId' | 'provider'>) => JSON.stringify([hostId, provider]);

interface NewSessionProps {
  start: StartOffer | undefined;
  /** How often the extension has ended what was begun here. */
  ended: number;
  cards: WaitingCards;
  gestures: { handler?: (message: GestureMessage) => void };
}

export function NewSession({ start, ended, cards, gestures }: NewSessionProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => readPersisted().drafts[DRAFT_KEY]?.text ?? '');
  const [picked, setPicked] = useState<string>();
  const [pickedFolder, setPickedFolder] = useState<string>();
  const [isStarting, setStarting] = useState(false);
  const starting = useRef(false);
  starting.current = isStarting;
  useFocusReport(cards);
  useLayoutEffect(() => setStarting(false), [ended]);
  // The session takes the words with it.
  useEffect(() => () => void (starting.current && persist('drafts', DRAFT_KEY, undefined)), []);
  gestures.handler = (message) => {
    if (message.type === 'focus') area.current?.focus();
  };

  const agents = start?.agents ?? [];
  const agent = agents.find((one) => keyOf(one) === picked) ?? start?.chosen;
  const folders = agent && start?.localHosts.includes(agent.hostId) ? start.folders : [];
  const folder = folders.find(({ uri }) => uri === pickedFolder) ?? folders[0];
  const canSend = agent !== undefined && text.trim() !== '' && !isStarting;
  const submit = () => {
    if (!agent || !canSend) return;
    setStarting(true);
    const { hostId, provider } = agent;
    post({ type: 'startSession', hostId, provider, ...(folder && { workingDirectory: folder.uri }), draft: { text, attachments: [] } });
  };
  return (
    <main class="session">
      <div class="transcript-frame">
        <div class="empty">
          <h1 class="empty-title">No session is open.</h1>
          <p class="hint">Write what you want done below, or choose a session from the list.</p>
          <div class="empty-buttons">
            <vscode-button secondary onClick={() => post({ type: 'runCommand', command: 'startDemo' })}>
              Try the demo agent
            </vscode-button>
          </div>
        </div>
      </div>
      <footer class="composer">
        <div class="composer-box">
          <textarea
            ref={area}
            id={COMPOSER_ID}
            rows={3}
            aria-label="Message"
            aria-describedby="composer-hint"
            placeholder="What should be done?"
            value={text}
            onInput={(event) => {
              const { value } = event.currentTarget;
              setText(value);
              persist('drafts', DRAFT_KEY, value === '' ? undefined : { text: value, attachments: [] });
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
              event.preventDefault();
              submit();
            }}
          />
          <div class="composer-bar">
            {agent && (
              <PickerSelect
                picker={{
                  id: 'agent',
                  title: 'Agent',
                  value: keyOf(agent),
                  options: agents.map((one) => ({ value: keyOf(one), label: one.label })),
                }}
                disabled={isStarting}
                onPick={setPicked}
              />
            )}
            {folder && (
              <PickerSelect
                picker={{
                  id: 'folder',
                  title: 'Folder',
                  value: folder.uri,
                  options: folders.map(({ uri, label }) => ({ value: uri, label })),
                }}
                disabled={isStarting}
                onPick={setPickedFolder}
              />
            )}
            <span class="row-end">
              <button
                type="button"
                class="icon-button send-button"
                aria-label="Start the session"
                title="Start the session (Enter)"
                disabled={!canSend}
                onClick={submit}
              >
                <Icon name={isStarting ? 'loading' : 'send'} />
              </button>
            </span>
          </div>
        </div>
        <p id="composer-hint" class={agent && !isStarting ? 'visually-hidden' : 'hint composer-hint'} role="status">
          {isStarting
            ? 'Starting the session…'
            : agent
              ? 'Enter starts a session with this message, Shift+Enter breaks the line'
              : start?.isConnecting
                ? 'Connecting to the agent host…'
                : 'No agent host is connected. Connect one in the list of sessions.'}
        </p>
      </footer>
    </main>
  );
}
