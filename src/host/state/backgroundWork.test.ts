import assert from 'node:assert/strict';
import type { TerminalInfo } from '../../ahp/channels/shapes/basic.ts';
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import { BackgroundWork } from './backgroundWork.ts';
import { StateStore } from './stateStore.ts';

const session = 'demo:/1';
const [chat, sub] = ['ahp-chat:1', 'ahp-chat:sub'];
const message = { text: 'x', origin: { kind: 'user' as const } };
const NOW = '2027-01-01T00:00:00.000Z';

describe('what goes on beside the turns of a chat', () => {
  let store: StateStore;
  let work: BackgroundWork;
  beforeEach(() => {
    store = new StateStore({ now: () => Date.parse(NOW) });
    work = new BackgroundWork(store);
    const common = { title: 'Look', status: 1, modifiedAt: NOW, turns: [] };
    store.add({ channel: chat, kind: 'chat', state: { ...common, resource: chat } }, session);
    const origin = { kind: 'tool' as const, chat, toolCallId: 'c' };
    store.add({ channel: sub, kind: 'chat', state: { ...common, resource: sub, origin } }, session);
  });
  afterEach(() => work.dispose());

  const listed = () => store.chat(chat)?.backgroundWork ?? [];
  const begin = (channel: string, turnId: string) => store.dispatch(channel, { type: 'chat/turnStarted', turnId, startedAt: NOW, message });
  const end = (channel: string, turnId: string) => store.dispatch(channel, { type: 'chat/turnComplete', turnId, duration: 1 });
  const terminals = (...all: Partial<TerminalInfo>[]) =>
    store.dispatch(ROOT_CHANNEL, {
      type: 'root/terminalsChanged',
      terminals: all.map((fields) => ({
        ...{ resource: 't:/1', title: 'npm run dev', lifecycle: { status: 'running' as const } },
        claim: { kind: 'session' as const, session, chat, turnId: 't', toolCallId: 'c' },
        ...fields,
      })),
    });

  it('is a command after its turn, until it ends or its terminal goes', () => {
    for (const last of [[{ lifecycle: { status: 'exited' as const } }], []]) {
      begin(chat, 't');
      terminals({});
      assert.deepEqual(listed(), [], 'the turn waits for it');
      end(chat, 't');
      assert.deepEqual(listed(), [
        { kind: 'shell', id: 't:/1', label: 'npm run dev', command: 'npm run dev', startedAt: NOW, terminal: 't:/1' },
      ]);
      terminals(...last);
      assert.deepEqual(listed(), []);
    }
  });

  it('is not a terminal of the user, nor what runs for another chat', () => {
    terminals({ claim: { kind: 'client', clientId: 'me' } }, { resource: 't:/2', claim: { kind: 'session', session, chat } });
    terminals({ claim: { kind: 'session', session, chat: 'ahp-chat:other', turnId: 't', toolCallId: 'c' } });
    assert.deepEqual(listed(), []);
  });

  it('is a subagent while it works', () => {
    begin(sub, 's');
    assert.deepEqual(listed(), [{ kind: 'subagent', id: sub, label: 'Look', startedAt: NOW, chat: sub }]);
    end(sub, 's');
    assert.deepEqual(listed(), []);
  });
});
