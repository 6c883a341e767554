import assert from 'node:assert/strict';
import { type SignInCandidate, signInTargets } from './signIn.ts';

const host = (name: string, fields: Partial<SignInCandidate> = {}) => ({
  name,
  connected: true,
  takesAccount: true,
  isRefusing: false,
  isGiven: true,
  ...fields,
});
const names = (...hosts: ReturnType<typeof host>[]) => signInTargets(hosts).map(({ name }) => name);

describe('a sign-in without a named host', () => {
  it('is for every host that asks, not for one only', () => {
    const own = host('own', { isGiven: false });
    const remote = host('remote', { isGiven: false, isRefusing: true });
    const expired = host('expired', { isRefusing: true });
    assert.deepEqual(names(own, remote, expired, host('content')), ['own', 'remote', 'expired']);
  });
  it('leaves out those that are not there or have no use for an account', () => {
    assert.deepEqual(names(host('a', { isGiven: false, connected: false }), host('b', { isGiven: false, takesAccount: false })), []);
  });
  it('is for all that take an account where none asks', () => {
    assert.deepEqual(names(host('a'), host('b'), host('c', { takesAccount: false })), ['a', 'b']);
  });
});
