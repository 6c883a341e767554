/** Entry of the page of the inbox: receives the extension's messages and renders. */
import { render } from 'preact';
import '@xterm/xterm/css/xterm.css';
import './inbox.css';
import '../session/elements.ts';
import { sameJson } from '../../base/sameJson.ts';
import { WaitingCards } from '../session/answering/waitingCards.ts';
import { receiveResponse } from '../session/page/pageRequests.ts';
import { Watches } from '../session/page/watches.ts';
import { ErrorBoundary } from '../session/parts/ErrorBoundary.tsx';
import { shellPort } from '../port/shellPort.ts';
import { toldOf } from '../session/drafts/unsentActs.ts';
import { InboxPage } from './InboxPage.tsx';
import { ItemSessions } from './itemSessions.ts';
import type { InboxExtensionMessage, InboxItem, ItemsMessage } from './protocol.ts';
import { postInbox } from './postInbox.ts';

const cards = new WaitingCards();
const watches = new Watches();
const sessions = new ItemSessions(draw);
const gestures: { handler?: (message: Extract<InboxExtensionMessage, { type: 'focus' | 'answer' }>) => void } = {};
let shown: ItemsMessage | undefined;
/** Why the shell of the page cannot be reached. */
let linkProblem: string | undefined;

function draw(): void {
  render(
    <ErrorBoundary what="view" of={shown}>
      <InboxPage shown={shown} problem={linkProblem} cards={cards} watches={watches} sessions={sessions} gestures={gestures} />
    </ErrorBoundary>,
    document.body,
  );
}

function receive(message: InboxExtensionMessage): void {
  switch (message.type) {
    case 'items':
      shown = { ...message, items: withKnown(message.items, shown?.items ?? []) };
      sessions.follow(shown.items);
      return draw();
    case 'inSession':
      if (message.message.type === 'response') return receiveResponse(message.message);
      return sessions.receive(message.session, message.message);
    default:
      return gestures.handler?.(message);
  }
}

function tellLink(problem: string | undefined): void {
  linkProblem = problem;
  draw();
}

/** A card keeps what was typed and seen as long as its item is the same object. Each message brings new ones. */
function withKnown(items: readonly InboxItem[], before: readonly InboxItem[]): InboxItem[] {
  const known = new Map(before.map((item) => [item.id, item]));
  return items.map((item) => {
    const old = known.get(item.id);
    return old && sameJson(old, item) ? old : item;
  });
}

shellPort.listen({
  receive: (message) => receive(message as InboxExtensionMessage),
  unsent(unsent) {
    const told = toldOf(unsent);
    if (!told) return tellLink(unsent.reason);
    if (told.type === 'response') return receiveResponse(told);
    return sessions.receive(told.session, told);
  },
  link: tellLink,
});
draw();
postInbox({ type: 'ready' });
