import assert from 'node:assert/strict';
import { FakeGateway } from '../../../test/fakes/fakeGateway.ts';
import { formatStatus } from './statusText.ts';

describe('the status for a terminal', () => {
  it('is one line for each entry, without control sequences in names', () => {
    const fake = new FakeGateway();
    fake.session('a', { label: 'red \u001b[31m\nProviders (9)\u202e' });
    const text = formatStatus('ws://127.0.0.1:1', { ...fake.gateway.status(), projectProviders: [] });
    fake.dispose();
    assert.match(text, /^ {2}a {2}red \[31m Providers \(9\) {2}idle, 0 tools/m);
    assert.equal(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(text), false);
  });
});
