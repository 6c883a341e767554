import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { boundedFetch, MAX_MESSAGE_BYTES } from './boundedFetch.ts';

const MIB = 1024 * 1024;

describe('an answer of an MCP server over HTTP', () => {
  let server: Server;
  /** What the server sends, by path. */
  let bodies: Record<string, { type: string; parts: () => Iterable<string> }>;
  before(async () => {
    server = createServer((request, response) => {
      const { type, parts } = bodies[request.url ?? ''] ?? assert.fail();
      response.writeHead(200, { 'Content-Type': type });
      Readable.from(parts()).pipe(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Its length, or why it was cut. */
  const read = async (type: string, parts: () => Iterable<string>) => {
    bodies = { '/': { type, parts } };
    const errors: string[] = [];
    const bounded = boundedFetch(({ message }) => errors.push(message));
    const response = await bounded(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    let length = 0;
    try {
      for await (const chunk of response.body ?? []) length += chunk.length;
      return length;
    } catch {
      return errors;
    }
  };
  function* repeated(part: string, times = Infinity): Iterable<string> {
    for (let at = 0; at < times; at++) yield part;
  }
  const tooLarge = [`it has sent a message of more than ${MAX_MESSAGE_BYTES} bytes`];

  it('is read whole up to 32 MiB, and no further', async () => {
    const part = ' '.repeat(MIB);
    assert.equal(await read('application/json', () => repeated(part, 32)), 32 * MIB);
    assert.deepEqual(await read('application/json', () => repeated(part)), tooLarge);
  });

  it('may be a stream of any length, of events that are no larger', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const part = `data: ${' '.repeat(4 * MIB)}${end}`;
      const event = `${part}${part}${end}`;
      assert.equal(await read('text/event-stream', () => repeated(event, 5)), 5 * event.length);
      assert.deepEqual(await read('text/event-stream; charset=utf-8', () => repeated(part)), tooLarge);
    }
  });
});
