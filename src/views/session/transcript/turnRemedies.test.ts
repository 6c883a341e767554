import assert from 'node:assert/strict';
import type { ErrorInfo } from '../../../ahp/v1/common.ts';
import type { RootState } from '../../../ahp/v1/root.ts';
import type { SessionState, Turn } from '../../../ahp/v1/session.ts';
import { GITHUB_RESOURCE } from '../../hosts/agentModels.ts';
import { isInterruption, turnRemedies } from './turnRemedies.ts';

const userMessage = { text: 'Fix it', attachments: [{ type: 'file' as const, uri: 'file:///a' }] };
const failed = (errorType: string, fields: Partial<Turn> = {}): Turn => ({
  id: 't',
  userMessage,
  responseParts: [],
  state: 'error',
  error: { errorType, message: 'No' },
  ...fields,
});
const session = (turn: Turn, fields: Partial<SessionState> = {}): SessionState => ({
  summary: { resource: 'copilot:/1', provider: 'copilot', title: '', status: 1, createdAt: 0, modifiedAt: 0, model: { id: 'a' } },
  lifecycle: 'ready',
  turns: [turn],
  ...fields,
});
const root = (...ids: string[]): RootState => ({
  agents: [
    {
      provider: 'copilot',
      displayName: '',
      description: '',
      models: ids.map((id) => ({ id, provider: 'copilot', name: id })),
      protectedResources: [{ resource: GITHUB_RESOURCE }],
    },
  ],
});
const labels = (state: SessionState, of?: RootState) =>
  turnRemedies(state, of).map((remedy) => (remedy.kind === 'send' ? remedy.label : remedy.kind));
const said = [{ kind: 'markdown' as const, id: 'm', content: 'Half' }];

describe('what can be done after a failed turn', () => {
  it('is the same message again', () => {
    assert.deepEqual(turnRemedies(session(failed('ModelError')), root('a')), [{ kind: 'send', label: 'Retry', userMessage }]);
    assert.deepEqual(labels(session(failed('ModelError')), undefined), ['Retry']);
  });

  it('is to go on, when it was cut off after it had begun', () => {
    for (const kind of ['hostRestarted', 'EngineDied']) {
      assert.ok(isInterruption({ errorType: kind, message: '' } satisfies ErrorInfo));
      assert.deepEqual(labels(session(failed(kind, { responseParts: said })), root('a')), ['Continue', 'Retry']);
      assert.deepEqual(labels(session(failed(kind)), root('a')), ['Retry'], 'nothing had been done');
    }
    assert.ok(!isInterruption({ errorType: 'ModelError', message: '' }));
  });

  it('is to give the agent what it lacks', () => {
    assert.deepEqual(labels(session(failed('authRequired')), root('a')), ['giveModels', 'Retry']);
    assert.deepEqual(labels(session(failed('UserError')), root()), ['giveModels', 'Retry']);
    assert.deepEqual(labels(session(failed('UserError')), root('b')), ['chooseModel']);
  });

  it('is nothing while a turn runs, after one that did not fail, and while the session cannot be saved', () => {
    const activeTurn = { id: 't2', userMessage, responseParts: [] };
    assert.deepEqual(labels(session(failed('x'), { activeTurn }), root('a')), []);
    assert.deepEqual(labels(session(failed('x', { state: 'cancelled', error: undefined })), root('a')), []);
    assert.deepEqual(labels(session(failed('notSaved'), { _meta: { 'tapline.notSaved': 'disk full' } }), root('a')), []);
    assert.deepEqual(labels(session(failed('notSaved')), root('a')), ['Retry'], 'it is saved again');
  });
});
