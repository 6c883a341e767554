/** Who may do what at the portal's port: by which path, with which credentials, and from where. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { Route } from '../../../src/portal/api/route.ts';
import { allRoutes } from '../../../src/portal/api/routeGroups.ts';
import { MAX_BODY_BYTES } from '../../../src/portal/http/portalServer.ts';
import { RawSocket } from '../../support/rawSocket.ts';
import { TestPortal } from './portalHarness.ts';

type Headers = Record<string, string>;

/** What browsers say of requests. */
const ownPage = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };
const typed = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
const linkOf = (site: string) => ({ 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' });
const frameOf = (site: string) => ({ ...linkOf(site), 'Sec-Fetch-Dest': 'iframe' });
const imageOf = (site: string) => ({ 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' });
const strangers = ['same-site', 'cross-site'].flatMap((site) => [linkOf(site), frameOf(site), imageOf(site)]);
const pathOf = ({ path }: Route) => `/api${path.replaceAll(/\{\w+\}/g, 'none')}`;

describe('a connection to a portal', function () {
  this.timeout(60_000);
  it('ends when it says nothing, and not while it waits for its answer', async () => {
    const test = await TestPortal.start({ headersTimeoutMs: 1_000 });
    const opened: RawSocket[] = [];
    try {
      const { port } = test.server;
      test.portal.live.session.open('quiet');
      // It waits for an event, longer than it may be silent.
      const waiting = test.call('copilot/session/quiet/live');
      for (const sent of ['', 'GET /api/te', `GET /api/test HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`])
        opened.push((await RawSocket.connect(port)).write(sent));
      const statuses = await Promise.all(opened.map((socket) => socket.status()));
      assert.ok(
        statuses.every((status) => status === 0 || status === 408),
        String(statuses),
      );
      test.portal.live.session.push('quiet', { callback: 'onIdle' });
      assert.deepEqual(await waiting, { callback: 'onIdle' });
    } finally {
      for (const socket of opened) socket.dispose();
      await test.close();
    }
  });
});

describe('a POST to a portal', function () {
  this.timeout(60_000);
  let test: TestPortal;
  before(async () => (test = await TestPortal.start()));
  after(() => test.close());

  /** As it is on the wire, to the end of the connection. */
  async function post(path: string, rest: string): Promise<number> {
    const socket = await RawSocket.connect(test.server.port);
    const lines = [`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${test.server.port}`, `Authorization: Bearer ${test.server.token}`];
    try {
      return await socket.write(`${lines.join('\r\n')}\r\n${rest}`).status();
    } finally {
      socket.dispose();
    }
  }

  it('may have no body and not say how long it is, as that of curl -X POST', async () => {
    assert.equal(await post('/api/test', '\r\n'), 200);
    assert.equal(await post('/api/test', 'Content-Length: 0\r\n\r\n'), 200);
    assert.equal(await post('/api/test', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'), 200);
    assert.equal(await post('/api/stop', '\r\n'), 200);
    assert.equal(test.stops, 1);
  });

  it('is read to the limit, whether it says how long it is or not', async () => {
    const route = '/api/copilot/session/start/one';
    const chunk = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;
    assert.equal(await post(route, `Content-Length: ${MAX_BODY_BYTES + 1}\r\n\r\n`), 413);
    assert.equal(await post(route, `Transfer-Encoding: chunked\r\n\r\n${chunk(MAX_BODY_BYTES)}${chunk(1)}`), 413);
    // The folder is wrong, which only a route that has read all of it can say.
    assert.equal(await post(route, `Transfer-Encoding: chunked\r\n\r\n${chunk(5)}${chunk(5)}0\r\n\r\n`), 200);
  });
});

for (const withoutToken of [false, true])
  describe(`the door of a portal ${withoutToken ? 'without' : 'with'} a token`, function () {
    this.timeout(60_000);
    let test: TestPortal;
    /** What the portal's page sends along, as far as it needs any. */
    let session: Headers;
    const own = () => `http://127.0.0.1:${test.server.port}`;

    before(async () => {
      test = await TestPortal.start({ withoutToken });
      session = withoutToken ? {} : await test.openPage();
    });
    after(() => test.close());

    /** The path goes out as it is. The body of the answer is not waited for. */
    const ask = (method: string, path: string, headers: Headers): Promise<number> =>
      new Promise((resolve, reject) => {
        const sent = request({ host: '127.0.0.1', port: test.server.port, method, path, headers, agent: false }, (response) => {
          resolve(response.statusCode ?? 0);
          response.on('error', () => undefined).destroy();
        });
        sent.on('error', reject);
        sent.end();
      });
    /** Also with a body that makes no sense. */
    const isLetIn = async (method: string, path: string, headers: Headers) => ![401, 403].includes(await ask(method, path, headers));

    it('takes a request for what its path decodes to, or not at all', async () => {
      const spellings = [
        ...[
          '/api/stop',
          '/%61pi/stop',
          '/%61%70%69/%73top',
          '/api/stop?',
          '/api/stop?x=1',
          '/api/stop#x',
          '//api/stop',
          '/api//stop',
          '/api/stop/',
        ],
        ...[
          '/api%2fstop',
          '/%2fapi/stop',
          '/x/../api/stop',
          '/x/%2e%2e/api/stop',
          '/./api/stop',
          '/%2e/api/stop',
          '/api/./stop',
          '/..%2fapi/stop',
        ],
        ...['/API/stop', '/Api/Stop', '/api/stop%00', '/%00/api/stop', '/%zz/api/stop', '/api/stop%', '/api/stop%c0%80', '/%c1%a1pi/stop'],
        ...[
          '/\\api/stop',
          '/x\\..\\api/stop',
          '/x/..\\api/stop',
          '/index.html/../api/stop',
          '/index.html%2f..%2fapi/stop',
          '/api/stop;x',
          '/.;/api/stop',
        ],
        ...[`${own()}/api/stop`, `${own()}/%61pi/stop`, `${own()}`, 'api/stop', '*', `//127.0.0.1:${test.server.port}/api/stop`],
      ];
      for (const path of spellings)
        for (const headers of [...strangers, typed, ownPage, {}])
          assert.ok((await ask('GET', path, { ...session, ...headers })) >= 400, `${path} ${JSON.stringify(headers)}`);
      for (const path of spellings)
        for (const headers of strangers)
          assert.ok((await ask('POST', path, { ...session, ...headers })) >= 400, `${path} ${JSON.stringify(headers)}`);
      assert.equal(test.stops, 0);
      // What is spelled otherwise is the same for those who may use it.
      assert.equal(await ask('POST', '/%61pi/test', { ...session, ...ownPage }), 200);
      assert.equal(await ask('POST', '/api/test', { ...session, ...ownPage }), 200);
      assert.equal(await ask('POST', '/api/copilot/session/a%2Fb%25%20%C3%A9/stop', { ...session, ...ownPage }), 200);
    });

    it('lets other pages lead to its page, and to nothing else', async () => {
      for (const path of ['/', '/index.html', '/index.js', '/%69ndex.html'])
        for (const headers of [linkOf('same-site'), linkOf('cross-site'), typed, ownPage, {}])
          assert.equal(await ask('GET', path, { ...session, ...headers }), 200, `${path} ${JSON.stringify(headers)}`);
      for (const path of ['/', '/index.js'])
        for (const site of ['same-site', 'cross-site'])
          for (const headers of [frameOf(site), imageOf(site)]) assert.equal(await ask('GET', path, { ...session, ...headers }), 403, path);
      for (const path of ['/', '/index.html']) assert.equal(await ask('POST', path, { ...session, ...linkOf('cross-site') }), 403);
      for (const path of ['/api', '/api/', '/api/test', '/nothing', '/index.html/x'])
        for (const headers of strangers) assert.ok((await ask('GET', path, { ...session, ...headers })) >= 400, path);
    });

    it('takes no request from a page of another origin, whatever it is for', async () => {
      for (const doc of allRoutes(true))
        for (const method of ['GET', 'POST']) {
          for (const headers of strangers)
            assert.equal(
              await ask(method, pathOf(doc), { ...session, ...headers }),
              403,
              `${method} ${doc.path} ${JSON.stringify(headers)}`,
            );
          for (const origin of [
            'null',
            'https://evil.example',
            `http://127.0.0.1:${test.server.port + 1}`,
            `https://127.0.0.1:${test.server.port}`,
          ]) {
            assert.equal(await ask(method, pathOf(doc), { ...session, Origin: origin }), 403, `${method} ${doc.path} ${origin}`);
            assert.equal(
              await ask(method, pathOf(doc), { ...session, Origin: origin, ...ownPage }),
              403,
              `${method} ${doc.path} ${origin}`,
            );
          }
          // A browser that does not say where the request comes from.
          assert.equal(await ask(method, pathOf(doc), { ...session, 'Sec-Fetch-Dest': 'image' }), 403);
          assert.equal(await ask(method, pathOf(doc), { ...session, 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'no-cors' }), 403);
        }
      assert.equal(test.stops, 0);
    });

    it('changes something for its own page by POST, and for nobody else without the token in a header', async () => {
      const routes = allRoutes(true);
      assert.ok(routes.filter(({ changes }) => changes).length >= 15 && routes.some(({ changes }) => !changes));
      for (const doc of routes) {
        const path = pathOf(doc);
        for (const headers of [ownPage, typed, { Origin: own() }, { 'Sec-Fetch-Mode': 'cors' }, {}] as Headers[])
          assert.equal(
            await isLetIn('GET', path, { ...session, ...headers }),
            !doc.changes || doc.postOnly === true,
            `GET ${path} ${JSON.stringify(headers)}`,
          );
        assert.equal(await ask('POST', path, { ...session, ...typed }), 403, path);
        assert.ok(doc.body || test.stops === 0);
      }
      assert.equal(test.stops, 0);
      for (const doc of routes) {
        const path = pathOf(doc);
        assert.ok(await isLetIn('POST', path, { ...session, ...ownPage }), path);
        assert.ok(await isLetIn('POST', path, { ...session, Origin: own() }), path);
        for (const program of [{}, { 'Sec-Fetch-Mode': 'cors' }] as Headers[])
          assert.equal(
            await isLetIn('POST', path, { ...session, ...program }),
            withoutToken || !doc.changes,
            `a program with the session: ${path}`,
          );
        if (!withoutToken)
          for (const method of ['GET', 'POST']) assert.ok(await isLetIn(method, path, test.authorized), `${method} ${path}`);
      }
      assert.ok(test.stops > 0, 'it is stopped by those who may');
    });

    if (!withoutToken)
      it('stops for a program of the specification, which sends GET with the token', async () => {
        const before = test.stops;
        assert.deepEqual(await test.call('stop'), {});
        assert.equal(test.stops, before + 1);
      });
  });
