import assert from 'node:assert/strict';
import type { GatewayStatus } from '../../tap/wire/owner/ownerMessages.ts';
import { servesWords, sessionPrograms } from './served.ts';

type Provider = GatewayStatus['providers'][number];

const provider = (fields: Partial<Provider> = {}): Provider => ({
  ...{ id: 'p', name: 'dice', trust: 'project', sessions: ['a'], tools: [], pendingCalls: 0 },
  ...{ needsConsent: true, awaitsConsent: false, ...fields },
});
const ofA = (...providers: Provider[]) => sessionPrograms({ providers }, 'a');
const waits = (fields: Partial<Provider> = {}) => provider({ awaitsConsent: true, wants: ['hooks', 'context'], ...fields });

describe('which sessions a program serves', () => {
  it('is said for one session, for each of its programs', () => {
    assert.deepEqual(ofA(), { waitingChecks: 0 });
    assert.equal(
      ofA(provider(), provider({ name: 'tap', trust: 'internal' }), provider({ name: 'far', sessions: ['b'] })).serving,
      'dice serves this session',
    );
    assert.equal(ofA(provider({ isForAll: true, sessions: ['b', 'a'] })).serving, 'dice serves all sessions');
    const tabs = ['x', 'y'].map((instance) => provider({ name: 'page', trust: 'external', instance }));
    assert.equal(ofA(provider(), ...tabs).serving, 'dice serves this session · page serves this session');
    const many = ['b', 'c', 'd'].map((name) => provider({ name }));
    assert.equal(ofA(provider(), ...many).serving, 'dice serves this session · b serves this session · 2 more');
    assert.doesNotMatch(ofA(provider({ name: 'x\n\u202e'.repeat(200) })).serving ?? '', /[\n\u202e]|.{120}/);
  });

  it('counts the programs that want to check its calls and wait for consent, each once', () => {
    assert.equal(ofA(waits(), waits({ id: 'q' }), waits({ name: 'other' })).waitingChecks, 2);
    assert.equal(ofA(waits({ wants: ['context'] }), waits({ sessions: ['b'] }), waits({ awaitsConsent: false })).waitingChecks, 0);
    assert.equal(ofA(waits({ wants: undefined as never })).waitingChecks, 0, 'of an older gateway');
  });

  it('is said for its row', () => {
    const titleOf = (id: string) => `title of ${id}`;
    assert.equal(servesWords([provider()], titleOf), 'serves “title of a”');
    assert.equal(servesWords([provider(), provider({ sessions: ['b', 'a'] })], titleOf), 'serves 2 sessions');
    assert.equal(servesWords([provider({ isForAll: true })], titleOf), 'serves all sessions');
    assert.equal(servesWords([provider({ sessions: [] })], titleOf), 'serves no session');
  });
});
