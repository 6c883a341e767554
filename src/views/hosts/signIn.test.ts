import assert from 'node:assert/strict';
import type { AgentInfo } from '../../ahp/channels/root.ts';
import { GITHUB_RESOURCE } from './agentModels.ts';
import { accountRequest, isCovered, type SignInCandidate, signInTargets } from './signIn.ts';

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

describe('the account of the agents', () => {
  const agents = (scopes_supported?: string[], resource = GITHUB_RESOURCE) =>
    [{ protectedResources: [{ resource, ...(scopes_supported && { scopes_supported }) }] }] as unknown as AgentInfo[];

  it('has the rights that they ask for, without those that are sentences', () => {
    assert.deepEqual(accountRequest(agents(['repo', 'read:user. It asks for nothing else']))?.scopes, ['repo']);
    assert.deepEqual(accountRequest(agents())?.scopes, ['read:user']);
    assert.equal(accountRequest(agents([], 'https://mcp.example')), undefined);
  });
  it('is enough for what asks for no more than that', () => {
    const asks = (scopes_supported?: string[], resource = GITHUB_RESOURCE) => ({ resource, ...(scopes_supported && { scopes_supported }) });
    assert.ok(isCovered(asks(), agents(['repo'])) && isCovered(asks(['repo']), agents(['read:user', 'repo'])));
    assert.ok(!isCovered(asks(['repo', 'workflow']), agents(['repo'])));
    assert.ok(!isCovered(asks(), agents([], 'https://mcp.example')));
    assert.ok(!isCovered(asks(undefined, 'https://mcp.example'), agents([])));
  });
});
