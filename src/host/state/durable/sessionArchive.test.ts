/** A store and its archive: what the next run reads is what the store held. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { SessionStatus } from '../../../ahp/common/status.ts';
import type { Clock } from '../../../base/clock.ts';
import { nullLogger } from '../../../base/log.ts';
import { writeToDisk } from '../../../base/node/wholeFile.ts';
import { annotationsUri, changesUri, chatUri, subagentChatUri } from '../chatUris.ts';
import type { SessionFacts } from '../listedSession.ts';
import { StateStore, type StoredChannel } from '../stateStore.ts';
import { SessionArchive } from './sessionArchive.ts';

const uri = 't:/1';
const chat = chatUri(uri);
const facts: SessionFacts = { uri, workingDirectory: '/tmp', createdAt: 1000 };
const time = new Date(1000).toISOString();
const summaryOf = (resource: string) => ({ resource, title: 'T', status: 1, modifiedAt: time });
const newChat = (resource: string, more: Partial<ChatState> = {}): StoredChannel => ({
  channel: resource,
  kind: 'chat',
  state: { ...summaryOf(resource), turns: [], ...more },
});
const newChannels = (more: Partial<SessionState> = {}): StoredChannel[] => [
  {
    channel: uri,
    kind: 'session',
    state: {
      ...{ provider: 'p', title: 'T', status: 1, lifecycle: 'ready', activeClients: [], chats: [summaryOf(chat)], defaultChat: chat },
      ...more,
    },
  },
  newChat(chat),
  { channel: changesUri(uri), kind: 'changeset', state: { status: 'ready', files: [] } },
];
const message = (text: string) => ({ text, origin: { kind: 'user' as const } });

describe('sessionArchive', () => {
  let folder: string;
  let isFull: boolean;
  let timers: { run: () => void }[];
  let told: string[];
  let disposables: { dispose(): void }[];
  const clock: Clock = {
    now: () => 5000,
    setTimer: (run) => {
      const timer = { run };
      timers.push(timer);
      return { dispose: () => void timers.splice(timers.indexOf(timer), 1) };
    },
  };
  const runTimers = () => {
    for (const { run } of timers.splice(0)) run();
  };
  const logger = { ...nullLogger, error: (text: unknown) => void told.push(String(text)) };
  const start = () => {
    const write: typeof writeToDisk = (fd, data, offset) => {
      if (isFull) throw new Error('the disk is full');
      return writeToDisk(fd, data, offset);
    };
    const archive = new SessionArchive({ folder, logger, clock, write });
    const store = new StateStore({ afterSeq: archive.highestSeq, now: () => 2000 });
    archive.attach(store);
    disposables.push(archive);
    return { archive, store };
  };
  const show = (store: StateStore, channels: readonly StoredChannel[]) => {
    for (const channel of channels) store.add(channel, uri);
  };
  /** A store with a new session. */
  const begin = (channels = newChannels()) => {
    const started = start();
    started.archive.create(facts, channels, started.store.serverSeq);
    show(started.store, channels);
    return started;
  };
  const say = (store: StateStore, turnId: string, to = chat) => {
    store.dispatch(to, { type: 'chat/turnStarted', turnId, startedAt: time, message: message(turnId) });
    store.dispatch(to, { type: 'chat/responsePart', turnId, part: { kind: 'markdown', id: 'p', content: '' } });
    for (const content of ['a', 'b', 'c']) store.dispatch(to, { type: 'chat/delta', turnId, partId: 'p', content });
  };
  const end = (store: StateStore, turnId: string, to = chat) => store.dispatch(to, { type: 'chat/turnComplete', turnId, duration: 10 });
  /** What a run finds that begins now, as after a kill. */
  const reopened = () => new SessionArchive({ folder, logger, clock }).open(uri);
  const lines = () =>
    readFileSync(join(folder, onlyFolder(), 'log.jsonl'), 'utf8')
      .split('\n')
      .slice(0, -1);
  const onlyFolder = () => {
    const [name, ...more] = readdirSync(folder);
    assert.ok(name !== undefined && more.length === 0);
    return name;
  };
  const summaryFile = () => join(folder, onlyFolder(), 'summary.json');
  const isCurrent = () => {
    const [found] = new SessionArchive({ folder, logger, clock }).found;
    return found?.interrupted === false;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-archive-'));
    isFull = false;
    timers = [];
    told = [];
    disposables = [];
  });
  afterEach(() => {
    for (const each of disposables) each.dispose();
    rmSync(folder, { recursive: true });
  });

  it('keeps comments on files, with a channel that comes later and goes with the session', () => {
    const { store } = begin();
    const comments = annotationsUri(uri);
    const entry = (id: string) => ({ id, text: { markdown: id } });
    const annotation = { id: 'a', origin: { session: uri }, resource: 'file:///a', resolved: false, entries: [entry('one')] };
    store.add({ channel: comments, kind: 'annotations', state: { annotations: [] } }, uri);
    store.dispatch(comments, { type: 'annotations/set', annotation });
    store.dispatch(comments, { type: 'annotations/entrySet', annotationId: 'a', entry: entry('two') });
    const kept = reopened().find(({ channel }) => channel === comments);
    assert.deepEqual(kept, { channel: comments, kind: 'annotations', state: store.annotations(comments) });
    assert.deepEqual(store.annotations(comments)?.annotations[0]?.entries, [entry('one'), entry('two')]);
  });

  it('has every channel of a session on disk as the store has it, at any moment', () => {
    const { store } = begin();
    assert.equal(lines().length, 1, 'the channels that it began with are not written twice');
    say(store, 't1');
    assert.deepEqual(reopened(), store.family(uri));
    end(store, 't1');
    store.dispatch(uri, { type: 'session/titleChanged', title: 'Renamed' });
    store.dispatch(changesUri(uri), { type: 'changeset/fileSet', file: { id: 'f', edit: { diff: { added: 2, removed: 1 } } } });
    assert.deepEqual(reopened(), store.family(uri));
    const subagent = subagentChatUri(chat, 'call');
    store.add(newChat(subagent), uri);
    say(store, 's1', subagent);
    assert.deepEqual(reopened(), store.family(uri));
    store.delete(subagent);
    assert.deepEqual(reopened(), store.family(uri));
    store.add(newChat(subagent, { title: 'Again' }), uri);
    assert.deepEqual(reopened(), store.family(uri));
  });

  it('keeps nothing of rejected actions and of other channels', () => {
    const { store } = begin();
    store.reject(uri, { type: 'session/titleChanged', title: 'x' }, { clientId: 'a', clientSeq: 1 }, 'no');
    store.add({
      channel: 'ahp-terminal:/1',
      kind: 'terminal',
      state: { title: '', content: [], claim: { kind: 'client', clientId: 'x' }, lifecycle: { status: 'running' } },
    });
    store.delete('ahp-terminal:/1');
    assert.equal(lines().length, 1);
  });

  it('keeps an action that is delivered after a channel was added behind it', () => {
    const { store } = begin();
    const other = 'ahp-chat:/other';
    store.onDidDispatch(({ envelope: { action } }) => {
      if (action.type !== 'session/titleChanged' || action.title !== 'first') return;
      store.dispatch(uri, { type: 'session/titleChanged', title: 'second' });
      store.add(newChat(other), uri);
      store.dispatch(other, { type: 'chat/draftChanged', draft: message('gone') });
      store.delete(other);
      store.add(newChat(other, { title: 'anew' }), uri);
    });
    store.dispatch(uri, { type: 'session/titleChanged', title: 'first' });
    assert.equal(store.session(uri)?.title, 'second');
    assert.deepEqual(reopened(), store.family(uri));
  });

  it('goes on in the next run, above all numbers of the one before', () => {
    const first = begin();
    say(first.store, 't1');
    end(first.store, 't1');
    const { serverSeq } = first.store;
    first.archive.dispose();
    const { archive, store } = start();
    assert.ok(store.serverSeq >= serverSeq);
    const [found] = archive.found;
    assert.deepEqual([found?.facts, found?.interrupted, found?.unreadable], [facts, false, false]);
    const channels = archive.open(uri);
    show(store, channels);
    assert.deepEqual(store.family(uri), first.store.family(uri));
    const before = lines().length;
    say(store, 't2');
    assert.equal(lines().length, before + 5);
    assert.deepEqual(reopened(), store.family(uri));
  });

  it('writes what was changed between the log and the store', () => {
    const first = begin(newChannels({ activeClients: [{ clientId: 'a', tools: [] }] }));
    first.archive.dispose();
    const { archive, store } = start();
    const [session, ...others] = archive.open(uri);
    assert.ok(session?.kind === 'session');
    show(store, [{ ...session, state: { ...session.state, activeClients: [] } }, ...others]);
    assert.equal(lines().length, 2);
    assert.deepEqual(reopened(), store.family(uri));
  });

  it('lists a session as its channels say', () => {
    const { store, archive } = begin();
    store.dispatch(uri, { type: 'session/titleChanged', title: 'Renamed' });
    store.dispatch(chat, { type: 'chat/draftChanged', draft: { ...message(''), model: { id: 'm' } } });
    store.dispatch(changesUri(uri), { type: 'changeset/fileSet', file: { id: 'f', edit: { diff: { added: 2, removed: 1 } } } });
    const killed = new SessionArchive({ folder, logger, clock }).found;
    archive.dispose();
    const rested = new SessionArchive({ folder, logger, clock }).found;
    const listed = {
      summary: {
        ...{ resource: uri, provider: 'p', title: 'Renamed', status: 1, createdAt: time, modifiedAt: time, defaultChat: chat },
        changes: { additions: 2, deletions: 1, files: 1 },
        annotations: { resource: annotationsUri(uri), annotationCount: 0, entryCount: 0 },
      },
      chats: [summaryOf(chat)],
      edits: [{ diff: { added: 2, removed: 1 } }],
      model: { id: 'm' },
    };
    assert.deepEqual(killed, [{ facts, listed, interrupted: true, unreadable: false }]);
    assert.deepEqual(rested, [{ facts, listed, interrupted: false, unreadable: false }]);
  });

  it('writes no summary while any chat has a turn in progress, or the session is being created', () => {
    const { store } = begin(newChannels({ lifecycle: 'creating' }));
    runTimers();
    assert.equal(isCurrent(), false);
    store.dispatch(uri, { type: 'session/ready' });
    runTimers();
    assert.equal(isCurrent(), true);
    const other = 'ahp-chat:/other';
    store.add(newChat(other), uri);
    say(store, 't1', other);
    runTimers();
    assert.equal(isCurrent(), false);
    end(store, 't1', other);
    runTimers();
    assert.equal(isCurrent(), true);
  });

  it('logs nothing of a session that is unloaded, and deletes one at once', () => {
    const { archive, store } = begin();
    say(store, 't1');
    end(store, 't1');
    const family = store.family(uri);
    archive.release(uri);
    for (const { channel } of family) store.delete(channel);
    assert.equal(isCurrent(), true);
    show(store, archive.open(uri));
    assert.deepEqual(store.family(uri), family);
    archive.delete(uri);
    for (const { channel } of family) store.delete(channel);
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(archive.has(uri), false);
  });

  it('never drops the session from a log while its channels leave the store', () => {
    const { store } = begin();
    store.delete(uri);
    assert.equal(reopened()[0]?.channel, uri);
  });

  it('tells of a session that cannot be written, and writes all of it when it can', () => {
    const { archive, store } = begin();
    const problems: unknown[] = [];
    archive.onDidChangeProblem((change) => problems.push(change));
    isFull = true;
    say(store, 't1');
    store.add(newChat('ahp-chat:/other'), uri);
    assert.deepEqual(problems, [{ session: uri, problem: 'the disk is full' }]);
    assert.equal(archive.hasProblem(uri), true);
    assert.equal(archive.problem(uri), 'the disk is full');
    runTimers();
    assert.equal(archive.hasProblem(uri), true);
    isFull = false;
    runTimers();
    assert.deepEqual(problems[1], { session: uri, problem: undefined });
    assert.deepEqual(reopened(), store.family(uri));
  });

  it('keeps channels that are not in the store yet when the log is rewritten meanwhile', () => {
    const first = begin();
    first.store.dispatch(chat, { type: 'chat/draftChanged', draft: message('x'.repeat(256 * 1024 - 200)) });
    assert.equal(lines().length, 2, 'it is not rewritten yet');
    const family = first.store.family(uri);
    const { archive, store } = start();
    const [session, ...others] = archive.open(uri);
    assert.ok(session?.kind === 'session');
    store.add({ ...session, state: { ...session.state, title: 'Other' } }, uri);
    assert.equal(lines().length, 1, 'it was rewritten');
    assert.deepEqual(
      reopened().map(({ channel }) => channel),
      family.map(({ channel }) => channel),
    );
    show(store, others);
    assert.deepEqual(reopened(), store.family(uri));
  });

  it('rewrites a log that has become large', () => {
    const { store } = begin();
    for (let i = 0; i < 20; i++) store.dispatch(chat, { type: 'chat/draftChanged', draft: message(String(i).repeat(30_000)) });
    assert.ok(lines().length < 20, `${lines().length} lines`);
    assert.deepEqual(reopened(), store.family(uri));
  });

  describe('with what it cannot read', () => {
    const leave = () => {
      const { archive, store } = begin();
      say(store, 't1');
      end(store, 't1');
      store.dispatch(uri, { type: 'session/isReadChanged', isRead: true });
      archive.dispose();
    };
    const change = (path: string, rewrite: (content: Record<string, unknown>) => unknown) => {
      const [first = '', ...rest] = readFileSync(path, 'utf8').split('\n');
      writeFileSync(path, [JSON.stringify(rewrite(JSON.parse(first) as Record<string, unknown>)), ...rest].join('\n'));
    };
    const log = () => join(folder, onlyFolder(), 'log.jsonl');

    it('asks to update Tapline for a newer format, by whichever file knows the session', () => {
      leave();
      change(log(), (head) => ({ ...head, format: 10 }));
      const before = readFileSync(log());
      const find = () => {
        const [found] = start().archive.found;
        assert.ok(found);
        return found;
      };
      const { listed, unreadable, interrupted, facts: known } = find();
      assert.deepEqual([unreadable, interrupted, known], [true, false, facts]);
      assert.deepEqual([listed.summary.title, listed.summary.status], ['T', SessionStatus.Error | SessionStatus.IsRead]);
      assert.match(listed.summary.activity ?? '', /Update Tapline to open it/);
      rmSync(summaryFile());
      assert.match(find().listed.summary.activity ?? '', /Update Tapline to open it/);
      assert.throws(() => start().archive.open(uri), /Update Tapline to open it/);
      assert.deepEqual(readFileSync(log()), before);
    });

    it('asks for that also where a channel is of a kind that it does not know', () => {
      leave();
      change(log(), (head) => ({ ...head, channels: [...(head.channels as object[]), { channel: 'x:/', kind: 'later', state: {} }] }));
      rmSync(summaryFile());
      assert.match(start().archive.found[0]?.listed.summary.activity ?? '', /Update Tapline/);
    });

    it('has what an older version lists a session by, which it cannot read either', () => {
      leave();
      const known = {
        summary: { resource: uri, provider: 'p', title: 'T', status: 1, createdAt: 1000, modifiedAt: 1010 },
        facts: { uri, workingDirectory: '/tmp', createdAt: 1000 },
      };
      const file = JSON.parse(readFileSync(summaryFile(), 'utf8')) as Record<string, unknown>;
      assert.deepEqual([file.facts, Number.isSafeInteger(file.seq), file.format], [known.facts, true, 2]);
      assert.equal((file.summary as { title: unknown }).title, 'T');
      const head = JSON.parse(lines()[0] ?? '') as { state: { summary: object }; facts: object };
      assert.deepEqual(head.facts, known.facts);
      assert.deepEqual(head.state.summary, { ...known.summary, modifiedAt: 1000 });
    });

    it('puts a log aside that does not begin with a session', () => {
      leave();
      change(log(), ({ channels: _channels, ...head }) => head);
      rmSync(summaryFile());
      assert.deepEqual(start().archive.found, []);
      assert.match(told.join('\n'), /cannot be read and is put aside as .*damaged-/);
      assert.ok(readdirSync(folder).every((name) => name.startsWith('damaged-')));
      assert.equal(existsSync(join(folder, onlyFolder(), 'log.jsonl')), true);
    });

    it('cuts a half line, and keeps what stands before a damaged one', () => {
      leave();
      const whole = readFileSync(log(), 'utf8');
      writeFileSync(log(), `${whole}{"at":1,"envel`);
      const channels = reopened();
      assert.equal(readFileSync(log(), 'utf8'), whole);
      const [head = '', ...rest] = whole.split('\n');
      writeFileSync(log(), [head, ...rest.slice(0, 2), '{"at":1}', ...rest.slice(2)].join('\n'));
      const [, cut] = reopened();
      assert.ok(cut?.kind === 'chat' && cut.state.activeTurn?.id === 't1' && channels[1]?.kind === 'chat');
      assert.equal(existsSync(join(folder, onlyFolder(), 'log.damaged.jsonl')), true);
      assert.match(told.join('\n'), /line 4 of its log cannot be read; log\.damaged\.jsonl keeps what follows/);
      assert.deepEqual(reopened()[1], cut);
    });
  });
});
