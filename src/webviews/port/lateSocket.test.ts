import assert from 'node:assert/strict';
import { LateSocket } from './lateSocket.ts';
import type { Socket } from './socketPort.ts';

class FakeSocket implements Socket {
  readyState = 0;
  readonly sent: string[] = [];
  readonly listeners: string[] = [];
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
  }
  addEventListener(type: string): void {
    this.listeners.push(type);
  }
}

describe('a WebSocket that is made later', () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('is that socket once it is there', async () => {
    const made = new FakeSocket();
    const socket = new LateSocket(Promise.resolve(made));
    socket.addEventListener('open', () => undefined);
    assert.equal(socket.readyState, 0);
    await turn();
    socket.addEventListener('close', () => undefined);
    assert.deepEqual(made.listeners, ['open', 'close']);
    made.readyState = 1;
    assert.equal(socket.readyState, 1);
    socket.send('a');
    assert.deepEqual(made.sent, ['a']);
    socket.close();
    assert.equal(socket.readyState, 3);
  });

  it('closes what was closed before it was made', async () => {
    const made = new FakeSocket();
    const socket = new LateSocket(Promise.resolve(made));
    socket.close();
    await turn();
    assert.equal(made.readyState, 3);
  });

  it('closes where it cannot be made', async () => {
    const { warn } = console;
    console.warn = () => undefined;
    try {
      let closed = 0;
      const socket = new LateSocket(Promise.reject(new Error('no session')));
      socket.addEventListener('close', () => closed++);
      await turn();
      assert.deepEqual([closed, socket.readyState], [1, 3]);
    } finally {
      console.warn = warn;
    }
  });
});
