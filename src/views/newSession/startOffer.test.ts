import assert from 'node:assert/strict';
import type { AgentInfo } from '../../ahp/channels/root.ts';
import { MODEL_ENDPOINTS_RESOURCE } from '../../models/modelEndpoints.ts';
import { type StartHost, startOffer } from './startOffer.ts';

const agent = (provider: string, fields: Partial<AgentInfo> = {}): AgentInfo => ({
  provider,
  displayName: provider.toUpperCase(),
  description: '',
  models: [],
  ...fields,
});
const withoutModels = agent('copilot', { protectedResources: [{ resource: MODEL_ENDPOINTS_RESOURCE }] as never });
const host = (id: string, agents: AgentInfo[], fields: Partial<StartHost> = {}): StartHost => ({
  ...{ id, label: `Host ${id}`, agents, isConnecting: false, isLocal: true },
  ...fields,
});

describe('startOffer', () => {
  it('has the agents that can work first, then the demo, then those that lack a model', () => {
    const { agents, chosen } = startOffer([host('a', [withoutModels, agent('demo'), agent('own')])], [], undefined);
    assert.deepEqual(
      agents.map(({ label }) => label),
      ['OWN', 'DEMO', 'COPILOT'],
    );
    assert.equal(chosen?.provider, 'own');
  });

  it('chooses the agent of the last session as long as it is offered', () => {
    const hosts = [host('a', [agent('own'), agent('demo')]), host('b', [agent('own')])];
    assert.deepEqual(startOffer(hosts, [], { hostId: 'b', provider: 'own' }).chosen, {
      hostId: 'b',
      provider: 'own',
      label: 'OWN · Host b',
    });
    assert.equal(startOffer(hosts, [], { hostId: 'b', provider: 'gone' }).chosen?.hostId, 'a');
  });

  it('does not begin with the demo once a model is set, be it away or the demo the last agent', () => {
    const hosts = [host('a', [agent('demo'), withoutModels])];
    const demo = { hostId: 'a', provider: 'demo' };
    const chosen = (hasModel: boolean, of = hosts) => startOffer(of, [], demo, hasModel).chosen?.provider;
    assert.equal(chosen(false), 'demo');
    assert.equal(chosen(true), 'copilot');
    assert.equal(chosen(false, [host('a', [agent('demo'), { ...withoutModels, models: [{ id: 'm' }] as never }])]), 'copilot');
    assert.equal(startOffer(hosts, [], undefined, true).agents.at(-1)?.provider, 'demo', 'it stays in the list');
  });

  it('has no agent before a host is connected, and says whether one may come', () => {
    const { agents, chosen, isConnecting } = startOffer([host('a', [], { isConnecting: true })], [], undefined);
    assert.deepEqual([agents, chosen, isConnecting], [[], undefined, true]);
  });

  it('keeps texts of hosts on one line and its lists short', () => {
    const many = Array.from({ length: 500 }, (_, index) => agent(`a${index}`, { displayName: 'two\nlines' }));
    const { agents } = startOffer([host('a', many)], [], undefined);
    assert.equal(agents.length, 100);
    assert.equal(agents[0]?.label.includes('\n'), false);
  });
});
