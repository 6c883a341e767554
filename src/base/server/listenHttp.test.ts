import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { nullLogger } from '../log.ts';
import { listenHttp } from './listenHttp.ts';
import { boundWaiting } from './waitingConnections.ts';

const HEAD = 'GET / HTTP/1.1\r\nHost: x\r\n';

describe('an HTTP server on this computer', function () {
  this.timeout(15_000);
  const opened: Socket[] = [];
  let server: Server;
  const port = () => (server.address() as AddressInfo).port;
  afterEach(async () => {
    for (const socket of opened.splice(0)) socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Connected, and seen by the server. */
  const open = async (sent = ''): Promise<Socket> => {
    const seen = once(server, 'connection');
    const socket = connect(port(), '127.0.0.1');
    opened.push(socket);
    socket.on('error', () => undefined); // it may be reset
    socket.resume();
    await seen;
    if (sent) socket.write(sent);
    return socket;
  };
  const answer = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);
  const isOpen = ({ destroyed, readableEnded }: Socket) => !destroyed && !readableEnded;

  it('ends what says nothing and what never ends its headers or its body, and not a request that waits for its answer', async () => {
    ({ server } = await listenHttp({ name: 'server', port: 0, headersTimeoutMs: 100, requestTimeoutMs: 200, logger: nullLogger }));
    const responses: ServerResponse[] = [];
    server.on('request', (request, response) => request.on('end', () => responses.push(response)).resume());
    const asking = await open(`${HEAD}\r\n`);
    const silent = [await open(), await open('GET / HT'), await open(HEAD), await open(`POST${HEAD.slice(3)}Content-Length: 5\r\n\r\nab`)];
    const trickling = await open();
    const drop = setInterval(() => trickling.write('x'), 20);
    await Promise.all([...silent, trickling].map((socket) => once(socket, 'close')));
    clearInterval(drop);
    assert.ok(isOpen(asking));
    const answered = answer(asking);
    responses[0]?.end('here');
    assert.match(await answered, /here/);
  });

  it('keeps room for others, however many connections wait', async () => {
    server = createServer((request, response) => void (request.url === '/' ? response.end('here') : undefined));
    boundWaiting(server, 3, false);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const busy = await open();
    const taken = once(server, 'request');
    busy.write(`${HEAD.replace('/', '/later')}\r\n`);
    const [, response] = (await taken) as [unknown, ServerResponse];
    const idle = await open(`${HEAD}\r\n`);
    await answer(idle);
    const many: Socket[] = [];
    for (let at = 0; at < 10; at++) many.push(await open(at % 2 ? 'GET / HT' : ''));
    await Promise.all([idle, ...many.slice(0, 7)].map((socket) => isOpen(socket) && once(socket, 'close')));
    assert.ok(many.slice(7).every(isOpen), 'those that came last stay');
    assert.match(await answer(await open(`${HEAD}\r\n`)), /here/);
    // The one with a request has not waited.
    const answered = answer(busy);
    response.end('later');
    assert.match(await answered, /later/);
  });

  it('does not end a connection that has sent its next request before it had the answer', async () => {
    const responses: ServerResponse[] = [];
    server = createServer((_request, response) => responses.push(response));
    boundWaiting(server, 1, false);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const busy = await open();
    busy.write(`${HEAD}\r\n${HEAD}\r\n`);
    while (responses.length < 2) await once(server, 'request');
    const first = answer(busy);
    responses[0]?.end('first');
    await first;
    for (let at = 0; at < 3; at++) await open();
    const second = answer(busy);
    responses[1]?.end('second');
    assert.match(await second, /second/);
  });
});
