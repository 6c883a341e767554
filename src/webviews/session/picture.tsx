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
import { FIRST } from './transcript/Transcript.tsx';

/** Characters. Much less is in view. */
const MAX_LENGTH = 300_000;
/** Of all that is told, without the turns above the first picture. To draw more can take the extension longer than the page. */
const MAX_TOLD = 200_000;
const MAX_TURNS = 500;
/** Of the markup, in which no text of anybody has such a quote. */
const WAITS = /class="[^"]{0,200}(?:waiting|pairing)-card/;

/** Of what a page is told at first. Undefined where the page has to draw it itself: something waits for an answer, a draft is kept, or it is too much. */
export function pictureOf(messages: readonly ExtensionMessage[]): string | undefined {
  if (isTooMuch(messages)) return undefined;
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
  if (html.length > MAX_LENGTH || WAITS.test(html)) return undefined;
  return html.replace('<main ', '<main inert aria-busy="true" ');
}

function isTooMuch(messages: readonly ExtensionMessage[]): boolean {
  let left = MAX_TOLD;
  for (const message of messages) {
    const { turns, ...others } = (message.type === 'snapshot' ? message.confirmed : message) as { turns?: unknown };
    const list = Array.isArray(turns) ? (turns as unknown[]) : [];
    if (list.length > MAX_TURNS) return true;
    left = leftAfter([others, list.slice(-FIRST)], left);
  }
  return left < 0;
}

/** What is left of so many characters after a value of JSON. Looks at no more than that. */
function leftAfter(value: unknown, left: number): number {
  if (typeof value === 'string') return left - value.length;
  if (typeof value !== 'object' || value === null) return left - 1;
  let rest = left;
  for (const key in value) {
    if (rest < 0) break;
    rest = leftAfter((value as Record<string, unknown>)[key], rest - 1);
  }
  return rest;
}

/** Messages of which nothing is in the state. The compiler asks for each of them. */
const notOfState: Record<Exclude<ExtensionMessage['type'], StateMessage['type']>, true> = {
  response: true,
  focus: true,
  command: true,
  attach: true,
  startEnded: true,
};
function isOfState(message: ExtensionMessage): message is StateMessage {
  return !Object.hasOwn(notOfState, message.type);
}
