import assert from 'node:assert/strict';
import type { RootState } from '../../../ahp/v1/root.ts';
import type { SessionState } from '../../../ahp/v1/session.ts';
import { headerView, modelOptionPickers, modelPicker, sessionConfigPickers, sessionSwitches } from './header.ts';

const session: SessionState = {
  summary: {
    resource: 'copilot:/1',
    provider: 'copilot',
    title: '',
    status: 1,
    createdAt: 0,
    modifiedAt: 0,
    workingDirectory: 'file:///home/a%20b',
  },
  lifecycle: 'ready',
  turns: [],
};
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
const withModel = (id: string): SessionState => ({ ...session, summary: { ...session.summary, model: { id } } });

describe('header', () => {
  it('says where and with what the session runs, leaving out what is not known', () => {
    assert.deepEqual(headerView(session, undefined, 'build-box').facts, ['build-box', 'copilot']);
    const view = headerView(withModel('a'), root, 'build-box');
    assert.deepEqual(view.facts, ['build-box', 'Copilot CLI', 'Model A']);
    assert.equal(view.workingDirectory, '/home/a b');
    assert.deepEqual([view.title, view.untitled, view.demo], ['New session', true, false]);
    assert.equal(headerView({ ...session, summary: { ...session.summary, provider: 'demo' } }, root, '').demo, true);
  });

  it('says whether it works in a worktree, and on which branch', () => {
    const branch = (values: Record<string, unknown>, _meta?: Record<string, unknown>) =>
      headerView({ ...session, config: { schema: { type: 'object', properties: {} }, values }, ...(_meta && { _meta }) }, root, '').branch;
    const worktree = { isolation: 'worktree', branch: 'main' };
    assert.equal(branch(worktree, { 'tapline.worktreeBranch': 'tapline/web-1' }), 'Worktree from main · branch tapline/web-1');
    assert.equal(branch(worktree), 'Worktree from main');
    assert.equal(branch({ isolation: 'folder', branch: 'main' }), 'Began on branch main');
    assert.equal(branch({}), undefined);
  });

  it('says how it is, what needs the user first', () => {
    const state = (fields: Partial<SessionState>) => headerView({ ...session, ...fields }, root, '').state;
    const activeTurn = { id: 't', userMessage: { text: '' }, responseParts: [] };
    assert.equal(state({}).kind, 'idle');
    assert.equal(state({ lifecycle: 'creating' }).kind, 'creating');
    assert.equal(state({ summary: { ...session.summary, status: 2 | 32 } }).kind, 'error');
    assert.deepEqual(state({ activeTurn, summary: { ...session.summary, activity: 'Editing a.ts' } }), {
      kind: 'running',
      label: 'Editing a.ts',
    });
    assert.equal(state({ activeTurn, inputRequests: [{ id: 'q' }] }).kind, 'needsYou');
  });

  it('does not claim to know how a session is whose host is away', () => {
    const state = (fields: Partial<SessionState>) => headerView({ ...session, ...fields }, root, '', 'away').state;
    const activeTurn = { id: 't', userMessage: { text: 'x' }, responseParts: [] };
    for (const fields of [{}, { activeTurn }, { lifecycle: 'creating' as const }])
      assert.deepEqual(state(fields), { kind: 'away', label: 'Not connected' });
    assert.equal(state({ activeTurn, inputRequests: [{ id: 'q' }] }).kind, 'needsYou');
    assert.equal(state({ lifecycle: 'creationFailed' }).kind, 'failed');
  });

  it('offers the models that may be used, and keeps one that it does not know', () => {
    const values = (state: SessionState) => modelPicker(state, root)?.options.map((option) => option.value);
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
    assert.deepEqual(sessionSwitches({ ...session, config }), [
      { id: 'reads', title: 'Read', on: true },
      { id: 'off', title: 'off', on: false },
      { id: 'wrong', title: 'Read', on: true },
    ]);
    assert.deepEqual(sessionConfigPickers({ ...session, config }), []);
    assert.deepEqual(sessionSwitches(session), []);
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
      sessionConfigPickers({ ...session, config }).map(({ id, value }) => [id, value]),
      [['mode', 'high']],
    );
  });
});
