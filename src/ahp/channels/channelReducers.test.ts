/** The channels of which the shared data has little or nothing. */
import assert from 'node:assert/strict';
import { deepFreeze } from '../../../test/support/deepFreeze.ts';
import type { ActionLike, Reducer } from '../common/reducers/reducer.ts';
import { type ChannelKind, channelReducers, type ChannelStates } from './channelReducers.ts';
import { isStateOf } from './reducers/isStateOf.ts';

type Action = ActionLike & Record<string, unknown>;

function after<K extends ChannelKind>(kind: K, state: ChannelStates[K], ...actions: Action[]): ChannelStates[K] {
  const reducer = channelReducers[kind] as unknown as Reducer<ChannelStates[K]>;
  return actions.reduce<ChannelStates[K]>((current, action) => reducer(current, deepFreeze(action), 0), deepFreeze(state));
}

describe('isStateOf', () => {
  it('takes a state with the lists of its kind, and no other', () => {
    assert(isStateOf('session', { chats: [], activeClients: [], later: 1 }));
    assert(isStateOf('resourceWatch', {}));
    for (const state of [null, [], 'x', {}, { chats: [] }, { chats: {}, activeClients: [] }, { turns: [] }])
      assert(!isStateOf('session', state));
  });
});

describe('the terminal channel', () => {
  const claim = { kind: 'session' as const, session: 'copilotcli:/1', chat: 'ahp-chat://1', toolCallId: 'c' };
  const terminal = deepFreeze({ title: 'bash', content: [], lifecycle: { status: 'running' as const }, claim });

  it('ends with or without an exit code', () => {
    assert.deepEqual(after('terminal', terminal, { type: 'terminal/exited', exitCode: 3 }).lifecycle, { status: 'exited', exitCode: 3 });
    assert.deepEqual(after('terminal', terminal, { type: 'terminal/exited' }).lifecycle, { status: 'exited' });
  });

  it('is reduced as a terminal of AHP v1 in all else', () => {
    const shown = after('terminal', terminal, { type: 'terminal/data', data: 'a' }, { type: 'terminal/titleChanged', title: 'zsh' });
    assert.deepEqual(shown, { ...terminal, title: 'zsh', content: [{ type: 'unclassified', value: 'a' }] });
  });
});

describe('the changeset channel', () => {
  const error = { errorType: 'git', message: 'no' };
  const file = (id: string) => ({ id, edit: {} });
  const ready = deepFreeze({ status: 'ready' as const, files: [file('a')] });

  it('keeps the files while they are computed again', () => {
    assert.deepEqual(after('changeset', ready, { type: 'changeset/statusChanged', status: 'recomputing' }), {
      ...ready,
      status: 'recomputing',
    });
  });

  it('has an error while it has failed', () => {
    const failed = after('changeset', ready, { type: 'changeset/statusChanged', status: 'error', error });
    assert.deepEqual(failed, { ...ready, status: 'error', error });
    assert.deepEqual(after('changeset', failed, { type: 'changeset/statusChanged', status: 'ready' }), ready);
  });

  it('sets and removes files, and replaces all', () => {
    const two = after('changeset', ready, { type: 'changeset/fileSet', file: file('b') }, { type: 'changeset/fileSet', file: file('a') });
    assert.deepEqual(two.files, [file('a'), file('b')]);
    assert.deepEqual(after('changeset', two, { type: 'changeset/fileRemoved', fileId: 'a' }).files, [file('b')]);
    assert.deepEqual(after('changeset', two, { type: 'changeset/contentChanged', files: [file('c')] }).files, [file('c')]);
  });
});

describe('the annotations channel', () => {
  const entry = (id: string, text = id) => ({ id, text });
  const annotation = { id: 'a', origin: { session: 's:/1' }, resource: 'file:///a', resolved: false, entries: [entry('1')] };
  const one = deepFreeze({ annotations: [annotation] });

  it('sets annotations and their entries by id', () => {
    const other = { ...annotation, id: 'b' };
    const both = after(
      'annotations',
      { annotations: [] },
      { type: 'annotations/set', annotation },
      { type: 'annotations/set', annotation: other },
    );
    assert.deepEqual(both.annotations, [annotation, other]);
    const answered = after(
      'annotations',
      one,
      { type: 'annotations/entrySet', annotationId: 'a', entry: entry('2') },
      { type: 'annotations/entrySet', annotationId: 'a', entry: entry('1', 'changed') },
    );
    assert.deepEqual(answered.annotations[0]?.entries, [entry('1', 'changed'), entry('2')]);
  });

  it('changes only what an update names', () => {
    const resolved = after('annotations', one, { type: 'annotations/updated', annotationId: 'a', resolved: true });
    assert.deepEqual(resolved.annotations, [{ ...annotation, resolved: true }]);
  });

  it('keeps an annotation whose last entry is removed, until it is removed itself', () => {
    const bare = after('annotations', one, { type: 'annotations/entryRemoved', annotationId: 'a', entryId: '1' });
    assert.deepEqual(bare.annotations, [{ ...annotation, entries: [] }]);
    assert.deepEqual(after('annotations', bare, { type: 'annotations/removed', annotationId: 'a' }).annotations, []);
  });

  it('changes nothing for ids that it does not have', () => {
    for (const type of ['updated', 'removed', 'entrySet', 'entryRemoved']) {
      const action = { type: `annotations/${type}`, annotationId: 'x', entryId: '1', entry: entry('1'), resolved: true };
      assert.equal(after('annotations', one, action), one, type);
    }
  });
});

describe('the automations channel', () => {
  const entry = (resource: string, runCount?: number) => ({
    resource,
    definition: { title: '', message: { text: '', origin: { kind: 'user' as const } }, session: {}, enabled: true, triggers: [] },
    runs: [],
    operations: [],
    createdAt: '',
    modifiedAt: '',
    ...(runCount !== undefined && { runCount }),
  });
  const one = deepFreeze({ entries: [entry('a:/1')] });

  it('sets and removes entries', () => {
    const two = after(
      'automations',
      one,
      { type: 'automation/set', automation: entry('a:/2') },
      { type: 'automation/set', automation: entry('a:/1', 2) },
    );
    assert.deepEqual(two.entries, [entry('a:/1', 2), entry('a:/2')]);
    assert.deepEqual(after('automations', two, { type: 'automation/removed', resource: 'a:/1' }).entries, [entry('a:/2')]);
  });

  it('is not changed by requests', () => {
    for (const type of ['automation/createRequested', 'automation/updateRequested'])
      assert.equal(after('automations', one, { type, resource: 'a:/1', definition: {}, changes: {} }), one);
  });
});

describe('the channel of an automation’s run', () => {
  const run = deepFreeze({
    resource: 'r:/1',
    automation: 'a:/1',
    origin: { kind: 'manual' as const },
    lifecycle: { status: 'pending' as const, createdAt: '' },
    sessions: ['s:/1'],
    primarySession: 's:/1',
  });

  it('follows its lifecycle and its sessions', () => {
    const lifecycle = { status: 'running', createdAt: '', startedAt: '' };
    const going = after(
      'automationRun',
      run,
      { type: 'automationRun/lifecycleChanged', lifecycle },
      { type: 'automationRun/sessionSet', session: 's:/2' },
    );
    assert.deepEqual(going, { ...run, lifecycle, sessions: ['s:/1', 's:/2'] });
    assert.equal(after('automationRun', run, { type: 'automationRun/sessionSet', session: 's:/1' }), run);
    const { primarySession: _gone, ...rest } = going;
    assert.deepEqual(after('automationRun', going, { type: 'automationRun/sessionRemoved', session: 's:/1' }), {
      ...rest,
      sessions: ['s:/2'],
    });
    assert.equal(
      after('automationRun', going, { type: 'automationRun/primarySessionChanged', primarySession: 's:/2' }).primarySession,
      's:/2',
    );
  });

  it('is not changed by a request to cancel it', () => {
    assert.equal(after('automationRun', run, { type: 'automationRun/cancelRequested' }), run);
  });
});

describe('the canvas channel', () => {
  it('is replaced as a whole', () => {
    const canvas = { instanceId: 'i', extensionId: 'e', canvasId: 'c', title: 'T' };
    const other = { instanceId: 'i', extensionId: 'e', canvasId: 'd', url: 'https://example.com', later: 1 };
    assert.deepEqual(after('canvas', canvas, { type: 'canvas/stateChanged', canvas: other }), other);
  });
});
