/**
 * One frame of the page of a session, from a batch of actions to what is drawn, of a session of 5,000 turns as a multiple of one of 50. The
 * turns that are not drawn must not cost anything.
 */
import type { ChatState, Turn } from '../src/ahp/channels/chat/state.ts';
import type { SessionState } from '../src/ahp/channels/session/state.ts';
import { chatsBelow, waitingIn } from '../src/views/attention/waitingBelow.ts';
import { chatOffersOf } from '../src/views/session/chatOffers.ts';
import { chatTabs } from '../src/views/session/chats.ts';
import { contextMeter } from '../src/views/session/composer/contextMeter.ts';
import { headerView } from '../src/views/session/frame/header.ts';
import { backgroundCount } from '../src/views/session/terminals/sessionWork.ts';
import { todoList } from '../src/views/session/todos/todoList.ts';
import { lastTurnViews } from '../src/views/session/transcript/transcript.ts';
import { chatOf, sessionOf, SessionStore, shownChatUri } from '../src/webviews/session/page/sessionStore.ts';
import type { SnapshotMessage } from '../src/webviews/session/protocol.ts';
import type { Turn as V1Turn } from '../src/ahp/v1/session.ts';
import { report } from './measure.ts';
import { SESSION, sessionWith, partId, TURN } from './traces.ts';

const [FEW, MANY] = [50, 5_000];
/** Of a batch, as the host sends them within a frame. */
const ACTIONS = 5;
const ROUNDS = 40;
const FRAMES = 50;
/** Turns that the page draws. */
const DRAWN = 50;
const CHAT = 'ahp-chat://a/1';

// Node has no frames. The bench applies what has come by itself.
Object.assign(globalThis, { requestAnimationFrame: () => 0, cancelAnimationFrame: () => undefined });

interface Page {
  snapshots: SnapshotMessage[];
  /** The chat that is shown, and the action that appends to its running turn. */
  chat: string;
  action: { type: string };
}

const snapshot = (uri: string, fields: Pick<SnapshotMessage, 'kind' | 'dialect' | 'confirmed'>): SnapshotMessage => ({
  ...{ type: 'snapshot', uri, pending: [], status: { kind: 'live' } },
  ...fields,
});

function pageOfChannels(count: number): Page {
  const origin = { kind: 'user' as const };
  const turns = Array.from({ length: count }, (_, index): Turn => ({
    id: `t${index}`,
    message: { text: 'Question', origin },
    responseParts: [{ kind: 'markdown', id: `m${index}`, content: 'Answer' }],
    state: 'complete',
  }));
  const activeTurn = {
    id: TURN,
    message: { text: 'Go', origin },
    responseParts: [{ kind: 'markdown' as const, id: partId(0), content: 'So far.' }],
  };
  const chat: ChatState = { resource: CHAT, title: '', status: 8, modifiedAt: '', turns, activeTurn };
  const session: SessionState = {
    ...{ provider: 'copilot', title: 'Bench', status: 8, lifecycle: 'ready', activeClients: [], defaultChat: CHAT },
    chats: [{ resource: CHAT, title: '', status: 8, modifiedAt: '' }],
  };
  return {
    snapshots: [
      snapshot(SESSION, { kind: 'session', dialect: 'channels', confirmed: session }),
      snapshot(CHAT, { kind: 'chat', dialect: 'channels', confirmed: chat }),
    ],
    chat: CHAT,
    action: { type: 'chat/delta', turnId: TURN, partId: partId(0), content: ' word' } as { type: string },
  };
}

function pageOfV1(count: number): Page {
  const turns = Array.from({ length: count }, (_, index): V1Turn => ({
    id: `t${index}`,
    userMessage: { text: 'Question' },
    responseParts: [{ kind: 'markdown', id: `m${index}`, content: 'Answer' }],
    state: 'complete',
  }));
  return {
    snapshots: [snapshot(SESSION, { kind: 'session', dialect: 'v1', confirmed: { ...sessionWith(1), turns } })],
    chat: SESSION,
    action: { type: 'session/delta', session: SESSION, turnId: TURN, partId: partId(0), content: ' word' } as { type: string },
  };
}

/** Applies a batch, and makes all that the page draws of it. */
function framesOf({ snapshots, chat: uri, action }: Page): () => unknown {
  const store = new SessionStore();
  const actions = Array.from({ length: ACTIONS }, () => action);
  store.receive({ type: 'show', session: { hostId: 'a', uri: SESSION, hostLabel: 'This computer' } } as Parameters<
    typeof store.receive
  >[0]);
  for (const message of snapshots) store.receive(message);
  store.flush();
  let now = 0;
  return () => {
    store.receive({ type: 'actions', uri, actions, now: ++now });
    store.flush();
    const { state } = store;
    const session = sessionOf(state);
    const chat = chatOf(state, uri);
    if (!session || !chat || shownChatUri(state) !== uri) throw new Error('the page shows no chat');
    const open = { session, chat };
    return [
      waitingIn(chatsBelow(uri, chat, { holds: () => true, chatOf: () => undefined }), uri, open),
      chatOffersOf(open, undefined, {}),
      chatTabs(session, uri),
      headerView(open, undefined, 'This computer'),
      todoList(chat),
      contextMeter(chat),
      backgroundCount(undefined, chat),
      lastTurnViews(chat, DRAWN),
    ];
  };
}

/** The sizes alternate, so that both meet the same load of the machine, and the fastest round of each counts. */
function ratio(pageOf: (count: number) => Page): number {
  const frames = [FEW, MANY].map((count) => ({ frame: framesOf(pageOf(count)), best: Infinity }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const one of frames) {
      const start = performance.now();
      for (let left = FRAMES; left > 0; left--) one.frame();
      one.best = Math.min(one.best, performance.now() - start);
    }
  }
  const [few, many] = frames as [(typeof frames)[0], (typeof frames)[0]];
  return many.best / few.best;
}

export function run(): void {
  report('one frame of the page: 5,000 turns ÷ 50', ratio(pageOfChannels), { atMost: 1.5 });
  report('one frame of the page, host of AHP v1: 5,000 turns ÷ 50', ratio(pageOfV1), { atMost: 1.5 });
}
