import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { nullLogger } from '../../log.ts';
import { PeerSocket } from './peerSocket.ts';

const UNMASKED = Buffer.alloc(4);
/** The frames of short texts, from the server and from the peer. */
const sent = (text: string) => Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]);
const received = (text: string) => Buffer.concat([Buffer.from([0x81, 0x80 | text.length]), UNMASKED, Buffer.from(text)]);

describe('the WebSocket of a peer', () => {
  it('writes once what is sent about a message, also after it was waited for in between', async () => {
    const writes: string[] = [];
    const stream = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => (writes.push(chunk.toString('hex')), done()),
      writev: (chunks, done) => (writes.push(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)).toString('hex')), done()),
    });
    const headers = { upgrade: 'websocket', 'sec-websocket-key': Buffer.alloc(16).toString('base64'), 'sec-websocket-version': '13' };
    const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
    const socket = await new Promise<WebSocket>((resolve) =>
      server.handleUpgrade({ method: 'GET', headers } as IncomingMessage, stream, Buffer.alloc(0), resolve),
    );
    const peer = new PeerSocket(socket, {
      stream,
      clock: new FakeClock(),
      logger: nullLogger,
      who: 'a peer',
      maxBuffered: 1_000,
      closeCodes: { TooSlow: 4000, Unresponsive: 4001 },
      onMessage: async () => {
        peer.send('result');
        await undefined;
        peer.send('echo');
        await undefined;
        peer.send('next call');
      },
      onEnd: () => undefined,
    });
    writes.length = 0;
    // As from the network, and not in the microtasks of this test: these would all be over before the next tick.
    setImmediate(() => stream.push(received('call')));
    await nextTurn();
    await nextTurn();
    assert.deepEqual(writes, [Buffer.concat(['result', 'echo', 'next call'].map(sent)).toString('hex')]);
    // Nothing is held back from the next turn.
    peer.send('later');
    await nextTurn();
    assert.deepEqual(writes.slice(1), [sent('later').toString('hex')]);
    socket.terminate();
  });
});
