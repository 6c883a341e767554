/** The page of a session: header, banner, transcript and composer, and the effects of commands and refusals. */
import * as l10n from '../../base/l10n.ts';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import type { ActiveTurn, ChatState, Turn } from '../../ahp/channels/chat/state.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { isMessage, wordsFor } from '../../views/session/sessionGesture.ts';
import { folderOf, type OpenChat } from '../../views/session/openChat.ts';
import { chatOffersOf } from '../../views/session/chatOffers.ts';
import { chatAbilities, chatTabs, deletableChats, ownChat } from '../../views/session/chats.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { endedChat, endedSession, unfinishedMessages } from '../../views/session/frame/ended.ts';
import { chatsBelow, waitingIn } from '../../views/attention/waitingBelow.ts';
import { headerView } from '../../views/session/frame/header.ts';
import { Announcer } from './frame/Announcer.tsx';
import { useKnownCalls } from './page/knownCalls.ts';
import { Banner, RemovedBanner, signIn } from './frame/Banner.tsx';
import { Chats } from './chats/Chats.tsx';
import { LooseDraft } from './chats/LooseDraft.tsx';
import { ChatDialog } from './chats/ChatDialog.tsx';
import { useChats, useComposerKey } from './chats/useChats.ts';
import { Consent } from './frame/Consent.tsx';
import { Composer, type ComposerHandle } from './composer/Composer.tsx';
import { draftOf, giveBack, saveDraft } from './drafts/chatDrafts.ts';
import { holdsFiles } from './composer/given/drop.ts';
import { EmptyState } from './parts/EmptyState.tsx';
import { ErrorBoundary } from './parts/ErrorBoundary.tsx';
import { backgroundCount, backgroundWords } from '../../views/session/terminals/sessionWork.ts';
import { Header } from './frame/Header.tsx';
import { useShownTurn } from './frame/useShownTurn.ts';
import { PendingActions } from './frame/PendingActions.tsx';
import { LendingBanner } from './frame/Lending.tsx';
import type {
  AttachMessage,
  CommandMessage,
  ConnectionInfo,
  Draft,
  FocusMessage,
  PendingAction,
  RejectedMessage,
  ResourceStatus,
  ShownSession,
} from './protocol.ts';
import { todoList } from '../../views/session/todos/todoList.ts';
import { Todos } from './frame/Todos.tsx';
import { OutOfSight } from './frame/OutOfSight.tsx';
import { Notices } from './frame/Notices.tsx';
import { RejectionNote } from './parts/RejectionNote.tsx';
import { SessionContext } from './page/sessionContext.tsx';
import { sessionPort } from './page/pageShell.ts';
import { askedOf, resourceModel, partOf, type ResourceView, UNKNOWN } from './page/resourceViews.ts';
import { chatOf, rootOf, sessionOf, type SessionStore, shownChatUri, type StoreState } from './page/sessionStore.ts';
import { Transcript, type TranscriptHandle } from './transcript/Transcript.tsx';
import { nameOf, UnknownOutcomes } from './frame/UnknownOutcomes.tsx';
import { useWayBack } from './wayBack/useWayBack.ts';
import { useChosenModel } from './composer/pickers/useChosenModel.ts';
import { useContextKeys, useFocusReport } from './page/useContextKeys.ts';
import { useLate } from './page/useLate.ts';
import { useFocusOn } from './answering/useFocusOn.ts';
import type { WaitingCards } from './answering/waitingCards.ts';
import type { Watches } from './page/watches.ts';

/** Messages of the extension that are commands and not state. */
export type GestureMessage = CommandMessage | FocusMessage | AttachMessage;

const none: readonly never[] = [];

interface SessionViewProps {
  shown: ShownSession;
  state: StoreState;
  store: SessionStore;
  watches: Watches;
  cards: WaitingCards;
  /** Receives those messages. */
  gestures: { handler?: (message: GestureMessage) => void };
}

export function SessionView({ shown, state, store, watches, cards, gestures }: SessionViewProps) {
  const { hostId, uri } = shown;
  const view = state.resources.get(uri);
  const root = rootOf(state);
  const knownSession = sessionOf(state);
  const chatUri = shownChatUri(state);
  const chatView = chatUri === undefined ? undefined : state.resources.get(chatUri);
  const ownPort = useMemo(() => sessionPort({ hostId, uri }), [hostId, uri]);
  const { port, chat: knownChat } = useChosenModel({
    port: ownPort,
    uri: chatUri,
    chat: resourceModel('chat', chatView),
    rejections: state.rejections,
  });
  const status = statusOf(view, chatUri === undefined || chatUri === uri ? undefined : (chatView ?? UNKNOWN));
  const removed = status.kind === 'removed' ? status : undefined;
  const open = useMemo((): OpenChat | undefined => {
    if (!knownSession || !knownChat) return undefined;
    return removed ? { session: endedSession(knownSession), chat: endedChat(knownChat) } : { session: knownSession, chat: knownChat };
  }, [knownSession, knownChat, removed]);
  const ownPending = askedOf(view);
  const pending = chatUri === uri ? ownPending : [...ownPending, ...askedOf(chatView)];
  const away = useLate(!removed && (state.connection.kind !== 'connected' || status.kind === 'stale'));
  const cannotSend = whyNothingCanBeSent(status, open);
  /** Why nothing can be sent here. The user can still type, except in a recording. */
  const readOnly = shown.readOnly ?? (removed && cannotSend);
  const transcript = useRef<TranscriptHandle>(null);
  const composer = useRef<ComposerHandle>(null);
  const latestChats = useRef(knownSession?.chats ?? none);
  latestChats.current = knownSession?.chats ?? none;
  const latestView = useRef(view);
  latestView.current = view;
  const holds = useCallback((one: URI) => partOf(latestView.current, one, uri), [uri]);
  const openChat = useCallback(
    (one: URI) => {
      if (latestChats.current.some(({ resource }) => resource === one)) store.chooseChat(one);
      else port.post({ type: 'openSession', uri: one });
    },
    [store, port],
  );
  useEffect(
    () => (chatUri === undefined || chatUri === uri ? undefined : watches.watch(port.post, chatUri, 'chat')),
    [watches, port, uri, chatUri],
  );
  const ofChats = useChats(port, store, knownSession, chatUri);
  const { newChat, isMaking: isMakingChat } = ofChats;
  const { several, fork, sideChat } = chatAbilities(knownSession ?? { provider: '' }, root);
  const abilities = useMemo(() => ({ several, fork, sideChat }), [several, fork, sideChat]);
  const chats =
    open && chatUri !== undefined
      ? chatsBelow(chatUri, open.chat, { holds, chatOf: (one) => chatOf(state, one) })
      : new Map<URI, undefined>();
  const waiting = open && chatUri !== undefined ? waitingIn(chats, chatUri, open) : [];
  const composerKey = useComposerKey(chatUri);
  useFocusReport(cards);
  const shownChats = [...chats].flatMap(([one, known]) => (known ? [one] : []));
  const renames = state.connection.renamesChats === true;
  const isReadOnly = readOnly !== undefined;
  const offers = useMemo(
    () => (open ? chatOffersOf(open, root, { renames, readOnly: isReadOnly, away }) : []),
    [open, root, renames, isReadOnly, away],
  );
  useContextKeys(port, open?.chat, waiting.length, shownChats, offers);
  const draftPlace = (chat: URI | undefined) => {
    const isChat = chat !== undefined && knownSession?.chats.some(({ resource }) => resource === chat);
    return { hostId, uri: isChat ? chat : uri };
  };
  useReturnedWords(state, composer, (chat) => (chat === chatUri ? undefined : draftPlace(chat)));

  const chooseChat = (one: URI) => {
    const isChat = knownSession?.chats.some(({ resource }) => resource === one) === true;
    if (isChat) store.chooseChat(one);
    return isChat;
  };
  const { offer: wayBack, ofLast } = useWayBack({
    ...{ port, hostId, chat: chatUri, draft: draftPlace(chatUri), open, composer, isBlocked: readOnly !== undefined || away },
    onSent: () => transcript.current?.jumpToLatest(),
  });
  const focusOn = useFocusOn({ cards, composer, open, chats, chooseChat });
  const showTurn = useShownTurn({ open, chat: chatUri, defaultChat: knownSession && ownChat(knownSession), transcript, chooseChat });

  // The first message of a new session, whose chat may come a moment later.
  const sendWanted = useRef<{ model?: ModelSelection } | undefined>(undefined);
  const sendIfWanted = () => {
    if (!sendWanted.current || !open || !composer.current) return;
    const { model } = sendWanted.current;
    sendWanted.current = undefined;
    composer.current.send(model);
  };
  useEffect(sendIfWanted);

  gestures.handler = (message) => {
    if (message.type === 'attach') return composer.current?.attach(message);
    if (message.type === 'focus') return focusOn(message);
    switch (message.command) {
      case 'approve':
      case 'deny':
        return cards.answer(message.command, message.byKey === true);
      case 'jumpToLatest':
        return transcript.current?.jumpToLatest();
      case 'find':
        return transcript.current?.find();
      case 'copyAnswer':
        return transcript.current?.copyAnswer();
      case 'focusNextWaiting':
        return void cards.focusNext();
      case 'showTurn':
        if (message.turn !== undefined) {
          const { chat, turn, call } = message;
          showTurn({ ...(chat !== undefined && { chat }), turn, ...(call !== undefined && { call }) });
        }
        return undefined;
      case 'goBack':
        return ofLast('back');
      case 'editMessage':
        return ofLast('edit');
      case 'retryTurn':
        return ofLast('retry');
      case 'loadOlderTurns':
        return transcript.current?.loadOlder();
      case 'sendDraft':
        sendWanted.current = message.model ? { model: message.model } : {};
        return sendIfWanted();
      case 'chooseChat':
        return message.chat === undefined ? undefined : ofChats.choose(message.chat);
      case 'newChat':
        return abilities.several && readOnly === undefined
          ? newChat(message.source)
          : ofChats.setProblem(l10n.t('No chat was made: the agent of this session has one chat only.'));
    }
  };

  const workingDirectory = open && (folderOf(open.chat) ?? folderOf(open.session));
  const knownCalls = useKnownCalls(state.bridge, chatUri);
  const waitingChecks = state.bridge?.waitingChecks ?? 0;
  const context = useMemo(
    () => ({
      ...port,
      hostId,
      uri,
      chat: chatUri ?? uri,
      holds,
      openChat,
      newChat,
      isMakingChat,
      abilities,
      wayBack,
      store,
      watches,
      cards,
      readOnly: readOnly !== undefined,
      ownHost: shown.ownHost === true,
      away,
      knownCalls,
      waitingChecks,
      decisions: state.decisions,
      ...(workingDirectory === undefined ? {} : { workingDirectory }),
      ...(state.lending && { lending: state.lending }),
    }),
    [
      isMakingChat,
      port,
      hostId,
      uri,
      chatUri,
      holds,
      openChat,
      newChat,
      abilities,
      wayBack,
      store,
      watches,
      cards,
      shown.ownHost,
      readOnly,
      away,
      knownCalls,
      waitingChecks,
      state.decisions,
      workingDirectory,
      state.lending,
    ],
  );
  const misplaced = state.rejections.filter((rejection) => {
    const where = chatOf(state, rejection.uri);
    return !where || !hasCard(where, rejection);
  });
  const tabs = knownSession ? chatTabs(knownSession, chatUri) : [];
  const canDelete =
    knownSession !== undefined && chatUri !== undefined && readOnly === undefined && deletableChats(knownSession).includes(chatUri);
  const todos = open && todoList(open.chat, shown.ownHost ? open.session : undefined);
  const canAddChat = abilities.several && readOnly === undefined;
  return (
    <SessionContext.Provider value={context}>
      <main
        class="session"
        onDragOver={(event) => readOnly === undefined && holdsFiles(event.dataTransfer) && event.preventDefault()}
        onDrop={(event) => {
          if (readOnly !== undefined || !holdsFiles(event.dataTransfer)) return;
          event.preventDefault();
          composer.current?.drop(event.dataTransfer);
        }}
      >
        {open && (
          <Header
            view={headerView(open, root, shown.hostLabel, removed ? 'removed' : away ? 'away' : undefined, waiting.length > 0)}
            readOnly={readOnly !== undefined}
            lending={state.bridge?.lending}
            serving={state.bridge?.serving}
            canAddChat={canAddChat && tabs.length === 0}
            watched={state.bridge?.emitters}
            background={away ? undefined : backgroundWords(backgroundCount(root, open.chat))}
          />
        )}
        {knownSession && (
          <Chats
            tabs={tabs}
            canAdd={canAddChat}
            problem={ofChats.problem}
            onChoose={ofChats.choose}
            onRename={offers.includes('renameChat') && chatUri !== undefined ? () => ofChats.rename(chatUri) : undefined}
            onDelete={canDelete ? () => ofChats.remove(chatUri) : undefined}
          />
        )}
        {ofChats.dialog && <ChatDialog key={ofChats.dialog.chat} {...ofChats.dialog} />}
        {removed && state.connection.kind === 'connected' ? (
          <RemovedBanner
            hostLabel={shown.hostLabel}
            isKnown={open !== undefined}
            canReopen={removed.canReopen}
            words={() => unfinishedWords({ hostId, uri: chatUri ?? uri }, knownChat, pending)}
          />
        ) : (
          // Without a state, the empty view says what is wrong.
          <Banner connection={state.connection} status={open || status.kind !== 'failed' ? status : { kind: 'loading' }} />
        )}
        {open && !removed && <Consent session={open.session} confirmed={resourceModel('session', view, 'confirmed') ?? open.session} />}
        {open && !removed && !away && <LendingBanner lending={state.bridge?.lending} />}
        {open ? (
          <ErrorBoundary key={chatUri} what="session" of={open}>
            {open.session.lifecycle === 'failed' && <CreationFailed message={open.session.creationError?.message} />}
            <Transcript
              open={open}
              root={root}
              pending={pending}
              rejections={state.rejections}
              fate={state.fate}
              timeline={state.bridge?.rows ?? none}
              pairings={state.bridge?.pairings ?? none}
              readOnly={readOnly !== undefined}
              readsOn={readOnly === undefined || (shown.readsOn === true && !removed)}
              handle={transcript}
            />
            <Announcer chat={open.chat} waiting={waiting} pairings={state.bridge?.pairings ?? none} />
          </ErrorBoundary>
        ) : (
          <div class="transcript-frame">
            {knownSession && chatUri === undefined && status.kind === 'live' ? (
              <p class="hint loading">{l10n.t('This session has no chat.')}</p>
            ) : (
              <NoSession status={status} connection={state.connection} hostLabel={shown.hostLabel} />
            )}
          </div>
        )}
        {open && <Notices open={open} root={root} />}
        <UnknownOutcomes pending={[...pending, ...pendingBelow(state, chatUri)]} />
        <PendingActions pending={pending} />
        {misplaced.map((rejection) => (
          <RejectionNote key={rejection.clientSeq} rejection={rejection} what={whatFailed(rejection)} />
        ))}
        {todos && <Todos key={chatUri} list={todos} />}
        <OutOfSight cards={cards} />
        <LooseDraft onUse={(draft) => composer.current?.add(draft)} />
        <Composer
          key={composerKey}
          draftKey={chatUri ?? uri}
          open={open}
          pending={pending}
          readOnly={shown.readOnly}
          blocked={cannotSend}
          sharing={chatView?.dialect?.name === 'channels' ? { shares: shown.sharesDrafts === true } : undefined}
          handle={composer}
          onSent={() => transcript.current?.jumpToLatest()}
          answersCall={shown.composerAnswers === true}
          currentFile={state.currentFile}
        />
      </main>
    </SessionContext.Provider>
  );
}

/** Shown in place of a session whose state is not known. */
function NoSession({ status, connection, hostLabel }: { status: ResourceStatus; connection: ConnectionInfo; hostLabel: string }) {
  if (status.kind === 'removed') return null;
  if (status.kind !== 'failed') {
    // The banner says why.
    const mayCome = connection.kind === 'connected' || connection.kind === 'connecting';
    return !mayCome ? null : (
      <p class="hint loading" role="status">
        {l10n.t('Loading the session…')}
      </p>
    );
  }
  return status.needsSignIn ? (
    <EmptyState
      text={l10n.t('Sign in to see this session.')}
      detail={l10n.t`${hostLabel} shows its sessions to those who are signed in to GitHub.`}
      actions={[signIn]}
    />
  ) : (
    <EmptyState
      text={l10n.t('This session cannot be shown.')}
      detail={status.message}
      actions={[
        { label: l10n.t('Reconnect'), command: 'reconnectHost' },
        { label: l10n.t('Show log'), command: 'showLog' },
      ]}
    />
  );
}

/** The placeholder, short enough for a sidebar. */
function whyNothingCanBeSent(status: ResourceStatus, open: OpenChat | undefined): string | undefined {
  if (status.kind === 'removed') return l10n.t('This session was removed.');
  if (status.kind === 'failed' && !open) return l10n.t('This session cannot be shown.');
  return undefined;
}

/** Appends the text of the composer, which was written last. */
function unfinishedWords(shown: SessionRef, chat: ChatState | undefined, pending: readonly PendingAction[]): Draft {
  const messages = chat
    ? unfinishedMessages(
        chat,
        pending.map(({ action }) => action),
      )
    : [];
  return messages.reduceRight(giveBack, draftOf(shown));
}

/** What the user did in other chats, such as those of subagents, and the host has not settled. */
function pendingBelow({ resources, shown }: StoreState, chat: URI | undefined): PendingAction[] {
  return [...resources].flatMap(([one, view]) => (one === shown?.uri || one === chat ? [] : askedOf(view)));
}

/** The worse one: without its chat a session cannot be shown. `chat`: absent where the session holds it. */
function statusOf(session: ResourceView = UNKNOWN, chat?: ResourceView): ResourceStatus {
  if (!chat || session.status.kind !== 'live') return session.status;
  return chat.status;
}

/** True when the card or row of the action shows the refusal. */
function hasCard(chat: ChatState, { action }: RejectedMessage): boolean {
  const { turnId, toolCallId, requestId } = action as { turnId?: unknown; toolCallId?: unknown; requestId?: unknown };
  const inTurn = (turn: Turn | ActiveTurn | undefined) =>
    turn?.id === turnId && turn?.responseParts.some((part) => part.kind === 'toolCall' && part.toolCall.toolCallId === toolCallId) === true;
  const asked = chat.activeTurn?.responseParts.some((part) => part.kind === 'inputRequest' && part.request.id === requestId) === true;
  return asked || inTurn(chat.activeTurn) || inTurn(chat.turns.at(-1));
}

function CreationFailed({ message }: { message: string | undefined }) {
  return (
    <EmptyState
      text={l10n.t('The session could not be created.')}
      detail={message ?? l10n.t('The host did not say why.')}
      actions={[
        { label: l10n.t({ message: 'New session', comment: 'a button' }), command: 'newSession' },
        { label: l10n.t('Show log'), command: 'showLog' },
      ]}
    />
  );
}

/** Puts the text of refused messages back into the composer, once each. */
function useReturnedWords(
  state: StoreState,
  composer: { current: ComposerHandle | null },
  /** The draft of a chat that is not shown. */
  draftElsewhere: (chat: URI) => SessionRef | undefined,
): void {
  const returned = useRef(new Set<number>());
  const [, redraw] = useState(0);
  useLayoutEffect(() => {
    for (const { clientSeq, action, uri } of state.rejections) {
      if (returned.current.has(clientSeq)) continue;
      returned.current.add(clientSeq);
      if (!isMessage(action)) continue;
      const elsewhere = draftElsewhere(uri);
      if (elsewhere) {
        saveDraft(elsewhere, giveBack(draftOf(elsewhere), action.message));
        redraw(clientSeq);
      } else composer.current?.giveBack(action.message);
    }
  }, [state.rejections, state.shown?.uri, composer]);
}

function whatFailed({ action, outcome }: RejectedMessage): string {
  return outcome === 'unknown' ? nameOf(action) : wordsFor(action).refused;
}
