/**
 * The composer: Enter sends or queues, Alt+Enter steers, Shift+Enter starts a new line, Escape stops the turn, Up
 * recalls a message. Ctrl+Enter in the empty field answers the call that waits.
 */
import * as l10n from '../../../base/l10n.ts';
import { useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Ref } from 'preact';
import type { ModelSelection } from '../../../ahp/channels/shapes/basic.ts';
import type { Message, MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { OpenChat } from '../../../views/session/openChat.ts';
import {
  type ComposerState,
  composerState,
  isReadOnly,
  messageOf,
  nextModel,
  send,
  sentMessages,
} from '../../../views/session/composer/composer.ts';
import { type FileAttachment, uriOf } from '../../../views/session/composer/attachments.ts';
import { isLentUri } from '../../../ahp/lentFiles.ts';
import { messageOf as errorText } from '../../../base/errors.ts';
import { AttachmentChips } from '../parts/AttachmentChips.tsx';
import {
  draftOf,
  emptyDraft,
  giveBack,
  isTyped,
  noteTyped,
  saveDraft,
  withAttachments,
  withDraft,
  withoutAttachment,
} from '../drafts/chatDrafts.ts';
import { useOwnInput } from '../drafts/useOwnInput.ts';
import { contextMeter } from '../../../views/session/composer/contextMeter.ts';
import { LateContextMeter } from './LateContextMeter.tsx';
import { ContextChips } from './ContextChips.tsx';
import { SharedDraft } from './SharedDraft.tsx';
import { useSharedDraft } from './useSharedDraft.ts';
import { SuggestionList, useSuggestions } from './Suggestions.tsx';
import { useComposerSources } from './composerSources.ts';
import { cardName, choicesFor, type Waiting, waitingOf } from '../../../views/session/waiting/waiting.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { newId } from '../page/newId.ts';
import { Icon } from '../parts/Icon.tsx';
import { Pickers } from './pickers/Pickers.tsx';
import { LateQueue } from './queue/LateQueue.tsx';
import type { Attached, Draft, PendingAction } from '../protocol.ts';
import { useContextItems } from './useContextItems.ts';
import { useLatePart } from '../../late/latePart.ts';
import { isLoop, isWatchCommand, slashWords } from '../watching/slashWords.ts';
import { useReadHint } from '../watching/useReadHint.ts';
import { droppedUris } from './given/drop.ts';
import type { TakeOptions } from './given/takenFiles.ts';
import { useDelayedMessage } from './delayedMessage.ts';
import { filesOf, pickFiles, takenFiles } from './given/givenFiles.ts';
import { request } from '../page/pageRequests.ts';
import { rootOf } from '../page/sessionStore.ts';
import { useSession } from '../page/sessionContext.tsx';
import { StopQuestion, useStop } from './StopQuestion.tsx';
import { COMPOSER_ID } from '../answering/useFocusReturn.ts';

const MAX_LINES = 8;
const NOTHING_DROPPED = l10n.t('Nothing there can be attached. Attach files with the paper clip.');

export interface ComposerHandle {
  focus(): void;
  /** As Enter does. `model`: in place of that of the chat. */
  send(model?: ModelSelection): void;
  stop(): void;
  attach(attached: Attached): void;
  drop(data: DataTransfer | null): void;
  /** Puts back a message that the host refused. */
  giveBack(message: Message): void;
  /** Puts in what was typed elsewhere. */
  add(draft: Draft): void;
  /** Tells the user what went wrong. */
  say(problem: string): void;
}

interface ComposerProps {
  /** Under which its draft is kept. */
  draftKey: URI;
  open: OpenChat | undefined;
  pending: readonly PendingAction[];
  readOnly: string | undefined;
  /** Why nothing can be sent. The user can still type. */
  blocked: string | undefined;
  /** Undefined where the clients of a chat share no drafts. `shares`: other clients see what is typed here. */
  sharing: { shares: boolean } | undefined;
  handle: Ref<ComposerHandle>;
  /** Ctrl+Enter in the empty field answers the one call that waits. */
  answersCall: boolean;
  onSent(): void;
  /** That of the active editor. */
  currentFile: FileAttachment | undefined;
}

export function Composer({ draftKey, open, pending, readOnly, blocked, sharing, handle, answersCall, onSent, currentFile }: ComposerProps) {
  const { hostId, chat, store, cards, post, dispatch } = useSession();
  const shown = { hostId, uri: draftKey };
  const area = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraftState] = useState(() => draftOf(shown));
  const [recalled, setRecalled] = useState(-1);
  const [problem, setProblem] = useState<string>();
  const latest = useRef(draft);
  /** Files that are not there yet. */
  const taking = useRef<{ work: Promise<string | undefined>; stop(): void }>(undefined);
  const latestSubmit = useRef<(how: 'send' | 'steer', model?: ModelSelection) => void>(() => undefined);
  const { lacks = [] } = store.state;
  /** Otherwise the page picks and takes files itself. */
  const shellAttaches = !lacks.includes('attaching');
  const watches = !lacks.includes('emitters');
  const showsLoop = watches && isLoop(draft.text);
  const words = useLatePart(slashWords, isWatchCommand(draft.text));
  const fixed = readOnly ?? blocked;
  const state = composerState(open, fixed);
  /** What waits and what is chosen for the next message cannot be changed either. */
  const isFixed = fixed !== undefined || (open !== undefined && isReadOnly(open.chat));
  /** The chat is not there yet. What is sent until then is held. */
  const mayCome = !open && fixed === undefined;
  const stop = useStop(open?.chat, state);
  const items = draft.items ?? [];
  const hasWords = draft.text.trim() !== '' || draft.attachments.length + items.length > 0;
  const waiting = useMemo(() => (open ? waitingOf(open.chat) : []), [open?.chat]);
  const [misfire, setMisfire] = useState<string>();
  // The text goes when its cause goes.
  useLayoutEffect(() => setMisfire(undefined), [waiting.map(cardName).join(), hasWords]);

  // The chat became known while the user was typing. Its draft is what was typed, after what it had.
  useLayoutEffect(() => {
    latest.current = draftOf(shown);
    setDraftState(latest.current);
  }, [draftKey]);
  const setDraft = (next: Draft) => {
    latest.current = next;
    setDraftState(next);
    saveDraft(shown, next);
  };
  /** What comes of the user's own text alone is their own, too. */
  const setOwn = (next: Draft) => {
    if (isTyped(shown, latest.current)) noteTyped(shown, next.text);
    setDraft(next);
  };
  const input = useOwnInput(shown, draft);
  const hint = useReadHint(latest);
  const shared = useSharedDraft({
    chat: sharing && readOnly === undefined ? open?.chat : undefined,
    draft,
    setDraft,
    // Also while the window is in the background: the next key may be an Enter.
    hasFocus: () => area.current !== null && document.activeElement === area.current,
    shares: sharing?.shares === true,
    isBlocked: isFixed,
  });
  const context = useContextItems(latest, setDraft, setProblem);
  const meter = useMemo(() => (open ? contextMeter(open.chat) : undefined), [open?.chat]);
  const sources = useComposerSources({ draftKey, latest, setDraft, setOwn, context, compact: meter?.compact, fail: setProblem });
  const hold = useDelayedMessage({
    isThere: open !== undefined,
    isOver: fixed !== undefined,
    latest,
    submit: (how, model) => latestSubmit.current(how, model),
    say: setProblem,
  });
  const slash = useSuggestions(area, draft.text, sources.slash);
  const files = useSuggestions(area, draft.text, sources.files);
  const mentions = useSuggestions(area, draft.text, sources.mentions);

  useImperativeHandle(handle, () => ({
    focus: () => area.current?.focus(),
    send: (model) => submit('send', model),
    stop: stop.ask,
    attach: add,
    drop: (data) => {
      const uris = shellAttaches ? droppedUris(data) : [];
      const given = uris.length > 0 ? [] : filesOf(data);
      if (given.length > 0) take(given);
      else if (!shellAttaches) setProblem(NOTHING_DROPPED);
      else void attachAnswer(request(post, 'attachDropped', { uris }), NOTHING_DROPPED);
    },
    giveBack: (message) => {
      releaseTwice(message.attachments ?? []);
      setDraft(giveBack(latest.current, message));
    },
    add: (earlier) => {
      releaseTwice(earlier.attachments);
      setDraft(withDraft(latest.current, earlier));
      area.current?.focus();
    },
    say: setProblem,
  }));

  const queues = state.sends === 'queue';
  const placeholder =
    state.blocked ??
    (queues
      ? l10n.t('Queue the next message')
      : lacks.includes('context')
        ? l10n.t('What should be done? # adds a file')
        : l10n.t('What should be done? # adds a file, @ context'));
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = 'auto';
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(element);
    const limit = Number.parseFloat(lineHeight) * MAX_LINES + Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom);
    element.style.height = `${Math.min(element.scrollHeight, limit)}px`;
  }, [draft.text, placeholder]);

  const submit = (how: 'send' | 'steer', model = open && nextModel(open.chat)): void => {
    if (taking.current) return hold.untilAttached(taking.current.work, how, model);
    if (mayCome) return hold.untilThere(how, model);
    const { current } = latest;
    if (!open || state.blocked !== undefined) return;
    if (!isWatchCommand(current.text)) return sendDraft(open, current, how, model);
    const loops = { starts: watches && isTyped(shown, current), isMeant: hint.isMeant(current) };
    slashWords
      .whenLoaded()
      .then((ours) => ours.send(current, open, post, loops))
      .then((outcome) => {
        // What was typed meanwhile, or is typed elsewhere now, stays.
        if (!outcome || latest.current !== current || !area.current) return;
        if (outcome === 'started') sent();
        else sendDraft(open, outcome, how, model);
      })
      .catch((error: unknown) => setProblem(errorText(error)));
  };
  const sendDraft = (to: OpenChat, current: Draft, how: 'send' | 'steer', model: ModelSelection | undefined): void => {
    const message = messageOf(current.text, current.attachments, current.items, model);
    if (!message) return;
    dispatch(chat, send(to.chat, message, how, newId(), new Date().toISOString()));
    shared.sent(current);
    sent();
  };
  const sent = () => {
    setDraft(emptyDraft);
    setProblem(undefined);
    setRecalled(-1);
    onSent();
  };
  latestSubmit.current = submit;
  const release = (attachment: MessageAttachment) => {
    const uri = uriOf(attachment);
    if (uri !== undefined && isLentUri(uri)) post({ type: 'releaseLent', uri });
  };
  /** A draft has a file once, however often it was attached. */
  const releaseTwice = (attachments: readonly MessageAttachment[]) => {
    const attached = latest.current.attachments.map(uriOf);
    for (const one of attachments) if (attached.includes(uriOf(one))) release(one);
  };
  const attach = (attachments: readonly MessageAttachment[]) => {
    releaseTwice(attachments);
    setDraft(withAttachments(latest.current, attachments));
    context.ofFiles(attachments);
  };
  function add({ attachments, context: found }: Attached): void {
    attach(attachments);
    if (found) context.add(found);
  }
  const remove = (index: number) => {
    const removed = draft.attachments[index];
    if (removed) release(removed);
    setDraft(withoutAttachment(draft, index));
  };
  const take = (given: readonly File[]) => {
    const before = taking.current;
    const stopping = new AbortController();
    setProblem(undefined);
    hold.changed();
    const options: TakeOptions = {
      ...{ post, embeds: !shellAttaches, signal: stopping.signal },
      draft: {
        // The user may go elsewhere meanwhile. Its draft may change there.
        current: () => (area.current ? latest.current : draftOf(shown)),
        replace: (next) => (area.current ? hold.attach(() => setDraft(next)) : saveDraft(shown, next)),
      },
    };
    const own = takenFiles.whenLoaded().then((takes) => takes(given, options), errorText);
    const work = Promise.all([before?.work, own]).then((problems) => problems.filter((one) => one !== undefined).join(' ') || undefined);
    const now = {
      work,
      stop: () => {
        before?.stop();
        stopping.abort();
      },
    };
    taking.current = now;
    void work.then((refused) => {
      if (taking.current === now) taking.current = undefined;
      if (refused !== undefined) setProblem(refused);
    });
  };
  const pick = () => {
    if (shellAttaches) return void attachAnswer(request(post, 'pickAttachments', {}));
    void pickFiles().then((picked) => {
      if (picked.length > 0) take(picked);
      area.current?.focus();
    });
  };
  const recall = (by: 1 | -1): boolean => {
    const messages = open ? sentMessages(open.chat) : [];
    const index = recalled + by;
    if (index < -1 || index >= messages.length) return false;
    setRecalled(index);
    setDraft({ ...draft, text: messages[index]?.text ?? '' });
    return true;
  };
  /** What it has not answered, and why. */
  const answerByKey = (): string | undefined => {
    if (waiting.length === 0) return undefined;
    if (hasWords)
      return l10n.t('Nothing was answered, because you are writing a message. Send it or remove it first, or answer on the card.');
    if (!answersCall) return l10n.t('Nothing was answered: the answer keys work on the card that has the focus. Alt+F8 goes there.');
    return cards.answerTheOne() === 'shown'
      ? l10n.t('Nothing was answered yet. The card that has the focus now takes the keys.')
      : undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || slash.onKeyDown(event) || files.onKeyDown(event) || mentions.onKeyDown(event)) return;
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      setMisfire(answerByKey());
    } else if (event.key === 'Escape') {
      if (taking.current) taking.current.stop();
      else stop.ask();
    } else if (event.key === 'Enter' && plain) {
      event.preventDefault();
      hint.pressed(event.repeat);
      submit(event.altKey ? 'steer' : 'send');
    } else if (
      event.key === 'ArrowUp' &&
      plain &&
      (draft.text === '' || recalled >= 0) &&
      area.current?.selectionStart === area.current?.selectionEnd
    ) {
      if (recall(1)) event.preventDefault();
    } else if (event.key === 'ArrowDown' && plain && recalled >= 0) {
      if (recall(-1)) event.preventDefault();
    }
  };
  const attachAnswer = async (answer: Promise<Attached>, whenNone?: string) => {
    try {
      const attached = await answer;
      const isEmpty = attached.attachments.length === 0 && !attached.context;
      setProblem(isEmpty ? whenNone : undefined);
      add(attached);
    } catch (error) {
      setProblem(l10n.t`Nothing was attached: ${errorText(error)}`);
    }
    area.current?.focus();
  };
  const takeEdited = (words: string) => {
    setDraft(withDraft(latest.current, { text: words, attachments: [] }));
    setProblem(l10n.t('The message was sent or removed while you edited it. What you wrote is in the message field.'));
    area.current?.focus();
  };

  const isAttached = draft.attachments.some((one) => uriOf(one) === currentFile?.uri);
  const suggested = isAttached || readOnly !== undefined ? undefined : currentFile;
  const compact =
    open && meter?.compact !== undefined && state.blocked === undefined
      ? () => {
          area.current?.focus();
          const message = messageOf(meter.compact ?? '', [], [], nextModel(open.chat));
          if (message) dispatch(chat, send(open.chat, message, 'send', newId(), new Date().toISOString()));
        }
      : undefined;
  const answer = answersCall ? answerHint(waiting) : undefined;
  return (
    <footer class="composer">
      <StopQuestion stop={stop} />
      {open && <LateQueue open={open} pending={pending} readOnly={isFixed} onEditedGone={takeEdited} />}
      {shared.offered && <SharedDraft offered={shared.offered} />}
      {(misfire ?? problem) !== undefined && (
        <p class="problem" role="alert">
          {misfire ?? problem}
          {hold.waitsForFiles && (
            <button
              type="button"
              class="link-button"
              title={l10n.t('Leave out what is not attached yet (Escape)')}
              onClick={() => taking.current?.stop()}
            >
              {l10n.t('Cancel')}
            </button>
          )}
        </p>
      )}
      <div class="composer-box">
        {(draft.attachments.length > 0 || suggested) && (
          <AttachmentChips
            attachments={draft.attachments}
            onRemove={remove}
            suggested={suggested}
            onAdd={(file) => {
              attach([file]);
              area.current?.focus();
            }}
          />
        )}
        {items.length > 0 && <ContextChips items={items} onRemove={(index) => setDraft({ ...draft, items: items.toSpliced(index, 1) })} />}
        {words && showsLoop && (
          <words.Hint
            draft={draft}
            open={open}
            isTyped={isTyped(shown, draft)}
            onRead={hint.read}
            onOther={(text) => {
              setOwn({ ...latest.current, text });
              area.current?.focus();
            }}
          />
        )}
        <SuggestionList suggestions={slash} />
        <SuggestionList suggestions={files} />
        <SuggestionList suggestions={mentions} />
        <textarea
          ref={area}
          id={COMPOSER_ID}
          rows={1}
          aria-label={l10n.t('Message')}
          aria-describedby="composer-hint"
          placeholder={placeholder}
          readOnly={readOnly !== undefined}
          value={draft.text}
          {...slash.textAreaAttributes}
          {...files.textAreaAttributes}
          {...mentions.textAreaAttributes}
          onBeforeInput={(event) => input.before(event.currentTarget)}
          onInput={(event) => {
            setRecalled(-1);
            input.took(event.inputType, event.currentTarget.value);
            setDraft({ ...draft, text: event.currentTarget.value });
          }}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const given = readOnly === undefined ? filesOf(event.clipboardData) : [];
            if (given.length === 0) return;
            event.preventDefault();
            take(given);
          }}
        />
        <div class="composer-bar">
          {readOnly === undefined && (
            <vscode-toolbar-button icon="attach" label={l10n.t('Attach files')} title={l10n.t('Attach files')} onClick={pick} />
          )}
          {open && <Pickers open={open} root={rootOf(store.state)} disabled={isFixed} />}
          {meter && <LateContextMeter meter={meter} {...(compact && { onCompact: compact })} />}
          <span class="row-end">
            {state.canStop && (
              <button
                type="button"
                class="icon-button send-button"
                aria-label={l10n.t('Stop')}
                title={l10n.t('Stop (Escape)')}
                onClick={stop.ask}
                onKeyDown={(event) => event.key === 'Escape' && stop.ask()}
              >
                <Icon name="debug-stop" />
              </button>
            )}
            {(!state.canStop || hasWords) && (
              <button
                type="button"
                class="icon-button send-button"
                aria-label={queues ? l10n.t({ message: 'Queue', comment: 'a verb' }) : l10n.t('Send')}
                title={queues ? l10n.t('Queue (Enter)') : l10n.t('Send (Enter)')}
                disabled={!hasWords || (state.blocked !== undefined && !mayCome)}
                onClick={() => {
                  hint.pressed();
                  submit('send');
                }}
              >
                <Icon name={queues ? 'list-ordered' : 'send'} />
              </button>
            )}
          </span>
        </div>
      </div>
      <p
        id="composer-hint"
        class={(hasWords ? queues || state.blocked !== undefined : answer !== undefined) ? 'hint composer-hint' : 'visually-hidden'}
      >
        {state.blocked ?? (hasWords ? undefined : answer) ?? (showsLoop ? undefined : hintOf(state))}
      </p>
    </footer>
  );
}

/** What Ctrl+Enter does in the empty field. */
function answerHint(waiting: readonly Waiting[]): string | undefined {
  const [one, another] = waiting;
  if (one?.kind !== 'call' || another) return undefined;
  const choice = choicesFor(one.call).find(({ approve }) => approve);
  const keys = /Mac/.test(navigator.userAgent) ? '⌘Enter' : l10n.t('Ctrl+Enter');
  return choice && l10n.t`${keys} answers “${oneLine(choice.label)}”`;
}

function hintOf({ sends, isRunning }: ComposerState): string {
  if (isRunning) return l10n.t('Enter queues · Alt+Enter steers · Escape stops');
  return sends === 'queue'
    ? l10n.t('Enter sends the waiting messages, then this one · Alt+Enter sends only this one now')
    : l10n.t('Enter sends, Shift+Enter breaks the line');
}
