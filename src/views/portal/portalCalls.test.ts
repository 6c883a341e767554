import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { PortalCalls, type PortalProblem } from './portalCalls.ts';

class Problem extends Error {
  constructor(readonly problem: PortalProblem) {
    super(problem.kind);
  }
}

describe('a call of the portal', () => {
  let server: Server;
  let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
  before(async () => {
    server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      answer(request, response, Buffer.concat(parts).toString());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const calls = (more: { timeoutMs?: number; url?: string } = {}) =>
    new PortalCalls({ url: url(), token: 't', timeoutMs: 60_000, headers: { 'User-Agent': 'me' }, ...more }, (one) => new Problem(one));
  const says = (text: string, status = 200) => (answer = (_, response) => void response.writeHead(status).end(text));
  const problemOf = async (call: Promise<unknown>) => {
    const error: unknown = await call.then(
      () => assert.fail('it was answered'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Problem, String(error));
    return error.problem;
  };

  it('is a POST with the token and the headers, and an object is sent as JSON', async () => {
    const seen: unknown[] = [];
    answer = ({ method, url: path, headers }, response, body) => {
      seen.push([method, path, headers.authorization, headers['user-agent'], headers['if-match'], headers['content-type'], body]);
      response.end('{"ok":true}');
    };
    assert.deepEqual(await calls().call('a/b', { body: { x: 1 }, headers: { 'If-Match': '"r"' } }), { ok: true });
    await calls().call('c', { body: 'plain' });
    assert.deepEqual(seen, [
      ['POST', '/api/a/b', 'Bearer t', 'me', '"r"', 'application/json', '{"x":1}'],
      ['POST', '/api/c', 'Bearer t', 'me', undefined, 'text/plain;charset=UTF-8', 'plain'],
    ]);
  });

  it('gives what both kinds of schemas make of an answer, and refuses another shape', async () => {
    says('{"n":1,"more":2}');
    assert.deepEqual(await calls().read('x', z.object({ n: z.number() })), { n: 1 });
    assert.deepEqual(await calls().read('x', mini.object({ n: mini.number() })), { n: 1 });
    assert.deepEqual(await problemOf(calls().read('x', z.object({ n: z.string() }))), { kind: 'unknownShape' });
  });

  it('tells a refusal by name from one by status, and lets a caller expect the name', async () => {
    says('{"error":"JobNotFound"}');
    assert.deepEqual(await problemOf(calls().call('x')), { kind: 'refused', status: 200, error: 'JobNotFound' });
    assert.deepEqual(await calls().ask('x', z.object({ error: z.string() })), { error: 'JobNotFound' });
    says('{"error":"Unauthorized","message":"Send its token."}', 401);
    const refused = { kind: 'refused', status: 401, error: 'Unauthorized', message: 'Send its token.' };
    assert.deepEqual(await problemOf(calls().answer('x')), refused);
  });

  it('takes no redirect, no text and no list for an answer', async () => {
    answer = (_, response) => void response.writeHead(307, { Location: '/elsewhere' }).end();
    assert.equal((await problemOf(calls().call('x'))).kind, 'unreachable');
    for (const text of ['', '<html>', '[]', 'null']) {
      says(text);
      assert.equal((await problemOf(calls().call('x'))).kind, 'unreadable', text);
    }
  });

  it('ends at an answer that is too long', async () => {
    const part = Buffer.alloc(1_000_000, ' ');
    const ended = new Promise<void>((resolve) => {
      answer = (_, response) => {
        response.once('close', resolve);
        const more = () => {
          while (!response.destroyed && response.write(part));
          response.once('drain', more);
        };
        more();
      };
    });
    assert.deepEqual(await problemOf(calls().call('x')), { kind: 'tooLong' });
    await ended;
  });

  it('names the wait when no answer comes, and rejects with the reason of a caller that waits no more', async () => {
    answer = (_, response) => void response.flushHeaders();
    const late = await problemOf(calls({ timeoutMs: 20 }).call('x'));
    assert.deepEqual(late, { kind: 'unreachable', reason: 'The call of the portal did not finish within 0.02 s' });
    const stop = new AbortController();
    answer = () => stop.abort(new Error('enough'));
    await assert.rejects(calls().call('x', { signal: stop.signal }), /^Error: enough$/);
    await assert.rejects(calls().call('x', { signal: stop.signal }), /^Error: enough$/);
    assert.equal((await problemOf(calls({ url: 'http://127.0.0.1:0' }).call('x'))).kind, 'unreachable');
  });

  it('that does something says that it may be done, where it was sent and no answer has come', async () => {
    const deed = { isDeed: true } as const;
    answer = (_, response) => void response.destroy();
    assert.equal((await problemOf(calls().call('x', deed))).kind, 'unknownOutcome');
    assert.equal((await problemOf(calls().call('x'))).kind, 'unreachable');
    answer = (_, response) => void response.writeHead(200, { 'Content-Length': 10 }).write('{', () => response.destroy());
    assert.equal((await problemOf(calls().call('x', deed))).kind, 'unknownOutcome');
    answer = () => undefined;
    const late = await problemOf(calls().call('x', { ...deed, timeoutMs: 20 }));
    assert.deepEqual(late, { kind: 'unknownOutcome', reason: 'The call of the portal did not finish within 0.02 s' });
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    assert.equal((await problemOf(calls({ url: `http://127.0.0.1:${port}` }).call('x', deed))).kind, 'unreachable', 'nobody has heard it');
    says('{"error":"CommitRefused"}');
    assert.equal((await problemOf(calls().call('x', deed))).kind, 'refused');
  });
});
