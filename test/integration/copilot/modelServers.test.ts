/** Requests of the extension to a model server before it is added, over real HTTP. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listModels, locateServer, type ModelServer as Asked, testModel } from '../../../src/extension/models/modelServer.ts';
import { ModelServer } from '../../fixtures/modelServer.ts';

const { signal } = new AbortController();

describe('a server of models', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await ModelServer.start();
  });
  afterEach(() => server.stop());

  const asked = (type: Asked['type'], path = ''): Asked => ({ type, baseUrl: server.origin + path, apiKey: 'key' });
  const tries = () => server.tries.map(({ path, model, authorization, apiKey }) => ({ path, model, authorization, apiKey }));
  const bearer = { authorization: 'Bearer key', apiKey: undefined };
  const ownHeader = { authorization: undefined, apiKey: 'key' };

  it('is tried on the interface that the engine will use, with its own header for the key', async () => {
    assert.equal(await testModel(asked('openai', '/v1'), 'm', signal), 'completions');
    for (const path of ['', '/openai/deployments/of-azure'])
      assert.equal(await testModel(asked('azure', path), 'm', signal), 'completions');
    for (const path of ['', '/v1', '/v1/messages', '/'])
      assert.equal(await testModel(asked('anthropic', path), 'm', signal), 'completions');
    const model = 'm';
    assert.deepEqual(tries(), [
      { path: '/v1/chat/completions', model, ...bearer },
      ...Array.from({ length: 2 }, () => ({ path: '/openai/v1/chat/completions', model, ...ownHeader })),
      ...Array.from({ length: 4 }, () => ({ path: '/v1/messages', model, ...ownHeader })),
    ]);
  });

  it('is tried on the responses interface where it has no other', async () => {
    server.without = ['/v1/chat/completions'];
    assert.equal(await testModel(asked('openai', '/v1'), 'm', signal), 'responses');
    assert.deepEqual(tries(), [{ path: '/v1/responses', model: 'm', ...bearer }]);
  });

  it('says what is wrong when it has neither', async () => {
    server.without = ['/v1/chat/completions', '/v1/responses'];
    await assert.rejects(testModel(asked('openai', '/v1'), 'm', signal), /answered 404/);
    server.without = ['/v1/messages'];
    await assert.rejects(testModel(asked('anthropic'), 'm', signal), /answered 404/);
  });

  it('is asked without a key where there is none', async () => {
    const { apiKey: _apiKey, ...open } = asked('openai', '/v1');
    await testModel(open, 'm', signal);
    assert.deepEqual(tries(), [{ path: '/v1/chat/completions', model: 'm', authorization: undefined, apiKey: undefined }]);
  });

  it('is found where it has its list, also when the end of the address is left out and it wants a key', async () => {
    const located = async (path: string) => (await locateServer({ type: 'openai', baseUrl: server.origin + path }, signal)).baseUrl;
    assert.equal(await located('/v1'), server.baseUrl);
    assert.equal(await located(''), server.baseUrl);
    server.key = 'key';
    assert.equal(await located(''), server.baseUrl);
    await assert.rejects(listModels({ type: 'openai', baseUrl: server.baseUrl }, signal), /wants a key \(401\)/);
    await assert.rejects(listModels({ type: 'openai', baseUrl: server.baseUrl, apiKey: 'other' }, signal), /refused the key \(401\)/);
    server.key = undefined;
    server.without = ['/v1/models'];
    assert.equal(await located(''), server.origin, 'it may have no list, so the address stays as it was given');
    const { origin } = server;
    await server.stop();
    await assert.rejects(locateServer({ type: 'openai', baseUrl: origin }, signal), /cannot be reached/);
    server = await ModelServer.start();
  });

  it('lists its models', async () => {
    server.models = ['a', 'b'];
    assert.deepEqual(await listModels(asked('openai', '/v1'), signal), ['a', 'b']);
    assert.deepEqual(await listModels(asked('anthropic'), signal), ['a', 'b']);
  });
});

describe('what is no server of models', () => {
  const answers: { what: string; status: number; body: string; problem: RegExp }[] = [
    { what: 'a page', status: 200, body: '<html>', problem: /not JSON. Check the address: it usually ends in \/v1/ },
    { what: 'other JSON', status: 200, body: '{"hello": 1}', problem: /not like a model/ },
    { what: 'a refused key', status: 401, body: '{}', problem: /refused the key \(401\)/ },
    { what: 'a failure', status: 500, body: '{"error": {"message": "out of\\n memory"}}', problem: /answered 500: out of memory/ },
    { what: 'far too much', status: 200, body: ' '.repeat(2 * 1024 * 1024), problem: /too long for a model server/ },
    { what: 'a way to another place', status: 302, body: '', problem: /cannot be reached/ },
  ];
  for (const { what, status, body, problem } of answers) {
    it(`${what} is said`, async () => {
      let requests = 0;
      const server = createServer((_request, response) => {
        requests++;
        response.writeHead(status, { location: '/elsewhere' }).end(body);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
        await assert.rejects(testModel({ type: 'openai', baseUrl, apiKey: 'secret' }, 'm', signal), (error: Error) => {
          assert.match(error.message, problem);
          assert.doesNotMatch(error.message, /secret/);
          return true;
        });
        assert.equal(requests, 1);
      } finally {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    });
  }

  it('an address where nobody listens is said', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await assert.rejects(
      testModel({ type: 'openai', baseUrl: `http://127.0.0.1:${port}/v1` }, 'm', signal),
      /cannot be reached: .*ECONNREFUSED/,
    );
  });
});
