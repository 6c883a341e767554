import assert from 'node:assert/strict';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { RootState } from '../../../ahp/channels/root.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { openChat, said, sessionState } from '../../../../test/fakes/models.ts';
import type { OpenChat } from '../openChat.ts';
import { headerView, modelOptionPickers, modelPicker, sessionConfigPickers, sessionSwitches } from './header.ts';

const folders = { workingDirectories: ['file:///home/a%20b'] };
const session = openChat(folders, folders);
const effort = { type: 'string' as const, title: 'Effort', enum: ['low', 'high'], enumLabels: ['Low'], default: 'low' };
const root: RootState = {
  agents: [
    {
      provider: 'copilot',
      displayName: 'Copilot CLI',
      description: '',
      models: [
        { id: 'a', provider: 'copilot', name: 'Model A', configSchema: { type: 'object', properties: { effort } } },
        { id: 'b', provider: 'copilot', name: 'Model B', policyState: 'disabled' },
      ],
    },
  ],
};
const withModel = (id: string): OpenChat => openChat({ ...folders, draft: { ...said(''), model: { id } } }, folders);
const withSession = (fields: Partial<SessionState>): OpenChat => ({ ...session, session: { ...session.session, ...fields } });

describe('header', () => {
  it('says where and with what the session runs, leaving out what is not known', () => {
    assert.deepEqual(headerView(session, undefined, 'build-box').facts, ['build-box', 'copilot']);
    const view = headerView(withModel('a'), root, 'build-box');
    assert.deepEqual(view.facts, ['build-box', 'Copilot CLI', 'Model A']);
    assert.equal(view.workingDirectory, '/home/a b');
    assert.deepEqual([view.title, view.untitled, view.demo], ['New session', true, false]);
    assert.equal(headerView(withSession({ provider: 'demo' }), root, '').demo, true);
  });

  it('says whether it works in a worktree, and on which branch', () => {
    const branch = (values: Record<string, unknown>, _meta?: Record<string, unknown>) =>
      headerView(withSession({ config: { schema: { type: 'object', properties: {} }, values }, ...(_meta && { _meta }) }), root, '').branch;
    const worktree = { isolation: 'worktree', branch: 'main' };
    assert.equal(branch(worktree, { 'tapline.worktreeBranch': 'tapline/web-1' }), 'Worktree from main · branch tapline/web-1');
    assert.equal(branch(worktree), 'Worktree from main');
    assert.equal(branch({ isolation: 'folder', branch: 'main' }), 'Began on branch main');
    assert.equal(branch({}), undefined);
  });

  it('says how it is, what needs the user first', () => {
    const state = (chat: Partial<ChatState>, own: Partial<SessionState> = {}) => headerView(openChat(chat, own), root, '').state;
    const activeTurn = { id: 't', message: said(''), responseParts: [] };
    assert.equal(state({}).kind, 'idle');
    assert.deepEqual(state({}, { lifecycle: 'creating' }), { kind: 'idle', label: 'New' });
    assert.equal(state({ activeTurn }, { lifecycle: 'creating' }).kind, 'running');
    assert.equal(state({ status: 2 | 32 }).kind, 'error');
    assert.deepEqual(state({ activeTurn, activity: 'Editing a.ts' }), {
      kind: 'running',
      label: 'Editing a.ts',
    });
    assert.equal(
      state({ activeTurn: { ...activeTurn, responseParts: [{ kind: 'inputRequest', request: { id: 'q' } }] } }).kind,
      'needsYou',
    );
  });

  it('does not claim to know how a session is whose host is away', () => {
    const state = (chat: Partial<ChatState>, own: Partial<SessionState> = {}) => headerView(openChat(chat, own), root, '', 'away').state;
    const activeTurn = { id: 't', message: said('x'), responseParts: [] };
    for (const [chat, own] of [
      [{}, {}],
      [{ activeTurn }, {}],
      [{}, { lifecycle: 'creating' as const }],
    ] as const)
      assert.deepEqual(state(chat, own), { kind: 'away', label: 'Not connected' });
    assert.equal(
      state({ activeTurn: { ...activeTurn, responseParts: [{ kind: 'inputRequest', request: { id: 'q' } }] } }).kind,
      'needsYou',
    );
    assert.equal(state({}, { lifecycle: 'failed' }).kind, 'failed');
  });

  it('offers the models that may be used, and keeps one that it does not know', () => {
    const values = (state: OpenChat) => modelPicker(state, root)?.options.map((option) => option.value);
    assert.deepEqual(values(withModel('a')), ['a']);
    assert.deepEqual(values(withModel('gone')), ['gone', 'a']);
    assert.deepEqual(values(session), ['', 'a']);
    assert.equal(modelPicker(session, undefined), undefined);
    assert.deepEqual(modelPicker(withModel('a'), root)?.options[0]?.facts, ['effort']);
    assert.equal(modelPicker(withModel('a'), root)?.isGone, undefined);
    assert.equal(modelOptionPickers(withModel('a'), root)[0]?.isBare, undefined);
    assert.equal(modelPicker(withModel('gone'), root)?.isGone, true);
    assert.deepEqual(modelPicker(withModel('gone'), root)?.options[0]?.facts, ['not offered any more']);
    assert.deepEqual(modelOptionPickers(withModel('a'), root)[0]?.options, [
      { value: 'low', label: 'Low' },
      { value: 'high', label: 'high' },
    ]);
  });

  it('offers what is on or off as switches', () => {
    const flag = { type: 'boolean' as const, title: 'Read', default: true, sessionMutable: true };
    const properties = { reads: flag, off: { ...flag, title: '' }, wrong: flag, fixed: { ...flag, sessionMutable: false } };
    const config = { schema: { type: 'object' as const, properties }, values: { off: false, wrong: 'x' } };
    assert.deepEqual(
      sessionSwitches(sessionState({ config })).map(({ id, title, value }) => [id, title, value]),
      [
        ['reads', 'Read', true],
        ['off', 'off', false],
        ['wrong', 'Read', true],
      ],
    );
    assert.deepEqual(sessionConfigPickers(sessionState({ config })), []);
    assert.deepEqual(sessionSwitches(sessionState()), []);
  });

  it('offers settings of the session only where they may still change', () => {
    const config = {
      schema: {
        type: 'object' as const,
        properties: {
          mode: { ...effort, sessionMutable: true },
          fixed: effort,
          locked: { ...effort, sessionMutable: true, readOnly: true },
        },
      },
      values: { mode: 'high' },
    };
    assert.deepEqual(
      sessionConfigPickers(sessionState({ config })).map(({ id, value }) => [id, value]),
      [['mode', 'high']],
    );
  });
});
