/** The composer without a session: sending creates one, with what the drop-downs below the message say. */
import * as l10n from '../../base/l10n.ts';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import { messageOf } from '../../base/errors.ts';
import type { ConfigField } from '../../views/configForm/configFields.ts';
import type { NewEmitter } from '../../views/emitters/emitterRequest.ts';
import { firstProblem } from '../../views/configForm/typedValues.ts';
import { agentKey } from '../../views/newSession/rememberedStart.ts';
import { chipFields, foldersOf, startModel } from '../../views/newSession/startChips.ts';
import type { StartFolder, StartOffer } from '../../views/newSession/startOffer.ts';
import { useLatePart } from '../late/latePart.ts';
import type { WaitingCards } from './answering/waitingCards.ts';
import { COMPOSER_ID } from './answering/useFocusReturn.ts';
import { ConfigForm, controlId } from './configForm/ConfigForm.tsx';
import { chipId, StartChips } from './newSession/StartChips.tsx';
import { beginStart, isSessionStarting, saveTypedWords, typedWords } from './newSession/startWords.ts';
import { useStartConfig } from './newSession/useStartConfig.ts';
import { requestStart } from './page/pageRequests.ts';
import { useFocusReport } from './page/useContextKeys.ts';
import { post } from './page/pageShell.ts';
import { Icon } from './parts/Icon.tsx';
import type { Draft } from './protocol.ts';
import type { GestureMessage } from './SessionView.tsx';
import { isLoop, slashWords } from './watching/slashWords.ts';
import { useReadHint } from './watching/useReadHint.ts';

const FORM = 'start-options';

export interface NewSessionProps {
  start: StartOffer | undefined;
  /** The shell can watch something for a session. */
  watches: boolean;
  /** How often the extension has ended what was begun here. */
  ended: number;
  cards: WaitingCards;
  gestures: { handler?: (message: GestureMessage) => void };
}

export function NewSession({ start, watches, ended, cards, gestures }: NewSessionProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState<Draft>(() => ({ text: typedWords(), attachments: [] }));
  const { text } = draft;
  const latest = useRef(draft);
  latest.current = draft;
  const setText = (words: string) => setDraft({ text: words, attachments: [] });
  const hint = useReadHint(latest);
  const showsLoop = watches && isLoop(text);
  const slash = useLatePart(slashWords, showsLoop);
  const [pickedAgent, setPickedAgent] = useState<string>();
  /** By the key of the agent. */
  const [pickedFolders, setPickedFolders] = useState<Readonly<Record<string, StartFolder>>>({});
  const [pickedModels, setPickedModels] = useState<Readonly<Record<string, ModelSelection>>>({});
  const [isStarting, setStarting] = useState(isSessionStarting);
  /** Enter was pressed, and there is no agent yet, or its host has not said yet what it takes. Sent is only to what was chosen then. */
  const [wanted, setWanted] = useState<{ agent?: string | undefined; folder?: string }>();
  /** Why nothing was sent, and for which setting. */
  const [refused, setRefused] = useState<{ text: string; field?: string }>();
  const [isFormOpen, setFormOpen] = useState(false);
  /** The setting that gets the focus as soon as it is drawn. */
  const focusNext = useRef<string>(undefined);
  useFocusReport(cards);
  useLayoutEffect(() => {
    setStarting(isSessionStarting());
    setText(typedWords());
  }, [ended]);
  gestures.handler = (message) => {
    if (message.type === 'focus') area.current?.focus();
  };

  const agent = start?.agents.find((one) => agentKey(one) === pickedAgent) ?? start?.chosen;
  const key = agent && agentKey(agent);
  const otherFolder = key === undefined ? undefined : pickedFolders[key];
  const folder = otherFolder ?? (start && agent && foldersOf(start, agent)[0]);
  const model = key === undefined || !agent ? undefined : startModel(agent, pickedModels[key]);
  const config = useStartConfig(agent && folder && { hostId: agent.hostId, provider: agent.provider, workingDirectory: folder.uri });
  const hasWords = text.trim() !== '';
  const canSend = hasWords && !isStarting;

  const focusOn = (field: ConfigField) => {
    const chip = [...document.querySelectorAll<HTMLElement>('[data-picker]')].find((one) => one.dataset.picker === chipId(field.id));
    if (chip && chipFields(config.fields, config.defaults).some(({ id, isDynamic }) => id === field.id && !isDynamic)) return chip.focus();
    focusNext.current = field.id;
    setFormOpen(true);
  };
  useLayoutEffect(() => {
    const index = config.fields.findIndex(({ id }) => id === focusNext.current);
    if (!isFormOpen || index < 0) return;
    focusNext.current = undefined;
    document.getElementById(controlId(FORM, index))?.focus();
  });

  const chooseFolder = async (isSending: boolean) => {
    if (!agent || key === undefined) return;
    try {
      const chosen = await requestStart(post, 'chooseStartFolder', { hostId: agent.hostId, provider: agent.provider });
      if (chosen) setPickedFolders((all) => ({ ...all, [key]: chosen }));
      if (isSending) setWanted(chosen && { agent: key, folder: chosen.uri });
      setRefused(isSending && !chosen ? { text: l10n.t('Nothing was sent, because no folder was chosen.') } : undefined);
    } catch (error) {
      setRefused({ text: messageOf(error) });
    }
    area.current?.focus();
  };

  const enter = (words: string) => {
    setText(words);
    saveTypedWords(words);
    area.current?.focus();
  };
  const submit = () => {
    if (!canSend) return;
    setRefused(undefined);
    if (!agent) return setWanted({});
    let emitter: NewEmitter | undefined;
    try {
      if (showsLoop && !slash) throw new Error(l10n.t('Nothing was started yet. It is still being loaded.'));
      emitter = showsLoop ? slash?.first(draft, hint.isMeant(draft)) : undefined;
    } catch (error) {
      return setRefused({ text: messageOf(error) });
    }
    if (!folder) return void chooseFolder(true);
    if (config.state !== 'known') {
      setWanted({ agent: key, folder: folder.uri });
      if (config.state === 'failed') config.again();
      return;
    }
    const wrong = firstProblem(config.fields, config.entries);
    if (wrong) {
      setRefused({ text: l10n.t`Nothing was sent yet. “${wrong.field.title}”: ${wrong.problem}`, field: wrong.field.id });
      return focusOn(wrong.field);
    }
    setStarting(true);
    setText('');
    beginStart(text);
    const { hostId, provider } = agent;
    post({
      type: 'startSession',
      ...{ hostId, provider, workingDirectory: folder.uri, config: config.values },
      ...(model && { model }),
      draft,
      ...(emitter && { emitter }),
    });
  };
  useEffect(() => {
    if (!wanted || !agent) return;
    const changed = wanted.agent !== key ? 'agent' : wanted.folder !== folder?.uri ? 'folder' : undefined;
    if (changed === undefined && config.state === 'asking') return;
    setWanted(undefined);
    if (wanted.agent === undefined)
      setRefused({ text: l10n.t('Nothing was sent yet. Look at the agent and the folder, and press Enter again.') });
    else if (changed)
      setRefused({
        text:
          changed === 'agent'
            ? l10n.t('Nothing was sent, because the agent has changed. Look at it and press Enter again.')
            : l10n.t('Nothing was sent, because the folder has changed. Look at it and press Enter again.'),
      });
    else if (config.problem === undefined) submit();
  }, [wanted, key, folder?.uri, config.state]);
  useEffect(() => setRefused((one) => (one?.field === undefined ? one : undefined)), [config.values]);

  const isWaiting = wanted?.agent !== undefined;
  const isFixed = isStarting || isWaiting;
  const notice = noticeOf();
  function noticeOf(): string | undefined {
    if (isStarting) return l10n.t('Starting the session…');
    if (isWaiting) return l10n.t('Sent as soon as the host has said what it takes. Escape cancels.');
    if (refused?.field !== undefined) return refused.text;
    if (agent) return config.problem ?? refused?.text;
    const host = start?.isConnecting
      ? l10n.t('Connecting to the agent host…')
      : l10n.t('No agent host is connected. Connect one in the list of sessions.');
    return wanted ? l10n.t`Nothing was sent yet. ${host}` : host;
  }
  return (
    <main class="session">
      <div class="transcript-frame">
        <div class="empty">
          <h1 class="empty-title">{l10n.t('No session is open.')}</h1>
          <p class="hint">{l10n.t('Write what you want done below, or choose a session from the list.')}</p>
          <div class="empty-buttons">
            <vscode-button secondary onClick={() => post({ type: 'runCommand', command: 'startDemo' })}>
              {l10n.t('Try the demo agent')}
            </vscode-button>
          </div>
        </div>
      </div>
      <footer class="composer">
        {isFormOpen && config.fields.length > 0 && (
          <ConfigForm
            name={FORM}
            label={l10n.t('Options of the new session')}
            fields={config.fields}
            entries={config.entries}
            disabled={isFixed}
            onEntry={config.enter}
            complete={config.complete}
            onClose={() => {
              setFormOpen(false);
              area.current?.focus();
            }}
          />
        )}
        <div class="composer-box">
          {slash && showsLoop && <slash.Hint draft={draft} open={undefined} isTyped onRead={hint.read} onOther={enter} />}
          <textarea
            ref={area}
            id={COMPOSER_ID}
            rows={3}
            aria-label={l10n.t('Message')}
            aria-describedby="composer-hint"
            placeholder={l10n.t('What should be done?')}
            readOnly={isWaiting}
            value={text}
            onInput={(event) => enter(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape' && wanted) return setWanted(undefined);
              if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
              event.preventDefault();
              hint.pressed(event.repeat);
              submit();
            }}
          />
          <div class="composer-bar">
            {start && agent && key !== undefined && (
              <StartChips
                {...{ start, agent, folder, otherFolder, model, config }}
                disabled={isFixed}
                missing={refused?.field}
                onAgent={(chosen) => {
                  setRefused(undefined);
                  setPickedAgent(chosen);
                }}
                onFolder={(uri) => {
                  setRefused(undefined);
                  const chosen = [...(otherFolder ? [otherFolder] : []), ...foldersOf(start, agent)].find((one) => one.uri === uri);
                  if (chosen) setPickedFolders({ ...pickedFolders, [key]: chosen });
                }}
                onOtherFolder={() => void chooseFolder(false)}
                onModel={(chosen) => setPickedModels({ ...pickedModels, [key]: chosen })}
                onForm={focusOn}
              />
            )}
            {config.fields.length > 0 && (
              <button
                type="button"
                class="icon-button"
                aria-label={l10n.t('More options')}
                aria-expanded={isFormOpen}
                title={l10n.t('All options of the new session')}
                onClick={() => setFormOpen(!isFormOpen)}
              >
                <Icon name="settings" />
              </button>
            )}
            <span class="row-end">
              <button
                type="button"
                class="icon-button send-button"
                aria-label={l10n.t('Start the session')}
                title={l10n.t('Start the session (Enter)')}
                disabled={!canSend}
                onClick={() => {
                  hint.pressed();
                  submit();
                }}
              >
                <Icon name={isFixed ? 'loading' : 'send'} />
              </button>
            </span>
          </div>
        </div>
        <p id="composer-hint" class={notice === undefined ? 'visually-hidden' : 'hint composer-hint'} role="status">
          {notice ?? l10n.t('Enter starts a session with this message, Shift+Enter breaks the line')}
          {notice !== undefined && notice === config.problem && (
            <>
              {' '}
              <button type="button" class="link-button" onClick={config.again}>
                {l10n.t('Try Again')}
              </button>
            </>
          )}
        </p>
      </footer>
    </main>
  );
}
