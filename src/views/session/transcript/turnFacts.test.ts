import assert from 'node:assert/strict';
import type { AgentInfo } from '../../../ahp/channels/root.ts';
import type { TurnView } from './transcript.ts';
import { modelNameOf, turnFacts } from './turnFacts.ts';

const turn = (fields: Partial<TurnView> = {}): TurnView => ({
  id: 't',
  message: { text: 'Go', origin: { kind: 'user' } },
  rows: [],
  state: 'complete',
  ...fields,
});
const unknown = { observedMs: undefined, modelName: undefined, isOfTurn: true };
const agent: AgentInfo = {
  provider: 'copilot',
  displayName: 'Copilot',
  description: '',
  models: [{ id: 'gpt-5', provider: 'copilot', name: 'GPT-5' }],
};

describe('What a turn took', () => {
  it('is the model, the time and the tokens, as far as they are known', () => {
    const usage = { inputTokens: 3210, outputTokens: 420 };
    assert.equal(
      turnFacts(turn({ usage, durationMs: 12_000 }), { ...unknown, modelName: 'GPT-5' }),
      'GPT-5 · 12 s · 3,210 tokens in, 420 out',
    );
    assert.equal(turnFacts(turn({ usage: { ...usage, cacheReadTokens: 9 } }), unknown), '3,210 tokens in, 420 out, 9 cached');
    assert.equal(turnFacts(turn({ usage: { outputTokens: 1 } }), unknown), '1 token out');
    assert.equal(turnFacts(turn({ usage: {} }), unknown), undefined);
    assert.equal(turnFacts(turn({ usage, state: 'running' }), unknown), undefined);
  });

  it('is what the host says, before what was seen', () => {
    assert.equal(turnFacts(turn(), { ...unknown, observedMs: 3_000 }), '3 s');
    assert.equal(turnFacts(turn({ durationMs: 5_000 }), { ...unknown, observedMs: 3_000 }), '5 s');
  });

  it('says of other hosts that they count the last request', () => {
    assert.equal(turnFacts(turn({ usage: { inputTokens: 10 } }), { ...unknown, isOfTurn: false }), 'last request: 10 tokens in');
  });

  it('calls the model as the agent does in its list', () => {
    const named = (model: string) => modelNameOf(turn({ usage: { model } }), agent);
    assert.equal(named('gpt-5'), 'GPT-5');
    assert.equal(named('gpt-5 (tokens are estimates)'), 'GPT-5 (tokens are estimates)');
    assert.equal(named('other'), 'other');
    assert.equal(named(''), undefined);
    assert.equal(modelNameOf(turn({ message: { text: '', origin: { kind: 'user' }, model: { id: 'gpt-5' } } }), agent), 'GPT-5');
    assert.equal(modelNameOf(turn({ usage: { model: 'gpt-5' } }), undefined), 'gpt-5');
    assert.ok((named('x'.repeat(5_000))?.length ?? 0) <= 201);
  });
});
