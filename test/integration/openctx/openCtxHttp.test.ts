/** Providers that are HTTP endpoints, of both dialects, honest and not. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { OpenCtxClient } from '../../../src/openctx/index.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { at, HttpProvider, openClient } from './openCtxProviders.ts';

const resource = { uri: 'file:///home/alice/foo.js', content: 'one\ntwo todo\nthree' };

describe('OpenCtx providers over HTTP', () => {
  const providers: HttpProvider[] = [];
  const clients: OpenCtxClient[] = [];
  const serve = async (handlers: Parameters<typeof HttpProvider.start>[0]) => {
    const provider = await HttpProvider.start(handlers);
    providers.push(provider);
    return provider;
  };
  const open = (...given: Parameters<typeof openClient>) => {
    const client = openClient(...given);
    clients.push(client);
    return client;
  };
  const ask = (provider: HttpProvider, more: Partial<Parameters<typeof openClient>[0]> = {}) =>
    open({ providers: { [provider.url]: true }, ...more });
  afterEach(() => {
    for (const client of clients.splice(0)) client.dispose();
    for (const provider of providers.splice(0)) provider.close();
  });

  for (const dialect of ['seed', 'later'] as const)
    describe(`of the ${dialect} dialect, with null and wrong items`, () => {
      const item = { title: 'good', url: null, ui: { hover: { markdown: null, text: 'Do it' } }, ai: null };
      const good = { title: 'good', ui: { hover: { text: 'Do it' } } };
      const wrap = (given: object) =>
        dialect === 'seed' ? given : { uri: resource.uri, item: given, range: null, presentationHints: null };
      const start = (answer: unknown[]) =>
        dialect === 'seed'
          ? serve({ capabilities: () => ({ selector: null }), items: () => answer })
          : serve({
              meta: () => ({ name: 'x', items: null, mentions: null, annotations: { selectors: null } }),
              annotations: () => answer,
            });

      it('take null for absent, and lose no good item to a wrong one', async () => {
        const provider = await start([null, wrap(item), wrap({ title: null }), wrap({ title: 'x', ai: 'text' }), wrap(good)]);
        const answered: (string | undefined)[] = [];
        const client = ask(provider, { onDidAnswer: ({ leftOut }) => answered.push(leftOut) });
        const { results, errors } = await client.items(resource);
        const expected = { ...good, provider: provider.url };
        assert.deepEqual(results, [expected, expected]);
        assert.deepEqual(
          errors.map(({ provider: from, leftOut }) => [from, leftOut]),
          [[provider.url, 3]],
        );
        assert.match(errors[0]?.message ?? '', /^Of 5 in its answer, 3 wrong left out: 1 \(.+\), 3 \(.*title .+\), 4 \(.*ai .+\)\.$/);
        assert.deepEqual(answered, [errors[0]?.message]);
        assert.deepEqual(client.state(provider.url), { kind: 'works', leftOut: errors[0]?.message });
      });
    });

  it('keep good mentions and their items beside wrong ones', async () => {
    const provider = await serve({
      meta: () => ({ name: 'x', mentions: {} }),
      mentions: () => [{ title: 'a', uri: 'a:1', description: null, data: { id: null } }, { title: 'b' }],
      items: () => [{ title: 'a', ai: { content: null } }, {}],
    });
    const client = ask(provider);
    const { results, errors } = await client.mentions({ query: '' });
    assert.deepEqual(results, [{ title: 'a', uri: 'a:1', data: { id: null }, provider: provider.url }]);
    assert.match(errors[0]?.message ?? '', /1 wrong left out: 2 \(uri /);
    const items = await client.items({ mention: results[0] ?? assert.fail() });
    assert.deepEqual(items.results, [{ title: 'a', ai: {}, provider: provider.url }]);
    assert.equal(items.errors[0]?.leftOut, 1);
  });

  for (const [error, text] of [
    [{ message: 'no more today' }, 'The provider says: no more today'],
    [{ code: null, message: 'no more today', data: null }, 'The provider says: no more today'],
    [{ code: 'E_QUOTA', message: 'no more today' }, 'The provider says: no more today (E_QUOTA)'],
    [{ code: 7, message: 'no more today' }, 'The provider says: no more today (7)'],
    [{ code: { a: 1 }, message: 'no more today' }, 'The provider says: no more today'],
    ['no more today', 'The provider says: no more today'],
    [{ code: 7, message: null }, 'The provider says: nothing of its error (7)'],
    [{}, 'The provider says: nothing of its error'],
  ] as const)
    it(`keep the text of the error ${JSON.stringify(error)}`, async () => {
      const provider = await serve({});
      provider.respond = (response, { method }) =>
        response.end(JSON.stringify(method === 'capabilities' ? { result: {}, error: null } : { result: null, error }));
      const { errors } = await ask(provider).items(resource);
      assert.deepEqual(errors, [{ provider: provider.url, message: text }]);
    });

  describe('of the seed', () => {
    const todo = {
      title: 'A todo',
      url: 'https://example.com/1',
      ui: { hover: { markdown: '**Do** it', text: 'Do it' } },
      ai: { content: 'There is work' },
      range: at(1, 4, 1, 8),
    };

    it('are asked by POST what they are for, once, and then for the items', async () => {
      const provider = await serve({ capabilities: () => ({}), items: () => [todo] });
      const client = open({ providers: { [provider.url]: { tone: 'dry', nested: { n: 1 } } } });
      for (let times = 0; times < 2; times++)
        assert.deepEqual(await client.items(resource), { results: [{ ...todo, provider: provider.url }], errors: [] });
      const settings = { tone: 'dry', nested: { n: 1 } };
      assert.deepEqual(provider.received, [
        { method: 'capabilities', params: {}, settings },
        { method: 'items', params: resource, settings },
        { method: 'items', params: resource, settings },
      ]);
      assert.match(provider.headers[0]?.['content-type'] ?? '', /^application\/json/);
    });

    it('may say as many items as an answer holds, and keep no other provider from answering', async () => {
      const many = await serve({ capabilities: () => ({}), items: () => Array.from({ length: 150_000 }, () => ({ title: 'x' })) });
      const one = await serve({ capabilities: () => ({}), items: () => [{ title: 'one' }] });
      const { results, errors } = await open({ providers: { [many.url]: true, [one.url]: true } }).items(resource);
      assert.deepEqual([results.length, errors], [150_001, []]);
    });

    it('get settings also where there are none', async () => {
      const provider = await serve({ capabilities: () => ({}), items: () => [] });
      await ask(provider).items(resource);
      assert.deepEqual(provider.received[1]?.settings, {});
    });

    for (const [what, selector, isCalled] of [
      ['without selectors', undefined, true],
      ['with an empty list', [], false],
      ['with a path that matches', [{ path: '**/*.js' }], true],
      ['with another path', [{ path: '**/*.ts' }], false],
      ['with a text that is there', [{ contentContains: 'todo' }], true],
      ['with another text', [{ contentContains: 'fixme' }], false],
      ['with both conditions, one of which holds', [{ path: '**/*.js', contentContains: 'fixme' }], false],
      ['with two selectors, one of which matches', [{ path: '**/*.ts' }, { contentContains: 'todo' }], true],
      ['with a selector without conditions', [{}], true],
    ] as const)
      it(`are ${isCalled ? '' : 'not '}called ${what}`, async () => {
        const provider = await serve({ capabilities: () => ({ selector }), items: () => [{ title: 'x' }] });
        const { results, errors } = await ask(provider).items(resource);
        assert.deepEqual([results.length, errors], [isCalled ? 1 : 0, []]);
        assert.equal(provider.methods.includes('items'), isCalled);
      });

    it('are called by the selectors that can be used, and a wrong one is left out and named', async () => {
      const wrong = [{ path: 5 }, 'x', { path: 'a'.repeat(1_001) }, { path: '/' }];
      for (const [right, isCalled] of [
        [{ path: '**/*.js' }, true],
        [{ path: '**/*.ts' }, false],
      ] as const) {
        const answer = [{ title: 'x' }, { title: 5 }];
        const provider = await serve({ capabilities: () => ({ selector: [...wrong, right] }), items: () => answer });
        const { results, errors } = await ask(provider).items(resource);
        assert.equal(results.length, isCalled ? 1 : 0);
        const [{ message = '', leftOut = 0 } = {}, ...others] = errors;
        assert.deepEqual([leftOut, others], [isCalled ? 5 : 4, []]);
        assert.match(message, /^Of 5 selectors, 4 wrong left out: 1 \(path .+\), 2 \(.+\), 3 \(.*more than 1000 characters\) and 1 more\./);
        assert.equal(message.includes('Of 2 in its answer, 1 wrong left out: 2 (title'), isCalled);
      }
    });

    it('match the host too', async () => {
      const provider = await serve({
        capabilities: () => ({ selector: [{ path: 'example.com/docs/**' }] }),
        items: () => [{ title: 'x' }],
      });
      const client = ask(provider);
      const count = async (uri: string) => (await client.items({ uri, content: '' })).results.length;
      assert.deepEqual([await count('https://example.com/docs/a'), await count('https://example.org/docs/a')], [1, 0]);
    });

    it('give annotations as well, and nothing that they do not know', async () => {
      const provider = await serve({ capabilities: () => ({}), items: () => [todo] });
      const client = ask(provider);
      const { range, ...item } = todo;
      assert.deepEqual((await client.annotations(resource)).results, [{ uri: resource.uri, item, range, provider: provider.url }]);
      assert.deepEqual(await client.mentions({ query: 'x' }), { results: [], errors: [] });
      assert.deepEqual(await client.items({ message: 'x' }), { results: [], errors: [] });
      const mention = { title: 'x', uri: 'x:1', provider: provider.url };
      assert.deepEqual(await client.items({ mention }), { results: [], errors: [] });
      assert.deepEqual(provider.methods, ['capabilities', 'items']);
    });

    it('give those of a range, with those of the whole document', async () => {
      const items = [{ title: 'whole' }, { title: 'first', range: at(0, 0, 0, 3) }, todo];
      const provider = await serve({ capabilities: () => ({}), items: () => items });
      const titles = async (range: ReturnType<typeof at>) =>
        (await ask(provider).items({ ...resource, range })).results.map(({ title }) => title);
      assert.deepEqual(await titles(at(1, 8)), ['whole', 'A todo']);
      assert.deepEqual(await titles(at(2, 0)), ['whole']);
      assert.deepEqual(await titles(at(0, 3, 1, 4)), ['whole', 'first', 'A todo']);
    });
  });

  describe('of the later dialect', () => {
    const meta = { name: 'Later', annotations: {}, mentions: { label: 'Search…' } };

    for (const [how, unknown] of [
      ['with the code of JSON-RPC', undefined],
      ['with a code of its own', (response: ServerResponse) => response.end('{"error":{"code":0,"message":"what?"}}')],
      ['with status 404', (response: ServerResponse) => response.writeHead(404).end()],
      ['with status 500', (response: ServerResponse) => response.writeHead(500).end('<h1>Internal error</h1>')],
      ['with no result', (response: ServerResponse) => response.end('{}')],
      ['with a page', (response: ServerResponse) => response.end('<html>')],
    ] as const)
      it(`are found out by asking, also where they say ${how} that they do not know the seed`, async () => {
        const provider = await serve({ meta: () => meta, annotations: () => [{ uri: resource.uri, item: { title: 'a' } }] });
        if (unknown) provider.unknown = unknown;
        const client = ask(provider);
        for (let times = 0; times < 2; times++) assert.equal((await client.items(resource)).results[0]?.title, 'a');
        assert.deepEqual(provider.methods, ['capabilities', 'meta', 'annotations', 'annotations']);
      });

    it('never get the items of the seed', async () => {
      const provider = await serve({ meta: () => ({ name: 'x' }), items: () => assert.fail('asked') });
      assert.deepEqual(await ask(provider).items(resource), { results: [], errors: [] });
    });

    it('give mentions, and the items of one to nobody else', async () => {
      const mention = { title: 'Issue 1', description: 'open', uri: 'issue:1', data: { id: 1 } };
      const one = await serve({ meta: () => meta, mentions: () => [mention], items: () => [{ title: 'one', ai: { content: 'text' } }] });
      const other = await serve({ meta: () => meta, mentions: () => [], items: () => assert.fail('asked') });
      const client = open({ providers: { [one.url]: true, [other.url]: true } });
      const { results } = await client.mentions({ query: 'iss', uri: resource.uri });
      assert.deepEqual(results, [{ ...mention, provider: one.url }]);
      assert.deepEqual(one.received.at(-1)?.params, { query: 'iss', uri: resource.uri });
      const items = await client.items({ mention: results[0] ?? assert.fail() });
      assert.deepEqual(items, { results: [{ title: 'one', ai: { content: 'text' }, provider: one.url }], errors: [] });
      assert.deepEqual(one.received.at(-1)?.params, { mention });
    });

    it('give the items of a message that one of their patterns matches', async () => {
      const items = { messageSelectors: [{ pattern: 'LIN-\\d+' }] };
      const provider = await serve({ meta: () => ({ ...meta, items }), items: () => [{ title: 'x' }] });
      const client = ask(provider);
      assert.equal((await client.items({ message: 'see LIN-12' })).results.length, 1);
      assert.equal((await client.items({ message: 'see nothing' })).results.length, 0);
      assert.deepEqual(provider.received.at(-1)?.params, { message: 'see LIN-12' });
    });
  });

  it('answer in the order of their URIs, and each one sorted by place', async () => {
    const give = (...lines: number[]) =>
      serve({ capabilities: () => ({}), items: () => lines.map((line) => ({ title: `${line}`, range: at(line, 0) })) });
    const all = [await give(2, 0, 1), await give(1)];
    const client = open({ providers: Object.fromEntries(all.map(({ url }) => [url, true])) });
    const sorted = all.map(({ url }) => url).sort((a, b) => a.localeCompare(b));
    const { results } = await client.items(resource);
    const expected = sorted.flatMap((url) => (url === all[0]?.url ? ['0', '1', '2'] : ['1']));
    assert.deepEqual(
      results.map(({ title }) => title),
      expected,
    );
  });

  it('are off where the setting is false', async () => {
    const provider = await serve({});
    assert.deepEqual(await open({ providers: { [provider.url]: false } }).items(resource), { results: [], errors: [] });
    assert.deepEqual(provider.received, []);
  });

  describe('that are not honest', () => {
    const limits = { timeoutMs: 3_000, maxBytes: 50_000 };
    const honest = () => serve({ capabilities: () => ({}), items: () => [{ title: 'honest' }] });

    for (const [what, respond, message] of [
      ['hangs', () => undefined, /did not answer within 3 s/],
      ['answers a page', (response: ServerResponse) => response.end('<html>'), /did not answer with JSON/],
      ['floods', (response: ServerResponse) => response.end(`{"result":"${'x'.repeat(100_000)}"}`), /more than 50000 bytes/],
      ['floods without an end', flood, /more than 50000 bytes/],
      ['cuts the connection', (response: ServerResponse) => response.destroy(), /cannot be reached/],
      ['cuts the answer', cut, /cannot be reached/],
      [
        'redirects to another place',
        (response: ServerResponse) => response.writeHead(307, { Location: 'http://127.0.0.2:9/' }).end(),
        /send the request to another place \(http:\/\/127\.0\.0\.2:9\)/,
      ],
      ['redirects for ever', (response: ServerResponse) => response.writeHead(307, { Location: '/again' }).end(), /more than 3 redirects/],
      ['redirects a POST to a GET', (response: ServerResponse) => response.writeHead(302, { Location: '/' }).end(), /redirect \(302\)/],
      [
        'has a result of another shape',
        (response: ServerResponse) => response.end('{"result":{"selector":5,"name":6}}'),
        /not as OpenCtx says: selector/,
      ],
    ] as const)
      it(`is one error beside an honest one: it ${what}`, async () => {
        const [good, bad] = [await honest(), await serve({})];
        bad.respond = respond;
        const client = open({ providers: { [good.url]: true, [bad.url]: true }, limits });
        const { results, errors } = await client.items(resource);
        assert.deepEqual(results, [{ title: 'honest', provider: good.url }]);
        assert.deepEqual(
          errors.map(({ provider }) => provider),
          [bad.url],
        );
        assert.match(errors[0]?.message ?? '', message);
      });

    it('is followed where the redirect stays on its origin', async () => {
      const provider = await serve({ capabilities: () => ({}), items: () => [{ title: 'x' }] });
      const redirect = (response: ServerResponse) => {
        provider.respond = undefined;
        response.writeHead(308, { Location: '/there' }).end();
      };
      provider.respond = redirect;
      assert.equal((await ask(provider).items(resource)).results.length, 1);
    });

    it('has its ranges put into the document', async () => {
      const ranges = [at(-5, -1, 99, 99), at(1, 999), at(2, 1, 0, 1), at(0.9, 1.5), at(1e300, 0)];
      const provider = await serve({ capabilities: () => ({}), items: () => ranges.map((range, index) => ({ title: `${index}`, range })) });
      const { results } = await ask(provider).items(resource);
      const found = Object.fromEntries(results.map(({ title, range }) => [title, range]));
      assert.deepEqual(found, {
        0: at(0, 0, 2, 5),
        1: at(1, 8),
        2: at(0, 1, 2, 1),
        3: at(0, 1),
        4: at(2, 5),
      });
    });

    it('has a glob or a pattern that takes for ever', async () => {
      const slow = await serve({ capabilities: () => ({ selector: [{ path: `${'*a'.repeat(400)}!` }] }), items: () => [] });
      const { errors } = await ask(slow).items({ uri: `file:///${'a'.repeat(3_000)}`, content: '' });
      assert.match(errors[0]?.message ?? '', /selectors that take too long/);
      const pattern = await serve({ meta: () => ({ name: 'x', items: { messageSelectors: [{ pattern: '(a{1000}){1000}' }] } }) });
      assert.match((await ask(pattern).items({ message: 'aaa' })).errors[0]?.message ?? '', /pattern that cannot be used/);
    });

    it('gets no secret without encryption from another computer, and the named one otherwise', async () => {
      const settings = { auth: { token: 'Bearer ${secret:linear}' } };
      const findSecret = async (name: string) => (name === 'linear' ? 'abc' : undefined);
      const far = open({ providers: { 'http://192.0.2.1/': settings }, findSecret });
      assert.match((await far.items(resource)).errors[0]?.message ?? '', /not sent without encryption/);
      const near = await serve({ capabilities: () => ({}), items: () => [] });
      await open({ providers: { [near.url]: settings }, findSecret }).items(resource);
      assert.deepEqual(near.received[0]?.settings, { auth: { token: 'Bearer abc' } });
      const missing = open({ providers: { [near.url]: { token: '${secret:other}' } }, findSecret });
      assert.match((await missing.items(resource)).errors[0]?.message ?? '', /the secret “other”, which was not entered/);
    });

    it('is left alone for a while, longer each time, until somebody tries again', async () => {
      const clock = new FakeClock();
      const provider = await serve({ capabilities: () => ({}), items: () => [{ title: 'x' }] });
      const client = ask(provider, { clock });
      provider.respond = (response) => response.destroy();
      const failed = async () => (await client.items(resource)).errors.length === 1;
      assert.ok(await failed());
      const asked = provider.received.length;
      assert.ok(await failed());
      assert.equal(provider.received.length, asked, 'not asked');
      clock.advance(1_000);
      assert.ok(await failed());
      assert.ok(provider.received.length > asked, 'asked once more');
      provider.respond = undefined;
      assert.ok(await failed(), 'left alone again');
      client.tryAgain(provider.url);
      assert.equal((await client.items(resource)).results.length, 1);
    });
  });

  it('say what is wrong with a URI that names no provider', async () => {
    const wrong = ['ftp://x', './a.js', 'none', 'file:///x.ts', 'http://', '/x.txt', 'https+js://x/y.js'];
    const { errors } = await open({ providers: Object.fromEntries(wrong.map((uri) => [uri, true])) }).items(resource);
    assert.deepEqual(errors.map(({ provider }) => provider).sort(), wrong.sort());
    for (const { message } of errors) assert.match(message, /no provider|relative to a workspace folder|no JavaScript file|no URL/);
  });

  it('are not asked with a name and a password in the URI, which errors would tell', async () => {
    for (const uri of ['http://me:hidden@127.0.0.1:1/', 'https://hidden@127.0.0.1:1/']) {
      const [error] = (await open({ providers: { [uri]: true } }).items(resource)).errors;
      assert.match(error?.message ?? '', /must have no name and no password/);
      assert.doesNotMatch(error?.message ?? '', /hidden/);
    }
  });
});

function cut(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Length': '99' });
  response.write('{"result"', () => response.destroy());
}

/** Goes on until the reader goes. */
function flood(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(10_000)));
  };
  response.on('drain', more);
  more();
}
