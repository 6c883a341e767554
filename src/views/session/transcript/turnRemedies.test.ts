import assert from 'node:assert/strict';
import type { ChatState, ResponsePart, Turn } from '../../../ahp/channels/chat/state.ts';
import type { RootState } from '../../../ahp/channels/root.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { ErrorInfo } from '../../../ahp/common/shapes.ts';
import { openChat, said as saying } from '../../../../test/fakes/models.ts';
import { GITHUB_RESOURCE } from '../../hosts/agentModels.ts';
import type { OpenChat } from '../openChat.ts';
import { isInterruption, turnRemedies } from './turnRemedies.ts';

const model = { id: 'a' };
const message = { ...saying('Fix it'), attachments: [{ type: 'resource' as const, uri: 'file:///a', label: 'a' }] };
const failed = (errorType: string, fields: Partial<Turn> = {}, resumable?: boolean): Turn => ({
  id: 't',
  message,
  state: 'error',
  ...fields,
  responseParts: [
    ...(fields.responseParts ?? []),
    { kind: 'error', error: { errorType, message: 'No' }, ...(resumable !== undefined && { resumable }) } as ResponsePart,
  ],
});
const session = (turn: Turn, chat: Partial<ChatState> = {}, own: Partial<SessionState> = {}): OpenChat =>
  openChat({ turns: [turn], draft: { ...saying(''), model }, ...chat }, own);
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
const labels = (state: OpenChat, of?: RootState) =>
  turnRemedies(state, of).map((remedy) => (remedy.kind === 'send' ? remedy.label : remedy.kind));
const said = [{ kind: 'markdown' as const, id: 'm', content: 'Half' }];

describe('what can be done after a failed turn', () => {
  it('is nothing in a chat that can only be read', () => {
    assert.deepEqual(labels(session(failed('x', {}, true), { interactivity: 'full' })), ['resume', 'Retry']);
    assert.deepEqual(labels(session(failed('x', {}, true), { interactivity: 'read-only' })), []);
  });

  it('is the same message again', () => {
    assert.deepEqual(turnRemedies(session(failed('ModelError')), root('a')), [
      { kind: 'send', label: 'Retry', message: { ...message, model } },
    ]);
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

  it('is to go on with the turn itself, where the host can', () => {
    assert.deepEqual(labels(session(failed('ModelError', { responseParts: said }, true)), root('a')), ['resume', 'Retry']);
  });

  it('is to give the agent what it lacks', () => {
    assert.deepEqual(labels(session(failed('authRequired')), root('a')), ['giveModels', 'Retry']);
    assert.deepEqual(labels(session(failed('UserError')), root()), ['giveModels', 'Retry']);
    assert.deepEqual(labels(session(failed('UserError')), root('b')), ['chooseModel']);
  });

  it('is nothing while a turn runs, after one that did not fail, and while the session cannot be saved', () => {
    const activeTurn = { id: 't2', message, responseParts: [] };
    assert.deepEqual(labels(session(failed('x'), { activeTurn }), root('a')), []);
    assert.deepEqual(labels(session({ id: 't', message, responseParts: said, state: 'cancelled' }), root('a')), []);
    assert.deepEqual(labels(session(failed('notSaved'), {}, { _meta: { 'tapline.notSaved': 'disk full' } }), root('a')), []);
    assert.deepEqual(labels(session(failed('notSaved')), root('a')), ['Retry'], 'it is saved again');
  });
});
