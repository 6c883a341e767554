/**
 * The first picture of a session as HTML. It is in the document of the page, whose script runs after the picture is painted and takes over what is there. Nothing
 * in it can be used before. Runs in the extension.
 */
import { renderToString } from 'preact-render-to-string';
import { sessionKey } from '../../views/session/sessionRef.ts';
import { WaitingCards } from './answering/waitingCards.ts';
import { shownChatUri, chatOf, SessionStore, type StateMessage } from './page/sessionStore.ts';
import { Watches } from './page/watches.ts';
import { ErrorBoundary } from './parts/ErrorBoundary.tsx';
import type { ExtensionMessage } from './protocol.ts';
import { SessionView } from './SessionView.tsx';

/** Characters. */
const MAX_LENGTH = 300_000;

/** Of what a page is told at first. Undefined where the page has to draw it itself: something waits for an answer, or a draft is kept. */
export function pictureOf(messages: readonly ExtensionMessage[]): string | undefined {
  const store = new SessionStore();
  store.receiveNow(messages.filter(isOfState));
  const { state } = store;
  const chat = shownChatUri(state);
  if (!state.shown || state.question || chat === undefined || !chatOf(state, chat)) return undefined;
  const { uri } = state.shown;
  if (messages.some((message) => message.type === 'show' && [uri, chat].some((one) => message.drafts?.[one]))) return undefined;
  const html = renderToString(
    <ErrorBoundary what="view" of={sessionKey(state.shown)}>
      <SessionView shown={state.shown} state={state} store={store} watches={new Watches()} cards={new WaitingCards()} gestures={{}} />
    </ErrorBoundary>,
  );
  if (html.length > MAX_LENGTH || html.includes('waiting-card')) return undefined;
  return html.replace('<main ', '<main inert ');
}

function isOfState(message: ExtensionMessage): message is StateMessage {
  return !['response', 'focus', 'command', 'attach', 'startEnded'].includes(message.type);
}
