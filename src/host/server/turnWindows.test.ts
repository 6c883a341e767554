import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ActionEnvelope, StateAction } from '../../ahp/channels/actions.ts';
import { chatReducer } from '../../ahp/channels/chat/chatReducer.ts';
import type { ChatAction } from '../../ahp/channels/chat/actions.ts';
import type { ChatState, Turn } from '../../ahp/channels/chat/state.ts';
import { StateStore } from '../state/stateStore.ts';
import { PAGE_TURNS } from '../state/turnPages.ts';
import { TurnWindows } from './turnWindows.ts';
import { runs } from '../../../test/support/runs.ts';

const CHAT = 'chat:/a';
const message = { text: 'Hi', origin: { kind: 'user' as const } };
const turn = (id: string, text = ''): Turn => ({
  id,
  message,
  responseParts: [{ kind: 'markdown', id: 'm', content: text }],
  state: 'complete',
});
const numbered = (count: number, text?: string): Turn[] => Array.from({ length: count }, (_, index) => turn(`t${index}`, text));
const ids = ({ turns }: Pick<ChatState, 'turns'>): string[] => turns.map(({ id }) => id);

/** A chat in the store, and what its readers are told. */
class Chat {
  readonly store = new StateStore({ now: () => 0 });
  readonly readers = new Set<Reader>();
  readonly windows = new TurnWindows(this.store, (envelope) => this.tell(envelope));

  constructor(turns: Turn[]) {
    this.store.add({
      channel: CHAT,
      kind: 'chat',
      state: { resource: CHAT, title: '', status: 1, modifiedAt: '2026-01-01T00:00:00.000Z', turns },
    });
    this.store.onDidDispatch((dispatched) => this.tell(this.windows.told(dispatched)));
  }

  get state(): ChatState {
    return this.store.chat(CHAT) as ChatState;
  }
  act(action: ChatAction): void {
    this.store.dispatch(CHAT, action as StateAction);
  }
  say(id: string): void {
    this.act({ type: 'chat/turnStarted', turnId: id, startedAt: '2026-01-01T00:00:00.000Z', message });
    this.act({ type: 'chat/turnComplete', turnId: id } as ChatAction);
  }
  cut(clientId: string, wished?: number): { state: ChatState; fromSeq: number } {
    const snapshot = this.store.snapshot(CHAT);
    assert.ok(snapshot);
    return this.windows.cut(snapshot, clientId, wished) as { state: ChatState; fromSeq: number };
  }
  tell(envelope: ActionEnvelope): void {
    for (const reader of this.readers) reader.take(envelope);
  }
}

/** A client as the protocol describes it. */
class Reader {
  state: ChatState;
  seen: number;

  constructor(
    readonly chat: Chat,
    readonly id: string,
  ) {
    chat.windows.forget(id);
    ({ state: this.state, fromSeq: this.seen } = chat.cut(id));
    chat.readers.add(this);
  }

  take({ action, serverSeq }: ActionEnvelope): void {
    assert.ok(serverSeq > this.seen, `${serverSeq} comes after ${this.seen}`);
    this.seen = serverSeq;
    this.state = chatReducer(this.state, action as ChatAction, 0);
  }
  /** `isLost`: the connection ends before the page has come. */
  fetch(isLost = false): void {
    const { turnsNextCursor } = this.state;
    const page = turnsNextCursor === undefined ? undefined : this.chat.windows.before(CHAT, turnsNextCursor, this.id);
    if (page && !isLost) this.take(page);
  }
  leave(): void {
    this.chat.readers.delete(this);
  }
  reconnect(): void {
    const { state, fromSeq } = this.chat.cut(this.id);
    const missed = this.chat.windows.canReplay(CHAT, this.seen) ? this.chat.store.replay(this.seen, CHAT) : undefined;
    if (missed) for (const envelope of missed) this.take(envelope);
    else this.state = state;
    this.seen = fromSeq;
    this.chat.readers.add(this);
  }
  /** It has the end of the chat, and knows whether that is all. */
  check(): void {
    const all = this.chat.state;
    const { turns, turnsNextCursor, ...rest } = this.state;
    const { turns: allTurns, ...allRest } = all;
    assert.deepEqual(turns, turns.length === 0 ? [] : allTurns.slice(-turns.length));
    assert.deepEqual(rest, allRest);
    assert.equal(turnsNextCursor !== undefined, turns.length < allTurns.length);
    assert.ok(turns.length > 0 || allTurns.length === 0 || all.activeTurn);
  }
}

/** What the host tells in the next tick is told. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the turns that a client has', () => {
  it('are the newest ones, and a cursor for those before', () => {
    const chat = new Chat(numbered(120));
    const reader = new Reader(chat, 'a');
    assert.equal(PAGE_TURNS, 50);
    assert.deepEqual(ids(reader.state), ids({ turns: numbered(120).slice(70) }));
    reader.fetch();
    assert.equal(reader.state.turns.length, 100);
    reader.fetch();
    assert.deepEqual(reader.state, chat.state);
  });

  it('are all turns of a chat that is not longer than a page', () => {
    const chat = new Chat(numbered(50));
    assert.equal(chat.cut('a').state, chat.state);
    assert.equal(chat.windows.before(CHAT, undefined, 'a'), undefined);
  });

  it('are as many as the client wishes, and one at least', () => {
    const chat = new Chat(numbered(120));
    for (const [wished, got] of [
      [0, 1],
      [3, 3],
      [100, 100],
      [1000, 120],
    ])
      assert.equal(chat.cut(`${wished}`, wished).state.turns.length, got);
  });

  it('are fewer where they are large, and one at least', () => {
    const some = new Reader(new Chat(numbered(10, 'x'.repeat(300_000))), 'a');
    assert.equal(some.state.turns.length, 3);
    some.fetch();
    assert.equal(some.state.turns.length, 6);
    const one = new Reader(new Chat(numbered(10, 'x'.repeat(3_000_000))), 'a');
    assert.equal(one.state.turns.length, 1);
    one.fetch();
    assert.equal(one.state.turns.length, 2);
  });

  it('come without a cursor as those before what the client was sent', () => {
    const chat = new Chat(numbered(120));
    const reader = new Reader(chat, 'a');
    for (const length of [100, 120]) {
      reader.take(chat.windows.before(CHAT, undefined, 'a') as ActionEnvelope);
      assert.equal(reader.state.turns.length, length);
    }
    assert.deepEqual(reader.state, chat.state);
  });

  it('are refused for a cursor of turns that are gone, and to a client that does not read the chat', () => {
    const chat = new Chat(numbered(120));
    const reader = new Reader(chat, 'a');
    const cursor = reader.state.turnsNextCursor;
    chat.act({ type: 'chat/truncated', turnId: 't10' });
    const gone = { code: -32602, message: 'cursor: these turns are no longer in the chat; subscribe again' };
    for (const old of [cursor, '', 'x', '0:', '-1:t0', '1e1:t9', '3:t1', '999999999:t'])
      assert.throws(() => chat.windows.before(CHAT, old, 'a'), gone);
    assert.throws(() => chat.windows.before(CHAT, cursor, 'b'), { code: -32602, message: /subscribe/ });
    assert.throws(() => chat.windows.before('chat:/none', cursor, 'a'), { code: -32602 });
  });

  it('stay when the chat is cut at one that every client has', () => {
    const chat = new Chat(numbered(120));
    const reader = new Reader(chat, 'a');
    chat.act({ type: 'chat/truncated', turnId: 't80' });
    assert.deepEqual([reader.state.turns.length, reader.state.turns.at(-1)?.id], [11, 't80']);
    reader.check();
  });

  it('begin anew when the chat is cut at one that not every client has, and nothing is missing in between', async () => {
    const chat = new Chat(numbered(200));
    const far = new Reader(chat, 'far');
    const near = new Reader(chat, 'near');
    for (let page = 0; page < 3; page++) far.fetch();
    const early = far.state.turnsNextCursor;
    assert.equal(early, undefined);
    const cursor = '20:t19';
    chat.act({ type: 'chat/truncated', turnId: 't99' });
    chat.say('more');
    await settled();
    for (const reader of [far, near]) {
      reader.check();
      assert.deepEqual([reader.state.turns.length, reader.state.turns.at(-1)?.id], [51, 'more']);
    }
    // It was on its way when the chat was cut.
    far.take(chat.windows.before(CHAT, cursor, 'far') as ActionEnvelope);
    far.check();
  });

  it('are all sent once more to a client that has loaded them and subscribes again, and the newest to another one', () => {
    const chat = new Chat(numbered(200));
    const reader = new Reader(chat, 'a');
    reader.fetch();
    assert.equal(chat.cut('a').state.turns.length, 100);
    assert.equal(chat.cut('b').state.turns.length, 50);
    chat.windows.forget('a', CHAT);
    assert.equal(chat.cut('a').state.turns.length, 50);
  });

  it('are an end of the chat with a cursor where that is not all, whatever happens', async () => {
    const who = fc.nat(2);
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ say: fc.integer({ min: 1, max: 40 }) }) },
      fc.record({ keep: fc.option(fc.double({ min: 0, max: 1, noNaN: true })) }),
      { weight: 3, arbitrary: fc.record({ fetch: who, isLost: fc.boolean() }) },
      fc.record({ resume: fc.constant(true) }),
      fc.record({ leave: who }),
      fc.record({ renew: who }),
      fc.record({ settle: fc.constant(true) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(300), fc.array(step, { maxLength: 40 }), async (count, steps) => {
        const chat = new Chat(numbered(count));
        const readers = [0, 1, 2].map((id) => new Reader(chat, `${id}`));
        const away = new Set<Reader>();
        let said = 0;
        const back = (reader: Reader) => {
          if (away.delete(reader)) reader.reconnect();
        };
        for (const step of steps) {
          // Frames of clients come between the ticks.
          if ('fetch' in step || 'leave' in step || 'renew' in step) await settled();
          if ('say' in step) for (let left = step.say; left > 0; left--) chat.say(`n${said++}`);
          else if ('keep' in step) {
            const kept = step.keep === null ? undefined : chat.state.turns[Math.floor(step.keep * chat.state.turns.length)];
            if (step.keep === null || kept) chat.act({ type: 'chat/truncated', ...(kept && { turnId: kept.id }) } as ChatAction);
          } else if ('fetch' in step) {
            const reader = readers[step.fetch] as Reader;
            back(reader);
            reader.fetch(step.isLost);
            if (step.isLost) {
              reader.leave();
              away.add(reader);
            }
          } else if ('resume' in step) {
            const id = `n${said++}`;
            chat.act({ type: 'chat/turnStarted', turnId: id, startedAt: '2026-01-01T00:00:00.000Z', message });
            const part = { kind: 'error', error: { errorType: 'e', message: 'e' }, resumable: true };
            chat.act({ type: 'chat/error', turnId: id, part } as never);
            chat.act({ type: 'chat/turnResume', turnId: id } as never);
            chat.act({ type: 'chat/turnComplete', turnId: id } as ChatAction);
          } else if ('leave' in step) {
            const reader = readers[step.leave] as Reader;
            reader.leave();
            away.add(reader);
          } else if ('renew' in step) {
            const reader = readers[step.renew] as Reader;
            reader.leave();
            away.delete(reader);
            readers[step.renew] = new Reader(chat, reader.id);
          } else await settled();
        }
        await settled();
        for (const reader of readers) {
          back(reader);
          reader.check();
          while (reader.state.turnsNextCursor !== undefined) {
            const before = reader.state.turns.length;
            reader.fetch();
            assert.ok(reader.state.turns.length > before);
            reader.check();
          }
          assert.deepEqual(reader.state, chat.state);
        }
      }),
      { numRuns: runs(100) },
    );
  }).timeout(60_000);
});
