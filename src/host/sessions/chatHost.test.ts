import assert from 'node:assert/strict';
import type { FileEdit } from '../../ahp/common/shapes.ts';
import { nullLogger } from '../../base/log.ts';
import { SessionEdits } from '../changes/sessionEdits.ts';
import { ContentStore } from '../files/contentStore.ts';
import { changesUri } from '../state/chatUris.ts';
import { StateStore } from '../state/stateStore.ts';
import { ChatHost } from './chatHost.ts';

const uri = 'demo:/1';
const [first, second] = ['ahp-chat://1', 'ahp-chat://2'];

describe('the host as the agent of a chat sees it', () => {
  let store: StateStore;
  let contents: ContentStore;
  let called: unknown[][];

  beforeEach(() => {
    store = new StateStore();
    contents = new ContentStore();
    called = [];
    const chats = [first, second].map((resource) => ({ resource, title: '', status: 1, modifiedAt: '' }));
    const state = { provider: 'demo', title: '', status: 1, lifecycle: 'ready' as const, activeClients: [], chats, defaultChat: first };
    store.add({ channel: uri, kind: 'session', state: { ...state, _meta: { other: 'kept' } } }, uri);
    for (const chat of chats) store.add({ channel: chat.resource, kind: 'chat', state: { ...chat, turns: [] } }, uri);
    store.add({ channel: changesUri(uri), kind: 'changeset', state: { status: 'ready', files: [] } }, uri);
  });

  const hostOf = (chat: string) => {
    const owner = {
      facts: { uri, workingDirectory: '/work', createdAt: 7 },
      nameChat: (...args: unknown[]) => void called.push(['nameChat', ...args]),
      startSubagent: (...args: unknown[]) => (called.push(['startSubagent', ...args]), undefined as never),
    };
    const terminals = { runCommand: (options: unknown) => (called.push(['runCommand', options]), Promise.resolve(undefined)) };
    const services = {
      store,
      logger: nullLogger,
      contents,
      edits: new SessionEdits(store, contents),
      lent: undefined as never,
      terminals: terminals as never,
    };
    return new ChatHost(services, owner, { session: uri, chat, isDefault: chat === first });
  };
  const edit = (after: string, added?: number): FileEdit => ({
    after: { uri: after, content: { uri: after } },
    ...(added !== undefined && { diff: { added } }),
  });

  it('knows which chat of which session it is, and the states of now', () => {
    const host = hostOf(second);
    assert.deepEqual([host.session, host.chat, host.isDefault, host.createdAt, host.workingDirectory], [uri, second, false, 7, '/work']);
    store.dispatch(uri, { type: 'session/titleChanged', title: 'New' });
    store.dispatch(second, { type: 'chat/draftChanged', draft: { text: '', origin: { kind: 'user' }, model: { id: 'm' } } });
    assert.deepEqual([host.sessionState.title, host.model, hostOf(first).model], ['New', { id: 'm' }, undefined]);
    store.dispatch(uri, { type: 'session/activeClientSet', activeClient: { clientId: 'a', tools: [] } });
    assert.deepEqual(host.lenders, [{ clientId: 'a', tools: [] }]);
    assert.deepEqual([host.turnsOf(first), host.turnsOf('ahp-chat://none')], [[], undefined]);
    assert.throws(() => hostOf('ahp-chat://none'), /no chat ahp-chat:\/\/none/);
  });

  it('changes its own chat, and of the session what all chats share', async () => {
    const host = hostOf(second);
    host.setActivity('reading');
    assert.deepEqual([store.chat(second)?.activity, store.chat(first)?.activity], ['reading', undefined]);
    host.setActivity(undefined);
    assert.equal(store.chat(second)?.activity, undefined);
    host.setMeta('a', 1);
    assert.deepEqual(store.session(uri)?._meta, { other: 'kept', a: 1 });
    host.setMeta('a', undefined);
    assert.deepEqual(store.session(uri)?._meta, { other: 'kept' });
    host.setServerTools([{ name: 'x' }]);
    assert.deepEqual(store.session(uri)?.serverTools, [{ name: 'x' }]);
    await host.recordEdits([edit('file:///a', 2)]);
    assert.deepEqual(store.changeset(changesUri(uri))?.files, [{ id: 'file:///a', edit: edit('file:///a', 2) }]);
    host.setTitle('Mine');
    assert.deepEqual(called, [['nameChat', second, 'Mine']]);
  });

  it('keeps comments at their lines while its edits change them, also back', async () => {
    const host = hostOf(first);
    const side = (text: string) => ({ uri: 'file:///a', content: host.storeContent(text, 'text/plain') });
    const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };
    const entries = [{ id: 'e', text: 'Why?' }];
    const annotation = { id: 'c', origin: { session: uri }, resource: 'file:///a', range, resolved: false, entries };
    host.annotate({ type: 'annotations/set', annotation });
    const line = () => host.annotations[0]?.range?.start.line;
    const before = side('one\ntwo\n');
    const once = side('new\none\ntwo\n');
    await host.recordEdits([{ before, after: once }]);
    assert.equal(line(), 2);
    const twice = side('new\nnewer\none\ntwo\n');
    await host.recordEdits([{ before: once, after: twice }]);
    assert.equal(line(), 3);
    await host.recordEdits([{ before: twice, after: before }]);
    assert.equal(line(), 1);
    assert.throws(() => host.annotate({ type: 'annotations/removed', annotationId: 'none' }), /no annotation none/);
  });

  it('runs commands and subagents for the chat of the turn', async () => {
    const { signal } = new AbortController();
    const host = hostOf(first);
    const turn = { id: 't', chat: 'ahp-chat://helper', signal };
    await host.runCommand({ turn, toolCallId: 'c', commandLine: 'ls', title: 'ls' });
    const subagent = { toolCallId: 'c', title: 'x', prompt: 'y' };
    host.startSubagent(subagent);
    const options = { toolCallId: 'c', commandLine: 'ls', title: 'ls', session: uri, chat: 'ahp-chat://helper', turnId: 't' };
    assert.deepEqual(called, [
      ['runCommand', { ...options, signal, workingDirectory: '/work' }],
      ['startSubagent', first, subagent],
    ]);
  });

  it('after the end of its session has the last states, and begins nothing', async () => {
    const host = hostOf(first);
    const { uri: content } = host.storeContent('kept', 'text/plain');
    assert.equal(Buffer.from(host.readContent(content) ?? '').toString(), 'kept');
    store.dispatch(uri, { type: 'session/titleChanged', title: 'Last' });
    assert.equal(host.sessionState.title, 'Last');
    for (const { channel } of store.family(uri).reverse()) store.delete(channel);
    assert.deepEqual([host.sessionState.title, host.chatState.resource, host.lenders], ['Last', first, []]);
    assert.throws(() => host.storeContent('x', 'text/plain'), /was disposed/);
    assert.throws(() => host.startSubagent({ toolCallId: 'c', title: '', prompt: '' }), /was disposed/);
    const turn = { id: 't', chat: first, signal: new AbortController().signal };
    await assert.rejects(host.runCommand({ turn, toolCallId: 'c', commandLine: 'ls', title: '' }), /was disposed/);
    host.setActivity('x');
    host.setMeta('a', 1);
    await host.recordEdits([edit('file:///a', 1)]);
  });
});
