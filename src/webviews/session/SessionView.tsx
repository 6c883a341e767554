/** The page of a session: header, banner, transcript and composer, and the effects of commands and refusals. */
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ActiveTurn, SessionState, Turn } from '../../ahp/v1/session.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { endedSession, unfinishedMessages } from '../../views/session/frame/ended.ts';
import { wellFormedSession } from '../../views/wellFormedV1.ts';
import { waitingBelow } from '../../views/attention/waitingBelow.ts';
import { isSubagentOf } from '../../ahp/subagentUri.ts';
import type { URI } from '../../ahp/v1/common.ts';
import { headerView } from '../../views/session/frame/header.ts';
import { Announcer } from './frame/Announcer.tsx';
import { useKnownCalls } from './page/knownCalls.ts';
import { Banner, RemovedBanner, signIn } from './frame/Banner.tsx';
import { Consent } from './frame/Consent.tsx';
import { Composer, type ComposerHandle } from './composer/Composer.tsx';
import { draftOf, giveBack } from './composer/drafts.ts';
import { droppedUris, holdsFiles } from './composer/drop.ts';
import { EmptyState } from './parts/EmptyState.tsx';
import { ErrorBoundary } from './parts/ErrorBoundary.tsx';
import { Header } from './frame/Header.tsx';
import { Held } from './frame/Held.tsx';
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
import { OutOfSight } from './frame/OutOfSight.tsx';
import { Notices } from './frame/Notices.tsx';
import { RejectionNote } from './parts/RejectionNote.tsx';
import { SessionContext } from './page/sessionContext.tsx';
import { sessionPort } from './page/sessionPort.ts';
import { rootOf, type SessionStore, type StoreState } from './page/sessionStore.ts';
import { Transcript, type TranscriptHandle } from './transcript/Transcript.tsx';
import { nameOf, UnknownOutcomes } from './frame/UnknownOutcomes.tsx';
import { useContextKeys, useFocusReport } from './page/useContextKeys.ts';
import { useLate } from './page/useLate.ts';
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
  const status = view?.status ?? { kind: 'loading' as const };
  const known = view?.optimistic as SessionState | undefined;
  const removed = status.kind === 'removed' ? status : undefined;
  const session = useMemo(() => (removed && known ? endedSession(known) : known), [known, removed]);
  const pending = view?.pending ?? [];
  const away = useLate(!removed && (state.connection.kind !== 'connected' || status.kind === 'stale'));
  const cannotSend = whyNothingCanBeSent(status, session);
  /** Why nothing can be sent here. The user can still type, except in a recording. */
  const readOnly = shown.readOnly ?? (removed && cannotSend);
  const transcript = useRef<TranscriptHandle>(null);
  const composer = useRef<ComposerHandle>(null);
  const stateOf = (one: URI) => state.resources.get(one)?.optimistic as SessionState | undefined;
  const waiting = session ? waitingBelow(shown.uri, session, stateOf) : [];
  useFocusReport(cards);
  useContextKeys(session, waiting.length);
  useReturnedWords(state, composer);

  /** What waits is not known before the session is. */
  const focusWhenLoaded = useRef<{ uri: string; card?: string }>(undefined);
  const focusOn = (target: 'composer' | 'needsYou', card?: string) => {
    if (target === 'needsYou' && card !== undefined && cards.focus(card)) return;
    if (target === 'composer' || !cards.focusNext()) composer.current?.focus();
  };
  const isLoaded = session !== undefined;
  useEffect(() => {
    const wanted = focusWhenLoaded.current;
    if (!isLoaded || wanted?.uri !== shown.uri) return;
    focusWhenLoaded.current = undefined;
    focusOn('needsYou', wanted.card);
  }, [isLoaded, shown.uri]);

  gestures.handler = (message) => {
    if (message.type === 'attach') return composer.current?.attach(message.attachments);
    if (message.type === 'focus') {
      const isLoading = message.target === 'needsYou' && !session;
      focusWhenLoaded.current = isLoading ? { uri: shown.uri, card: message.card } : undefined;
      if (!isLoading) focusOn(message.target, message.card);
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
  const knownCalls = useKnownCalls(state.bridge);
  const port = useMemo(() => sessionPort({ hostId, uri }), [hostId, uri]);
  const context = useMemo(
    () => ({
      ...port,
      hostId,
      uri,
      store,
      watches,
      cards,
      readOnly: readOnly !== undefined,
      ownHost: shown.ownHost === true,
      away,
      knownCalls,
      decisions: state.decisions,
      ...(workingDirectory === undefined ? {} : { workingDirectory }),
    }),
    [port, hostId, uri, store, watches, cards, shown.ownHost, readOnly, away, knownCalls, state.decisions, workingDirectory],
  );
  const misplaced = state.rejections.filter((rejection) => {
    const where = stateOf(sessionOf(rejection) ?? shown.uri);
    return !where || !hasCard(where, rejection);
  });
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
            view={headerView(session, root, shown.hostLabel, removed ? 'removed' : away ? 'away' : undefined, waiting.length > 0)}
            readOnly={readOnly !== undefined}
            lending={state.bridge?.lending}
          />
        )}
        {removed && state.connection.kind === 'connected' ? (
          <RemovedBanner
            hostLabel={shown.hostLabel}
            isKnown={known !== undefined}
            canReopen={removed.canReopen}
            words={() => unfinishedWords(shown, known, pending)}
          />
        ) : (
          // Without a state, the empty view says what is wrong.
          <Banner connection={state.connection} status={session || status.kind !== 'failed' ? status : { kind: 'loading' }} />
        )}
        {session && view?.confirmed && !removed && (
          <Consent session={session} confirmed={wellFormedSession(view.confirmed as SessionState)} />
        )}
        {session && !removed && !away && <LendingBanner lending={state.bridge?.lending} />}
        {session ? (
          <ErrorBoundary what="session" of={session}>
            {session.lifecycle === 'creationFailed' && <CreationFailed message={session.creationError?.message} />}
            <Transcript
              session={session}
              root={root}
              pending={pending}
              rejections={state.rejections}
              fate={state.fate}
              timeline={state.bridge?.rows ?? none}
              pairings={state.bridge?.pairings ?? none}
              readOnly={readOnly !== undefined}
              handle={transcript}
            />
            <Announcer session={session} waiting={waiting} pairings={state.bridge?.pairings ?? none} />
          </ErrorBoundary>
        ) : (
          <div class="transcript-frame">
            <NoSession status={status} connection={state.connection} hostLabel={shown.hostLabel} />
          </div>
        )}
        {session && <Notices session={session} root={root} />}
        <UnknownOutcomes pending={[...pending, ...pendingBelow(shown.uri, state)]} />
        <Held pending={pending} />
        {misplaced.map((rejection) => (
          <RejectionNote key={rejection.clientSeq} rejection={rejection} what={whatFailed(rejection)} />
        ))}
        <OutOfSight cards={cards} />
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

/** Shown in place of a session whose state is not known. */
function NoSession({ status, connection, hostLabel }: { status: ResourceStatus; connection: ConnectionInfo; hostLabel: string }) {
  if (status.kind === 'removed') return null;
  if (status.kind !== 'failed') {
    // The banner says why.
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

/** The placeholder, short enough for a sidebar. */
function whyNothingCanBeSent(status: ResourceStatus, session: SessionState | undefined): string | undefined {
  if (status.kind === 'removed') return 'This session was removed.';
  if (status.kind === 'failed' && !session) return 'This session cannot be shown.';
  return undefined;
}

/** Appends the text of the composer, which was written last. */
function unfinishedWords(shown: SessionRef, session: SessionState | undefined, pending: readonly PendingAction[]): Draft {
  const messages = session
    ? unfinishedMessages(
        session,
        pending.map(({ action }) => action),
      )
    : [];
  return messages.reduceRight(giveBack, draftOf(shown));
}

/** What the user did in the sessions of subagents and the host has not settled. */
function pendingBelow(uri: URI, { resources }: StoreState): PendingAction[] {
  return [...resources].flatMap(([one, { pending }]) => (isSubagentOf(one, uri) ? pending : []));
}

function sessionOf({ action }: RejectedMessage): URI | undefined {
  return 'session' in action && typeof action.session === 'string' ? action.session : undefined;
}

/** True when the card or row of the action shows the refusal. */
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

/** Puts the text of refused messages back into the composer, once each. */
function useReturnedWords(state: StoreState, composer: { current: ComposerHandle | null }): void {
  const returned = useRef(new Set<number>());
  useLayoutEffect(() => {
    for (const { clientSeq, action } of state.rejections) {
      if (returned.current.has(clientSeq)) continue;
      returned.current.add(clientSeq);
      if (action.type !== 'session/turnStarted' && action.type !== 'session/pendingMessageSet') continue;
      composer.current?.giveBack(action.userMessage);
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
      return 'Your answer was not accepted';
    case 'session/turnStarted':
    case 'session/pendingMessageSet':
      return 'Your message was not accepted and is back in the composer';
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
