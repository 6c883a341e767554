import assert from 'node:assert/strict';
import { FakeGateway } from '../../../test/fakes/fakeGateway.ts';
import { formatStatus } from './statusText.ts';

describe('the status for a terminal', () => {
  it('is one line for each entry, without control sequences in names', () => {
    const fake = new FakeGateway();
    const session = fake.session('a', { label: 'red \u001b[31m\nProviders (9)\u202e', idle: false });
    fake.gateway.emitters.start(session, { name: 'check', prompt: 'with a secret', runInterval: '5m' }, 'user');
    fake.gateway.ledger.judged(session, 'goal', 'a secret goal', [{ check: 'x', verdict: 'contradicted', line: 'y' }]);
    const text = formatStatus('ws://127.0.0.1:1', { ...fake.gateway.status(), projectProviders: [] });
    fake.dispose();
    assert.match(text, /^ {2}a {2}red \[31m Providers \(9\) {2}busy, 0 tools, .*, 1 contradicted$/m);
    assert.match(text, /^ {2}check of a: waiting, timed, 0 runs, the next in 300 s$/m);
    assert.doesNotMatch(text, /secret/);
    assert.equal(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(text), false);
  });
});
