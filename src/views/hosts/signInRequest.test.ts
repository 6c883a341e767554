import assert from 'node:assert/strict';
import { GITHUB_RESOURCE } from './agentModels.ts';
import { resourceName, signInQuestion, signInReason, signInRequest } from './signInRequest.ts';

const resource = 'https://mcp.example/tools';

describe('signInRequest', () => {
  const serverOf = (...servers: string[]) => signInRequest({ resource: { resource, authorization_servers: servers } }).server?.href;

  it('takes the first server that nobody can read along with, and that carries no password', () => {
    assert.equal(
      serverOf('http://login.example', 'file:///x', 'nonsense', 'https://me:pw@login.example', 'https://login.example/a'),
      'https://login.example/a',
    );
    assert.equal(serverOf('http://login.example'), undefined);
    assert.equal(serverOf('http://127.0.0.1:9'), 'http://127.0.0.1:9/');
  });

  it('asks for what the call needs, or else for all that the resource has', () => {
    const all = { resource, scopes_supported: ['a', 'b'] };
    assert.deepEqual(signInRequest({ resource: all }).scopes, ['a', 'b']);
    assert.deepEqual(signInRequest({ resource: all, requiredScopes: ['b'] }).scopes, ['b']);
  });

  it('uses the account of VS Code for GitHub only', () => {
    const isGitHub = (of: string, ...servers: string[]) =>
      signInRequest({ resource: { resource: of, authorization_servers: servers } }).isGitHub;
    assert.ok(isGitHub(GITHUB_RESOURCE));
    assert.ok(isGitHub(resource, 'https://github.com/login/oauth'));
    assert.ok(isGitHub(resource, 'https://github.com/login/oauth/'));
    assert.ok(!isGitHub(resource, 'https://github.com.login.example/login/oauth'));
    assert.ok(!isGitHub(resource, 'https://github.com/login/oauth/other'));
  });
});

describe('signInQuestion', () => {
  const questionOf = (fields: object, of = {}) =>
    signInQuestion(signInRequest({ resource: { resource, resource_name: 'Your bank', ...fields }, ...of }), 'build-box');
  const asked = (fields: object, of = {}) => questionOf(fields, of) ?? assert.fail('it cannot be asked');

  it('says who gets a token for what, where the user signs in, and with which rights', () => {
    const { question, detail } = asked({ authorization_servers: ['https://login.example/a'] }, { requiredScopes: ['read', 'write'] });
    assert.equal(question, 'Sign in to Your bank for the agent host build-box?');
    for (const part of ['a token for https://mcp.example/tools.', 'You sign in at https://login.example/a.', 'asks for: read, write.'])
      assert.ok(detail.includes(part), detail);
  });

  it('says that it is the GitHub account whose token goes there', () => {
    assert.match(
      asked({ authorization_servers: ['https://github.com/login/oauth'] }).detail,
      /^The host gets a token of your GitHub account, for https:\/\/mcp/,
    );
  });

  it('says that a token is to be entered where there is nowhere to sign in', () => {
    assert.match(asked({}).detail, /You enter a token\. It asks for no special rights\./);
  });

  it('shows all rights that are asked for, or is not asked', () => {
    const many = Array.from({ length: 60 }, (_, index) => `harmless-${index}`);
    const { detail } = asked({}, { requiredScopes: [...many, 'delete_everything'] });
    assert.match(detail, /harmless-0, .*harmless-59, delete_everything\./);
    assert.equal(questionOf({}, { requiredScopes: ['x'.repeat(990), 'delete_everything'] }), undefined);
  });

  it('asks for no rights whose names cannot be shown as they are', () => {
    const requiredScopes = ['read', 'a b', 'wr\u200bite', '', 'x\ny'];
    assert.deepEqual(signInRequest({ resource: { resource }, requiredScopes }).scopes, ['read']);
  });

  it('lets no line break or direction mark of the host into it', () => {
    const { question } = asked({ resource_name: 'A\nB\u202eC' });
    assert.equal(question, 'Sign in to A B C for the agent host build-box?');
  });
});

describe('resourceName', () => {
  it('falls back to the host of the address, and to the text', () => {
    assert.equal(resourceName({ resource }), 'mcp.example');
    assert.equal(resourceName({ resource: 'not an address' }), 'not an address');
  });
});

describe('signInReason', () => {
  it('has words for what is known, and for the rest', () => {
    assert.equal(signInReason({ reason: 'expired' }), 'Your sign-in has ended.');
    assert.equal(signInReason({ reason: 'toString' }), 'It needs you to sign in.');
  });
});
