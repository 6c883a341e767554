import assert from 'node:assert/strict';
import { Timeline } from '../bridge/session/timeline.ts';
import { bridgeInfo } from './bridgeInfo.ts';

describe('What the page of a session is told of the bridge', () => {
  const pairing = { id: 'a', code: '123456', expiresAt: 1 };
  const joined = { clientId: 'me', timeline: new Timeline(), callProviders: [], isAtGateway: true };

  it('is what there is to say of the tools that are lent, if anything', () => {
    const lending = { tone: 'fine', text: '1 tool lent' } as const;
    assert.deepEqual(bridgeInfo(joined, [], lending).lending, lending);
    assert.ok(!('lending' in bridgeInfo(joined, [])));
  });

  it('is what is pending at the gateway, if the session is there', () => {
    assert.deepEqual(bridgeInfo(joined, [pairing]).pairings, [pairing]);
    assert.deepEqual(bridgeInfo({ ...joined, isAtGateway: false }, [pairing]).pairings, []);
  });

  it('is which programs serve the session, and how many want to check its calls', () => {
    const told = bridgeInfo(joined, [], undefined, { serving: 'dice serves all sessions', waitingChecks: 1 });
    assert.deepEqual([told.serving, told.waitingChecks], ['dice serves all sessions', 1]);
    const nothing = bridgeInfo(joined, [], undefined, { waitingChecks: 0 });
    assert.ok(!('serving' in nothing) && !('waitingChecks' in nothing));
  });
});
