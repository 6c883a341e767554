/** Entry of the session webview: receives the extension's messages and draws, at most once a frame. */
import { render } from 'preact';
import '@xterm/xterm/css/xterm.css';
import './session.css';
import './elements.ts';
import { adoptDraft, draftOf, giveBack, postDrafts, saveDraft } from './page/drafts.ts';
import { EmptyState } from './parts/EmptyState.tsx';
import { ErrorBoundary } from './parts/ErrorBoundary.tsx';
import type { ExtensionMessage, RejectedMessage } from './protocol.ts';
import { receiveResponse } from './page/requests.ts';
import { SessionStore, type StoreState } from './page/sessionStore.ts';
import { SessionView, type GestureMessage } from './SessionView.tsx';
import { persistShown, post } from './page/vscodeApi.ts';
import { WaitingCards } from './page/waitingCards.ts';
import { Watches } from './page/watches.ts';

const store = new SessionStore();
const watches = new Watches();
const cards = new WaitingCards();
const gestures: { handler?: (message: GestureMessage) => void } = {};

function Page({ state }: { state: StoreState }) {
  if (!state.ready) return null;
  if (!state.shown) {
    return (
      <EmptyState
        text="No session is open."
        actions={[
          { label: 'New session', command: 'newSession' },
          { label: 'Try the demo agent', command: 'startDemo' },
        ]}
      />
    );
  }
  return (
    <SessionView
      key={state.shown.uri}
      shown={state.shown}
      state={state}
      store={store}
      watches={watches}
      cards={cards}
      gestures={gestures}
    />
  );
}

function draw(): void {
  render(
    <ErrorBoundary what="view" of={store.state.shown?.uri}>
      <Page state={store.state} />
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
      // They are about what the user sees or will see at once: draw what has come first.
      store.flush();
      return gestures.handler?.(message);
    case 'rejected':
      keepWordsOfOtherSessions(message);
      return store.receive(message);
    case 'show':
      if (message.session && message.draft) adoptDraft(message.session.uri, message.draft);
      persistShown(message.session && { hostId: message.session.hostId, uri: message.session.uri });
      store.receive(message);
      // Drawn at once, so that only what the page still shows is watched on.
      store.flush();
      return watches.renew();
    default:
      return store.receive(message);
  }
}

/** A refusal may come after the user has gone to another session: the words wait in that session's draft. */
function keepWordsOfOtherSessions({ action }: RejectedMessage): void {
  if (action.type !== 'session/turnStarted' && action.type !== 'session/pendingMessageSet') return;
  if (action.session !== store.state.shown?.uri) saveDraft(action.session, giveBack(draftOf(action.session), action.userMessage));
}

store.subscribe(draw);
// The extension posts what came within a frame in one piece.
window.addEventListener('message', ({ data }: MessageEvent<readonly ExtensionMessage[]>) => {
  // Other scripts of the page's frame may post too; theirs are no lists.
  if (Array.isArray(data)) data.forEach(receive);
});
document.addEventListener('visibilitychange', () => document.hidden && postDrafts());
window.addEventListener('pagehide', postDrafts);
post({ type: 'ready' });
