/** Signing in at an authorization server, over real HTTP. The user is played by a `fetch` of the page that would be opened. */
import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { nullLogger } from '../../../src/base/log.ts';
import { type Browser, oauthToken } from '../../../src/extension/signIn/oauth.ts';
import { type AuthorizationServer, authorizationServer } from '../../fakes/authorizationServer.ts';

describe('signing in at an authorization server', () => {
  let server: AuthorizationServer;
  beforeEach(async () => (server = await authorizationServer()));
  afterEach(() => server.close());

  const user: Browser = {
    reach: async (url) => url,
    open: async (url) => {
      await (await fetch(url)).text();
      return true;
    },
  };
  const request = (fields: object = {}) => ({
    server: new URL(server.url),
    resource: 'https://mcp.example/x?a=1&b=2',
    scopes: ['read', 'a+b'],
    ...fields,
  });
  const granted = (browser = user, fields: object = {}, signal = new AbortController().signal) =>
    oauthToken(request(fields), browser, nullLogger, signal);
  const token = async (...args: Parameters<typeof granted>) => (await granted(...args))?.token;
  const values = (path: string) => server.asked.find((one) => one.path === path)?.values ?? {};

  it('gives a token for the resource and its scopes, and proves that it is the one that asked', async () => {
    assert.equal(await token(), 'signed-in-token');
    const asked = values('/authorize');
    assert.deepEqual(
      [asked['client_id'], asked['scope'], asked['resource'], asked['code_challenge_method'], asked['response_type']],
      ['tapline-1', 'read a+b', 'https://mcp.example/x?a=1&b=2', 'S256', 'code'],
    );
    assert.equal(values('/token')['resource'], 'https://mcp.example/x?a=1&b=2');
    assert.equal((JSON.parse(values('/register')['body'] ?? '') as { client_name: string }).client_name, 'Tapline');
  });

  it('says how long the token lasts, as far as the server does', async () => {
    for (const [lasts, expiresIn] of [
      [3600, 3600],
      ['90.5', 90],
      [0, undefined],
      [-1, undefined],
      [1e300, undefined],
    ] as const) {
      server.lasts = lasts;
      assert.equal((await granted())?.expiresIn, expiresIn);
    }
  });

  it('asks as the program that the host names', async () => {
    server.mood = 'registers nobody';
    assert.equal(await token(user, { client: { clientId: 'known' } }), 'signed-in-token');
    assert.equal(values('/authorize')['client_id'], 'known');
  });

  it('says so when the server takes no new programs', async () => {
    server.mood = 'registers nobody';
    await assert.rejects(token(), /does not support dynamic client registration/);
  });

  it('says what the server refused', async () => {
    server.mood = 'refuses';
    await assert.rejects(token(), /You are not signed in: access_denied/);
    assert.deepEqual(values('/token'), {});
  });

  it('does not use an answer of another server', async () => {
    server.mood = 'answers for another';
    await assert.rejects(token(), /Another server answered/);
    assert.deepEqual(values('/token'), {});
  });

  for (const wellKnown of ['oauth-authorization-server', 'openid-configuration'] as const)
    it(`does not use an answer without a name where the server has promised one, in its ${wellKnown}`, async () => {
      server.wellKnown = wellKnown;
      server.mood = 'forgets to name itself';
      await assert.rejects(token(), /Another server answered/);
      assert.deepEqual(values('/token'), {});
      server.mood = 'names itself';
      assert.equal(await token(), 'signed-in-token');
    });

  it('does not ask a server that says it is another one', async () => {
    server.mood = 'is another';
    await assert.rejects(token(), /says that it is https:\/\/other\.example/);
    assert.deepEqual([values('/register'), values('/authorize')], [{}, {}]);
  });

  it('goes on when somebody else sends requests that cannot be read', async () => {
    const seen: (number | undefined)[] = [];
    const noisy: Browser = {
      ...user,
      open: async (url) => {
        const { port } = new URL(url.searchParams.get('redirect_uri') ?? '');
        for (const path of ['//', '/signed-in?%', '*', 'http://[']) {
          const response = await new Promise<IncomingMessage>((resolve, reject) =>
            get({ host: '127.0.0.1', port, path }, resolve).on('error', reject),
          );
          seen.push(response.resume().statusCode);
        }
        return user.open(url);
      },
    };
    assert.equal(await token(noisy), 'signed-in-token');
    assert.deepEqual(seen, [400, 400, 400, 400]);
  });

  it('does not read an answer without end', async () => {
    server.mood = 'answers too much';
    await assert.rejects(token(), /more than 262,144 bytes/);
  });

  it('says what a server answered on one line, and not all of it', async () => {
    server.mood = 'refuses at length';
    await assert.rejects(
      token(),
      (error: Error) => error.name === 'UserError' && error.message.length < 310 && !error.message.includes('\n'),
    );
  });

  it('takes no answer without the secret of the request', async () => {
    const seen: number[] = [];
    const forged: Browser = {
      ...user,
      open: async (url) => {
        const redirect = new URL(url.searchParams.get('redirect_uri') ?? '');
        for (const query of ['', '?code=mine', '?code=mine&state=guess', '?error=access_denied'])
          seen.push((await fetch(`${redirect.href}${query}`)).status);
        return user.open(url);
      },
    };
    assert.equal(await token(forged), 'signed-in-token');
    assert.deepEqual(seen, [400, 400, 400, 400]);
  });

  it('ends when the user does not open the page, and when they cancel', async () => {
    assert.equal(await token({ ...user, open: async () => false }), undefined);
    const abort = new AbortController();
    const waits = token({ ...user, open: async () => (queueMicrotask(() => abort.abort()), true) }, {}, abort.signal);
    await assert.rejects(waits, /cancelled/);
  });

  it('asks nobody over a connection that others could read', async () => {
    await assert.rejects(token(user, { server: new URL('http://login.example') }), /http:\/\/login\.example is not used to sign in/);
  });

  it('leaves nothing that listens', async () => {
    let redirect = '';
    await token({ ...user, reach: async (url) => (redirect = url) });
    await assert.rejects(fetch(redirect), /fetch failed/);
  });
});
