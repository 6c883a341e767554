/** Entry of the session webview: receives the extension's messages and renders, at most once a frame. */
import * as l10n from '../../base/l10n.ts';
import { render } from 'preact';
import '@xterm/xterm/css/xterm.css';
import './session.css';
import { LateNote } from '../late/LateNote.tsx';
import { latePart, type LatePart } from '../late/latePart.ts';
import { isMessage } from '../../views/session/sessionGesture.ts';
import { sameSession, sessionKey } from '../../views/session/sessionRef.ts';
import { adoptDraft, draftOf, giveBack, postDrafts, saveDraft } from './drafts/chatDrafts.ts';
import { moveDrafts } from './chats/moveDrafts.ts';
import { ErrorBoundary } from './parts/ErrorBoundary.tsx';
import type { ExtensionMessage, RejectedMessage, ShowMessage } from './protocol.ts';
import { abandonRequests, receiveResponse } from './page/pageRequests.ts';
import { SessionStore, type StoreState } from './page/sessionStore.ts';
import { newSession, StartPage } from './newSession/StartPage.tsx';
import { endStart } from './newSession/startWords.ts';
import { shellPort } from '../port/shellPort.ts';
import { toldOf } from './drafts/unsentActs.ts';
import { SessionView, type GestureMessage } from './SessionView.tsx';
import { persistShown, post } from './page/pageShell.ts';
import { markdownView } from './text/Markdown.tsx';
import { diffs } from './toolCall/EditPreview.tsx';
import { findBar } from './transcript/Transcript.tsx';
import { questionForm } from './waiting/questions/QuestionCard.tsx';
import { WaitingCards } from './answering/waitingCards.ts';
import { Watches } from './page/watches.ts';

const NOT_ANSWERED = l10n.t('The connection was cut before there was an answer.');
/** What is loaded later does not wait longer for the first picture: a host may be away. */
const PICTURE_MS = 500;
/** What VS Code has kept for the page comes sooner than this, once it is loaded. */
const KEPT_MS = 30;
const store = new SessionStore();
const watches = new Watches();
const cards = new WaitingCards();
const buttons = latePart(
  l10n.t('The rest of this page'),
  () => import('./elements.ts'),
  () => true,
);
const questionDialog = latePart(
  l10n.t('The question'),
  () => import('./frame/QuestionDialog.tsx'),
  ({ QuestionDialog }) => QuestionDialog,
);
/** What the first picture does without. All of it is in one file, so whatever is shown after that is there at once. */
const soon: readonly LatePart<unknown>[] = [buttons, markdownView, newSession, questionForm, questionDialog, diffs, findBar];
let startsEnded = 0;
const gestures: { handler?: (message: GestureMessage) => void } = {};
/** What came for the page without a session before that was loaded. */
const early: GestureMessage[] = [];

function Page({ state }: { state: StoreState }) {
  if (!state.ready) return null;
  if (!state.shown) {
    const watches = state.lacks?.includes('emitters') !== true;
    return <StartPage start={state.start} watches={watches} ended={startsEnded} cards={cards} gestures={gestures} />;
  }
  return (
    <SessionView
      key={sessionKey(state.shown)}
      shown={state.shown}
      state={state}
      store={store}
      watches={watches}
      cards={cards}
      gestures={gestures}
    />
  );
}

/** Says that it did not come. */
function Rest() {
  const [first, ...others] = soon.filter(({ problem }) => problem !== undefined);
  return first ? (
    <div class="late-problem">
      <LateNote part={first} others={others} />
    </div>
  ) : null;
}

/** Of a shell that has no dialogs. */
function ShellQuestion({ question }: Pick<StoreState, 'question'>) {
  const { loaded: QuestionDialog } = questionDialog;
  if (!question || !QuestionDialog) return null;
  const { id } = question;
  return (
    <QuestionDialog
      key={id}
      question={question}
      onAnswer={(answer) => {
        post({ type: 'answerQuestion', id, ...(answer !== undefined && { answer }) });
        // A second click must not answer the next one.
        store.receive({ type: 'question' });
      }}
    />
  );
}

function draw(): void {
  // What is there may be a picture of it already.
  if (!store.state.ready) return;
  render(
    <ErrorBoundary what="view" of={store.state.shown && sessionKey(store.state.shown)}>
      <Rest />
      <Page state={store.state} />
      <ShellQuestion question={store.state.question} />
    </ErrorBoundary>,
    document.body,
  );
}

function receive(message: ExtensionMessage): void {
  switch (message.type) {
    case 'response':
      return receiveResponse(message);
    case 'focus':
    case 'command':
    case 'attach':
      // These messages refer to the newest state, so render it first.
      store.flush();
      if (store.state.shown || newSession.loaded) return gestures.handler?.(message);
      early.push(message);
      return;
    case 'startEnded':
      endStart(message.session !== undefined);
      startsEnded++;
      return draw();
    case 'rejected':
      keepWordsOfOtherSessions(message);
      return store.receive(message);
    case 'show':
      if (message.session) adoptDrafts(message.session.hostId, message.drafts ?? {});
      persistShown(message.session && { hostId: message.session.hostId, uri: message.session.uri });
      store.receive(message);
      // What needs it is marked with `data-needs`, and is not shown.
      document.documentElement.dataset['lacks'] = (message.lacks ?? []).join(' ');
      // What comes with the first is drawn with it, without waiting for a frame.
      if (!store.state.ready) return queueMicrotask(() => store.flush());
      // Render first, so that only resources that are still shown are watched again.
      store.flush();
      return watches.renew();
    default:
      return store.receive(message);
  }
}

/** What is loaded before the first picture makes that later. In a page that is not shown there may be none. */
function afterPicture(then: () => void): void {
  const timer = setTimeout(then, PICTURE_MS);
  const first = () => {
    if (!store.state.ready) return;
    end();
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(then);
    });
  };
  const end = store.subscribe(first);
  first();
}

function adoptDrafts(hostId: string, drafts: NonNullable<ShowMessage['drafts']>): void {
  for (const [uri, draft] of Object.entries(drafts)) adoptDraft({ hostId, uri }, draft);
}

/** A message may be refused after the user has opened another session. Its text is then added to the draft of its own session. */
function keepWordsOfOtherSessions({ session, action }: RejectedMessage): void {
  if (!isMessage(action)) return;
  if (!sameSession(session, store.state.shown)) saveDraft(session, giveBack(draftOf(session), action.message));
}

function sayReady(): void {
  store.flush();
  post({ type: 'ready', told: store.state.ready });
}

/** After what VS Code has kept for the page, which comes in the tasks after it is loaded: a page that asks before is told everything twice. */
function sayReadyOnceTold(): void {
  const end = store.subscribe(() => store.state.ready && say());
  const timer = setTimeout(say, KEPT_MS);
  function say() {
    clearTimeout(timer);
    end();
    sayReady();
  }
}

/** Once the shell is there again, it tells about the host's connection. */
function tellLink(message: string): void {
  store.receive({ type: 'connection', connection: { kind: 'reconnecting', message } });
}

newSession.subscribe(() => {
  if (!newSession.loaded) return;
  draw();
  for (const message of early.splice(0)) gestures.handler?.(message);
});
let before = store.state;
store.subscribe(() => {
  moveDrafts(before, store.state);
  before = store.state;
  draw();
});
shellPort.listen({
  receive: (message) => receive(message as ExtensionMessage),
  unsent(unsent) {
    const told = toldOf(unsent);
    if (!told) return tellLink(unsent.reason);
    receive(told);
    // The page may be gone with the next frame, and the words go back into the draft before.
    store.flush();
  },
  link(problem) {
    if (problem === undefined) return;
    tellLink(problem);
    store.receive({ type: 'question' });
    abandonRequests(NOT_ANSWERED);
  },
});
document.addEventListener('visibilitychange', () => document.hidden && postDrafts());
window.addEventListener('pagehide', postDrafts);
// Nobody says what became of a session that was being started before the page was loaded.
endStart(false);
if (document.readyState === 'complete') sayReadyOnceTold();
else window.addEventListener('load', sayReadyOnceTold);
for (const part of soon) part.subscribe(draw);
afterPicture(() => soon.forEach((part) => part.want()));
