/** The page of one session: header, banner, transcript, composer; and what commands and refusals do to them. */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { URI } from '../../ahp/v1/common.ts';
import type { ActiveTurn, SessionState, Turn } from '../../ahp/v1/session.ts';
import { endedSession, unfinishedMessages } from '../../views/session/ended.ts';
import { headerView } from '../../views/session/header.ts';
import { Announcer } from './frame/Announcer.tsx';
import { Banner, RemovedBanner, signIn } from './frame/Banner.tsx';
import { Composer, type ComposerHandle } from './composer/Composer.tsx';
import { draftOf, giveBack } from './page/drafts.ts';
import { droppedUris, holdsFiles } from './composer/drop.ts';
import { EmptyState } from './parts/EmptyState.tsx';
import { ErrorBoundary } from './parts/ErrorBoundary.tsx';
import { Header } from './frame/Header.tsx';
import { Held } from './frame/Held.tsx';
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
import { Notices } from './frame/Notices.tsx';
import { RejectionNote } from './parts/RejectionNote.tsx';
import { SessionContext } from './page/sessionContext.tsx';
import { rootOf, type SessionStore, type StoreState } from './page/sessionStore.ts';
import { Transcript, type TranscriptHandle } from './transcript/Transcript.tsx';
import { nameOf, UnknownOutcomes } from './frame/UnknownOutcomes.tsx';
import { useContextKeys } from './page/useContextKeys.ts';
import { useLate } from './page/useLate.ts';
import type { WaitingCards } from './page/waitingCards.ts';
import type { Watches } from './page/watches.ts';

/** Messages that are gestures, not state. */
export type GestureMessage = CommandMessage | FocusMessage | AttachMessage;

interface SessionViewProps {
  shown: ShownSession;
  state: StoreState;
  store: SessionStore;
  watches: Watches;
  cards: WaitingCards;
  /** Where the page's gestures arrive. */
  gestures: { handler?: (message: GestureMessage) => void };
}

export function SessionView({ shown, state, store, watches, cards, gestures }: SessionViewProps) {
  const view = state.resources.get(shown.uri);
  const root = rootOf(state);
  const status = view?.status ?? { kind: 'loading' as const };
  const known = view?.optimistic as SessionState | undefined;
  const removed = status.kind === 'removed' ? status : undefined;
  const session = useMemo(() => (removed && known ? endedSession(known) : known), [known, removed]);
  const pending = view?.pending ?? [];
  const away = useLate(!removed && (state.connection.kind !== 'connected' || status.kind === 'stale'));
  const cannotSend = whyNothingCanBeSent(status, session);
  /** Why nothing can be done here; what the user writes is kept all the same unless it is a recording. */
  const readOnly = shown.readOnly ?? (removed && cannotSend);
  const transcript = useRef<TranscriptHandle>(null);
  const composer = useRef<ComposerHandle>(null);
  useContextKeys(session, cards);
  useReturnedWords(state, composer);

  gestures.handler = (message) => {
    if (message.type === 'attach') return composer.current?.attach(message.attachments);
    if (message.type === 'focus') {
      if (message.target === 'composer' || !cards.focusNext()) composer.current?.focus();
      return undefined;
    }
    switch (message.command) {
      case 'approve':
      case 'deny':
        return cards.answer(message.command, message.byKey === true);
      case 'jumpToLatest':
        return transcript.current?.jumpToLatest();
      case 'focusNextWaiting':
        return void cards.focusNext();
    }
  };

  const workingDirectory = session?.summary.workingDirectory;
  const context = useMemo(
    () => ({
      store,
      watches,
      cards,
      uri: shown.uri,
      readOnly: readOnly !== undefined,
      ownHost: shown.ownHost === true,
      away,
      ...(workingDirectory === undefined ? {} : { workingDirectory }),
    }),
    [store, watches, cards, shown.uri, shown.ownHost, readOnly, away, workingDirectory],
  );
  const misplaced = state.rejections.filter((rejection) => !session || !hasCard(session, rejection));
  return (
    <SessionContext.Provider value={context}>
      <main
        class="session"
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) composer.current?.stop();
        }}
        onDragOver={(event) => readOnly === undefined && holdsFiles(event.dataTransfer) && event.preventDefault()}
        onDrop={(event) => {
          if (readOnly !== undefined || !holdsFiles(event.dataTransfer)) return;
          event.preventDefault();
          composer.current?.drop(droppedUris(event.dataTransfer));
        }}
      >
        {session && (
          <Header
            uri={shown.uri}
            view={headerView(session, root, shown.hostLabel, removed ? 'removed' : away ? 'away' : undefined)}
            readOnly={readOnly !== undefined}
          />
        )}
        {removed && state.connection.kind === 'connected' ? (
          <RemovedBanner
            hostLabel={shown.hostLabel}
            isKnown={known !== undefined}
            canReopen={removed.canReopen}
            words={() => unfinishedWords(shown.uri, known, pending)}
          />
        ) : (
          // What is said in place of the session is not said above it as well.
          <Banner connection={state.connection} status={session || status.kind !== 'failed' ? status : { kind: 'loading' }} />
        )}
        {session ? (
          <ErrorBoundary what="session" of={session}>
            {session.lifecycle === 'creationFailed' && <CreationFailed message={session.creationError?.message} />}
            <Transcript
              session={session}
              root={root}
              pending={pending}
              rejections={state.rejections}
              fate={state.fate}
              readOnly={readOnly !== undefined}
              handle={transcript}
            />
            <Announcer session={session} />
          </ErrorBoundary>
        ) : (
          <div class="transcript-frame">
            <NoSession status={status} connection={state.connection} hostLabel={shown.hostLabel} />
          </div>
        )}
        {session && <Notices session={session} root={root} />}
        <UnknownOutcomes pending={pending} />
        <Held pending={pending} />
        {misplaced.map((rejection) => (
          <RejectionNote key={rejection.clientSeq} rejection={rejection} what={whatFailed(rejection)} />
        ))}
        <Composer
          session={session}
          pending={pending}
          readOnly={shown.readOnly}
          blocked={cannotSend}
          handle={composer}
          onSent={() => transcript.current?.jumpToLatest()}
        />
      </main>
    </SessionContext.Provider>
  );
}

/** What is there in place of a session of which no state is known. */
function NoSession({ status, connection, hostLabel }: { status: ResourceStatus; connection: ConnectionInfo; hostLabel: string }) {
  if (status.kind === 'removed') return null;
  if (status.kind !== 'failed') {
    // The banner says why nothing comes.
    const mayCome = connection.kind === 'connected' || connection.kind === 'connecting';
    return !mayCome ? null : (
      <p class="hint loading" role="status">
        Loading the session…
      </p>
    );
  }
  return status.needsSignIn ? (
    <EmptyState
      text="Sign in to see this session."
      detail={`${hostLabel} shows its sessions to those who are signed in to GitHub.`}
      actions={[signIn]}
    />
  ) : (
    <EmptyState
      text="This session cannot be shown."
      detail={status.message}
      actions={[
        { label: 'Reconnect', command: 'reconnectHost' },
        { label: 'Show log', command: 'showLog' },
      ]}
    />
  );
}

/** Stands in place of what is written, and is cut at the width of a sidebar. */
function whyNothingCanBeSent(status: ResourceStatus, session: SessionState | undefined): string | undefined {
  if (status.kind === 'removed') return 'This session was removed.';
  if (status.kind === 'failed' && !session) return 'This session cannot be shown.';
  return undefined;
}

/** With what is in the composer last, as it was written last. */
function unfinishedWords(uri: URI, session: SessionState | undefined, pending: readonly PendingAction[]): Draft {
  const messages = session
    ? unfinishedMessages(
        session,
        pending.map(({ action }) => action),
      )
    : [];
  return messages.reduceRight(giveBack, draftOf(uri));
}

/** True when the refusal is shown in the card or the row of what it was about. */
function hasCard(session: SessionState, { action }: RejectedMessage): boolean {
  const { toolCallId, requestId } = action as { toolCallId?: unknown; requestId?: unknown };
  const inTurn = (turn: Turn | ActiveTurn | undefined) =>
    turn?.responseParts.some((part) => part.kind === 'toolCall' && part.toolCall.toolCallId === toolCallId) === true;
  return session.inputRequests?.some(({ id }) => id === requestId) === true || inTurn(session.activeTurn) || inTurn(session.turns.at(-1));
}

function CreationFailed({ message }: { message: string | undefined }) {
  return (
    <EmptyState
      text="The session could not be created."
      detail={message ?? 'The host did not say why.'}
      actions={[
        { label: 'New session', command: 'newSession' },
        { label: 'Show log', command: 'showLog' },
      ]}
    />
  );
}

/** Words of refused messages go back into the composer, once each. */
function useReturnedWords(state: StoreState, composer: { current: ComposerHandle | null }): void {
  const returned = useRef(new Set<number>());
  useLayoutEffect(() => {
    for (const { clientSeq, action } of state.rejections) {
      if (returned.current.has(clientSeq)) continue;
      returned.current.add(clientSeq);
      if (action.type !== 'session/turnStarted' && action.type !== 'session/pendingMessageSet') continue;
      if (action.session === state.shown?.uri) composer.current?.giveBack(action.userMessage);
    }
  }, [state.rejections, state.shown?.uri, composer]);
}

function whatFailed({ action, outcome }: RejectedMessage): string {
  return outcome === 'unknown' ? nameOf(action) : refused(action.type);
}

function refused(type: string): string {
  switch (type) {
    case 'session/toolCallConfirmed':
    case 'session/toolCallResultConfirmed':
    case 'session/inputCompleted':
      return 'Your answer was not taken';
    case 'session/turnStarted':
    case 'session/pendingMessageSet':
      return 'Your message was not taken; it is back below';
    case 'session/turnCancelled':
      return 'The turn was not stopped';
    case 'session/titleChanged':
      return 'The title was not changed';
    case 'session/modelChanged':
      return 'The model was not changed';
    case 'session/configChanged':
      return 'The setting was not changed';
    default:
      return 'The host refused this';
  }
}
