import assert from 'node:assert/strict';
import type { GatewayHealth } from './facts.ts';
import { providerDeeds } from './providerDeeds.ts';

type Up = Extract<GatewayHealth, { kind: 'up' }>;

const up = (status: Partial<Up['status']> = {}): GatewayHealth => ({
  kind: 'up',
  roundTripMs: 1,
  status: { consents: [], pairings: [], earlierTokens: [], ...status } as unknown as Up['status'],
});
const wants = ['hooks'];
const offered = (health: GatewayHealth, remembered: readonly string[] = []) =>
  Object.entries(providerDeeds(health, remembered)).flatMap(([deed, can]) => (can ? [deed] : []));

describe('what is offered about the trust in providers', () => {
  it('is what there is something for', () => {
    assert.deepEqual(offered(up()), []);
    assert.deepEqual(offered(up({ consents: [{ provider: 'ci', decision: 'asked', wants }] })), ['canAnswer']);
    assert.deepEqual(offered(up({ consents: [{ provider: 'ci', decision: 'denied', wants }] })), ['canForget']);
    assert.deepEqual(offered(up({ pairings: [{ id: '1', connected: false }] })), ['canRevoke']);
    assert.deepEqual(offered(up({ earlierTokens: [{ id: '1', names: [] }] })), ['canLetIn']);
    assert.deepEqual(offered(up({ earlierTokens: undefined as never })), [], 'an older gateway does not say');
  });

  it('is to forget what the window remembers of programs that are away', () => assert.deepEqual(offered(up(), ['ci']), ['canForget']));

  it('is nothing while no gateway can be asked', () => {
    for (const health of [{ kind: 'off', why: 'user' }, { kind: 'connecting' }, { kind: 'down', error: 'gone' }] as const)
      assert.deepEqual(offered(health, ['ci']), []);
  });
});
