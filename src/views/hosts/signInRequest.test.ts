import assert from 'node:assert/strict';
import { GITHUB_RESOURCE } from './agentModels.ts';
import { resourceName, signInQuestion, signInReason, signInRequest, tokenInput } from './signInRequest.ts';

const resource = 'https://mcp.example/tools';

describe('signInRequest', () => {
  const serverOf = (servers: string[], isHere = false) =>
    signInRequest({ resource: { resource, authorization_servers: servers } }, isHere).server?.href;

  it('takes the first server that nobody can read along with, and that carries no password', () => {
    assert.equal(
      serverOf(['http://login.example', 'file:///x', 'nonsense', 'https://me:pw@login.example', 'https://login.example/a']),
      'https://login.example/a',
    );
    assert.equal(serverOf(['http://login.example']), undefined);
  });

  it('takes a server of this computer from a host of this computer only', () => {
    for (const server of ['http://127.0.0.1:9/', 'http://localhost:9/', 'https://localhost/', 'https://[::1]/']) {
      assert.equal(serverOf([server], true), server);
      assert.equal(serverOf([server]), undefined);
    }
  });

  it('asks for what the call needs, or else for all that the resource has', () => {
    const all = { resource, scopes_supported: ['a', 'b'] };
    assert.deepEqual(signInRequest({ resource: all }, false).scopes, ['a', 'b']);
    assert.deepEqual(signInRequest({ resource: all, requiredScopes: ['b'] }, false).scopes, ['b']);
  });

  it('uses the account of VS Code for GitHub only', () => {
    const isGitHub = (of: string, ...servers: string[]) =>
      signInRequest({ resource: { resource: of, authorization_servers: servers } }, false).isGitHub;
    assert.ok(isGitHub(GITHUB_RESOURCE));
    assert.ok(isGitHub(resource, 'https://github.com/login/oauth'));
    assert.ok(isGitHub(resource, 'https://github.com/login/oauth/'));
    assert.ok(!isGitHub(resource, 'https://github.com.login.example/login/oauth'));
    assert.ok(!isGitHub(resource, 'https://github.com/login/oauth/other'));
  });
});

describe('signInQuestion', () => {
  const questionOf = (fields: object, of = {}) =>
    signInQuestion(signInRequest({ resource: { resource, resource_name: 'Your bank', ...fields }, ...of }, false), 'build-box');
  const asked = (fields: object, of = {}) => {
    const shown = questionOf(fields, of);
    return 'problem' in shown ? assert.fail(shown.problem) : { question: shown.question, lines: shown.detail.split('\n') };
  };
  const problem = (fields: object, of = {}) => {
    const shown = questionOf(fields, of);
    return 'problem' in shown ? shown.problem : assert.fail(shown.detail);
  };

  it('says where the user signs in, for what the token is, with which rights, and only then what the host calls it', () => {
    const { question, lines } = asked({ authorization_servers: ['https://login.example/a'] }, { requiredScopes: ['read', 'write'] });
    assert.equal(question, 'Sign in at https://login.example for the agent host build-box?');
    assert.deepEqual(lines, [
      'You sign in at https://login.example/a',
      'The token is for https://mcp.example/tools',
      'The rights that it asks for: read, write',
      'Whoever runs the host can use the token until it ends or you revoke it.',
      'The host calls it “Your bank”.',
    ]);
  });

  it('says that it is the GitHub account whose token goes there', () => {
    const { question, lines } = asked({ authorization_servers: ['https://github.com/login/oauth'] });
    assert.equal(question, 'Sign in to GitHub for the agent host build-box?');
    assert.deepEqual(lines.slice(0, 2), ['The host gets a token of your GitHub account.', 'The token is for https://mcp.example/tools']);
  });

  it('says that a token is to be entered where there is nowhere to sign in', () => {
    const { question, lines } = asked({});
    assert.equal(question, 'Enter a token for the agent host build-box?');
    assert.deepEqual([lines[0], lines[2]], ['You enter a token. The host gets it.', 'It asks for no special rights.']);
  });

  it('shows no sentences of a host among the facts, and no server as what the host calls it', () => {
    const lie = 'https://mcp.example/. You sign in at https://github.com/login. It asks for no special rights.';
    assert.match(problem({ resource: lie }), /^build-box does not say by an address/);
    const { question, lines } = asked({
      resource_name: `GitHub”. You sign in at https://github.com. ${lie}`,
      authorization_servers: ['https://evil.example/oauth'],
    });
    assert.equal(question, 'Sign in at https://evil.example for the agent host build-box?');
    assert.equal(
      lines.findIndex((line) => line.includes('github.com')),
      lines.length - 1,
    );
    assert.ok((lines.at(-1) ?? '').length < 90);
  });

  it('is not asked about what is no address, or cannot be shown whole as it is', () => {
    for (const one of ['tickets', '', 'https://mcp.example/\n', 'https://mcp.example/\u2800x', 'https://github.com@mcp.example/'])
      assert.match(problem({ resource: one }), /Nothing was sent/, one);
    assert.match(problem({ resource: `https://mcp.example/${'x'.repeat(300)}` }), /Nothing was sent/);
    assert.equal(
      asked({ authorization_servers: [`https://login.example/${'x'.repeat(300)}`] }).question,
      'Enter a token for the agent host build-box?',
    );
  });

  it('shows all rights that are asked for, or is not asked', () => {
    const many = Array.from({ length: 60 }, (_, index) => `harmless-${index}`);
    const { lines } = asked({}, { requiredScopes: [...many, 'delete_everything'] });
    assert.match(lines[2] ?? '', /harmless-0, .*harmless-59, delete_everything$/);
    assert.match(problem({}, { requiredScopes: ['x'.repeat(990), 'delete_everything'] }), /more rights than can be shown/);
  });

  it('asks for no rights whose names cannot be shown as they are', () => {
    const requiredScopes = ['read', 'a b', 'wr\u200bite', '', 'x\ny'];
    assert.deepEqual(signInRequest({ resource: { resource }, requiredScopes }, false).scopes, ['read']);
  });

  it('lets no line break or direction mark of the host into it', () => {
    assert.equal(asked({ resource_name: 'A\nB\u202eC' }).lines.at(-1), 'The host calls it “A B C”.');
    assert.equal(asked({ resource_name: '' }).lines.length, 4);
  });
});

describe('tokenInput', () => {
  it('says where the token goes before anything of the host', () => {
    assert.deepEqual(tokenInput(signInRequest({ resource: { resource, resource_name: 'GitHub' } }, false), 'build-box'), {
      title: 'A Token for build-box',
      prompt: 'It goes to that agent host and is not stored. It is for https://mcp.example/tools',
    });
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
