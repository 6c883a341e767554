import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientFetch } from './patientFetch.ts';

describe('a patient fetch', () => {
  let server: Server;
  let url: string;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const { signal } = new AbortController();
  const init = { method: 'POST', headers: { 'X-Mine': 'a' }, signal };

  before(async () => {
    server = createServer((request, response) => answer(request, response));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('sends what it is given, and has status and text of the answer', async () => {
    answer = async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      response
        .writeHead(401)
        .end(JSON.stringify([request.method, request.url, request.headers['x-mine'], Buffer.concat(parts).toString()]));
    };
    const response = await patientFetch(`${url}/a?b`, { ...init, body: '{"é":1}' });
    assert.equal(response.status, 401);
    assert.deepEqual(await response.json(), ['POST', '/a?b', 'a', '{"é":1}']);
  });

  it('waits for as long as it may, where that of Node gives up', async () => {
    const key = Symbol.for('undici.globalDispatcher.1');
    const platform = globalThis as unknown as Record<symbol, { constructor: new (options: object) => { close(): Promise<void> } }>;
    await fetch(url, { method: 'POST' }).catch(() => undefined); // makes the dispatcher
    const usual = platform[key] ?? assert.fail('the fetch of Node has no dispatcher');
    const impatient = new usual.constructor({ headersTimeout: 50 });
    const waiting: ServerResponse[] = [];
    answer = (_, response) => void waiting.push(response);
    try {
      Object.assign(globalThis, { [key]: impatient });
      const patient = patientFetch(url, init);
      await assert.rejects(
        fetch(url, { method: 'POST' }),
        ({ cause }: { cause: { code: string } }) => cause.code === 'UND_ERR_HEADERS_TIMEOUT',
      );
      for (const response of waiting) response.end('late');
      assert.equal(await (await patient).text(), 'late');
    } finally {
      Object.assign(globalThis, { [key]: usual });
      await impatient.close();
    }
  });

  it('rejects for a redirect, a cut and a refused connection, and when nobody waits any more', async () => {
    answer = (_, response) => void response.writeHead(307, { Location: '/elsewhere' }).end();
    await assert.rejects(patientFetch(url, init), /unexpected redirect/);
    answer = (_, response) => void response.destroy();
    await assert.rejects(patientFetch(url, init), { code: 'ECONNRESET' });
    await assert.rejects(patientFetch('http://127.0.0.1:1', init), { code: 'ECONNREFUSED' });
    const stop = new AbortController();
    answer = () => stop.abort();
    await assert.rejects(patientFetch(url, { ...init, signal: stop.signal }), { name: 'AbortError' });
    const later = new AbortController();
    answer = (_, response) => void response.writeHead(200, { 'Content-Length': 10 }).write('{');
    const begun = await patientFetch(url, { ...init, signal: later.signal });
    later.abort();
    await assert.rejects(begun.text());
  });
});
