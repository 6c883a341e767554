import assert from 'node:assert/strict';
import type { AgentInfo, RootState } from '../../ahp/channels/root.ts';
import { MODEL_ENDPOINTS_RESOURCE } from '../../models/modelEndpoints.ts';
import { GITHUB_RESOURCE, lacksModels, modelFacts, modelProblem, modelSources } from './agentModels.ts';

const agent = (fields: Partial<AgentInfo>): AgentInfo => ({
  provider: 'copilot',
  displayName: 'Copilot',
  description: '',
  models: [],
  ...fields,
});
const takesBoth = agent({ protectedResources: [{ resource: GITHUB_RESOURCE }, { resource: MODEL_ENDPOINTS_RESOURCE, required: false }] });
const model = { id: 'a', provider: 'copilot', name: 'A' };
const session = { provider: 'copilot' };
const root = (...agents: AgentInfo[]): RootState => ({ agents });

describe('the models of an agent', () => {
  it('are missing only where they can be given', () => {
    assert.deepEqual(modelSources(takesBoth), ['gitHub', 'ownModels']);
    assert.ok(lacksModels(takesBoth));
    assert.ok(!lacksModels({ ...takesBoth, models: [model] }));
    assert.ok(!lacksModels(agent({})), 'an agent without models that takes none, as the demo agent');
    assert.ok(!lacksModels(agent({ protectedResources: [{ resource: 'https://elsewhere.example' }] })));
  });

  it('are a problem of the session when there are none, or not its own', () => {
    assert.deepEqual(modelProblem(session, 'a', root(takesBoth)), { kind: 'none', sources: ['gitHub', 'ownModels'] });
    assert.deepEqual(modelProblem(session, 'b', root({ ...takesBoth, models: [model] })), { kind: 'gone', name: 'b' });
    assert.deepEqual(modelProblem(session, 'a', root(agent({ models: [{ ...model, policyState: 'disabled' }] }))), {
      kind: 'gone',
      name: 'a',
    });
    assert.equal(modelProblem(session, 'a', root({ ...takesBoth, models: [model] })), undefined);
    assert.equal(modelProblem(session, undefined, root({ ...takesBoth, models: [model] })), undefined);
    assert.equal(modelProblem(session, 'b', root(agent({}))), undefined, 'an agent without a list');
    assert.equal(modelProblem(session, 'b', undefined), undefined, 'nothing is known yet');
  });

  it('are told apart by what the host said of them, and nothing else', () => {
    assert.deepEqual(modelFacts(model), []);
    const effort = { type: 'string' as const, title: 'Reasoning effort', enum: ['low', 'high'] };
    const configSchema = { type: 'object' as const, properties: { reasoningEffort: effort } };
    assert.deepEqual(modelFacts({ ...model, maxContextWindow: 128_000, supportsVision: true, configSchema }), [
      '128K tokens',
      'sees images',
      'reasoning effort',
    ]);
    assert.deepEqual(modelFacts({ ...model, maxContextWindow: 1_048_576, supportsVision: false }), ['1M tokens']);
  });
});
