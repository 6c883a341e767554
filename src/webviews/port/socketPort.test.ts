import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import type { ToPage } from '../../views/portal/wire/pageWire.ts';
import type { PortMessage } from './pagePort.ts';
import { MAX_WAITING, type Socket, SocketPort } from './socketPort.ts';

class FakeSocket implements Socket {
  readyState = 0;
  readonly sent: { n: number; message: PortMessage }[] = [];
  readonly #listeners: { type: string; listener: (event: { data: unknown; code?: number }) => void }[] = [];

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.readyState = 3;
  }
  addEventListener(type: string, listener: (event: { data: unknown; code?: number }) => void): void {
    this.#listeners.push({ type, listener });
  }
  open(): void {
    this.readyState = 1;
    this.#fire('open');
  }
  tell(told: ToPage): void {
    this.#fire('message', JSON.stringify(told));
  }
  cut(code = 1006): void {
    this.readyState = 3;
    this.#fire('close', undefined, code);
  }
  #fire(type: string, data?: unknown, code?: number): void {
    for (const one of this.#listeners) if (one.type === type) one.listener({ data, code });
  }
}

const dispatch = (words: string) => ({ type: 'inSession', session: {}, message: { type: 'dispatch', uri: 'chat', action: { words } } });
const inSession = (type: string) => ({ type: 'inSession', session: {}, message: { type } });

describe('the port over a WebSocket', () => {
  let clock: FakeClock;
  let sockets: FakeSocket[];
  let port: SocketPort;
  let told: unknown[];
  let isRefused: boolean;
  const socket = () => sockets.at(-1)!;
  const posted = (at = sockets.length - 1) => sockets[at]!.sent.map(({ message }) => message);
  const unsent = () => told.filter((one) => typeof one === 'object' && one !== null && 'isUnknown' in one);

  beforeEach(() => {
    clock = new FakeClock();
    sockets = [];
    told = [];
    isRefused = false;
    port = new SocketPort({
      clock,
      connect: () => {
        sockets.push(new FakeSocket());
        return socket();
      },
      isRefused: async () => isRefused,
      here: { copy: ({ text }) => told.push(`copied ${String(text)}`) },
      told: ({ problem }) => problem !== undefined && told.push({ problem }),
    });
    port.listen({
      receive: (message) => {
        told.push(message);
        if ((message as PortMessage).type === 'show') port.post(inSession('watch'));
      },
      unsent: (one) => told.push(one),
      link: (problem) => told.push(problem),
    });
  });

  const connect = () => {
    socket().open();
    socket().tell({ messages: [{ type: 'show' }] });
  };

  it('asks for everything at once, and does here what needs the browser', () => {
    socket().open();
    assert.deepEqual(posted(), [{ type: 'ready' }]);
    port.post({ type: 'ready' });
    port.post({ type: 'copy', text: 'this' } as PortMessage);
    assert.deepEqual(posted(), [{ type: 'ready' }]);
    assert.deepEqual(told, ['copied this']);
  });

  it('asks again after a cut, and sends what was done meanwhile once the page has said what it watches', () => {
    connect();
    socket().cut();
    assert.match(String(told.at(-1)), /cannot be reached/);
    port.post(dispatch('a'));
    port.post(inSession('context'));
    port.post(dispatch('b'));
    assert.equal(sockets.length, 1);
    clock.advance(300);
    assert.equal(sockets.length, 2);
    connect();
    assert.deepEqual(posted(), [{ type: 'ready' }, inSession('watch'), dispatch('a'), dispatch('b')]);
    assert.deepEqual(told.slice(-2), [undefined, { type: 'show' }]);
    assert.deepEqual(unsent(), []);
  });

  it('says that it is not known whether an act has come that was not confirmed, once', () => {
    connect();
    port.post(dispatch('came'));
    socket().tell({ seen: 3 });
    port.post(dispatch('perhaps'));
    port.post(inSession('request'));
    socket().cut();
    const given = unsent() as { message: unknown; isUnknown: boolean }[];
    assert.deepEqual(
      given.map(({ message, isUnknown }) => [message, isUnknown]),
      [
        [dispatch('perhaps'), true],
        [inSession('request'), true],
      ],
    );
    clock.advance(300);
    connect();
    assert.deepEqual(posted(), [{ type: 'ready' }, inSession('watch')]);
  });

  it('refuses requests while it is away, and what does not fit', () => {
    connect();
    socket().cut();
    port.post(inSession('request'));
    for (let at = 0; at <= MAX_WAITING; at++) port.post(dispatch(`${at}`));
    const given = unsent() as { message: unknown; reason: string; isUnknown: boolean }[];
    assert.deepEqual(
      given.map(({ message, isUnknown }) => [message, isUnknown]),
      [
        [inSession('request'), false],
        [dispatch(`${MAX_WAITING}`), false],
      ],
    );
    assert.match(given[1]!.reason, /no more can wait/);
  });

  it('keeps nothing for later that is done to what is there now', () => {
    connect();
    socket().cut();
    port.post(inSession('typeIntoTerminal'));
    port.post(inSession('resolveUnknown'));
    const given = unsent() as { reason: string; isUnknown: boolean }[];
    assert.deepEqual(
      given.map(({ isUnknown }) => isUnknown),
      [false, false],
    );
    assert.match(given[0]!.reason, /Nothing was done/);
    clock.advance(300);
    connect();
    assert.deepEqual(posted(), [{ type: 'ready' }, inSession('watch')]);
  });

  it('gives back what waits when the page is left, and does not send it later', () => {
    connect();
    socket().cut();
    port.post(dispatch('a'));
    port.leave();
    port.leave();
    assert.deepEqual(
      (unsent() as { message: unknown; isUnknown: boolean }[]).map(({ message }) => message),
      [dispatch('a')],
    );
    clock.advance(300);
    connect();
    assert.deepEqual(posted(), [{ type: 'ready' }, inSession('watch')]);
  });

  it('gives back what was sent and not confirmed when the page is left, because nobody would say that it has not come', () => {
    connect();
    port.post(dispatch('came'));
    socket().tell({ seen: 3 });
    port.post(dispatch('perhaps'));
    port.post(inSession('request'));
    port.leave();
    port.leave();
    assert.deepEqual(
      (unsent() as { message: unknown; isUnknown: boolean }[]).map(({ message, isUnknown }) => [message, isUnknown]),
      [[dispatch('perhaps'), true]],
    );
  });

  it('tries less and less often, and at once when the user looks', () => {
    for (let at = 0; at < 4; at++) {
      socket().cut();
      clock.advance(300 * 2 ** at);
    }
    assert.equal(sockets.length, 5);
    socket().cut();
    port.connectNow();
    assert.equal(sockets.length, 6);
    port.connectNow();
    assert.equal(sockets.length, 6);
  });

  it('says when the portal has no such page, and what the portal says itself', () => {
    connect();
    socket().tell({ problem: 'no' });
    assert.deepEqual(told.at(-1), { problem: 'no' });
    socket().cut(4004);
    assert.equal(told.at(-1), 'The portal does not show this session any more.');
    clock.advance(300);
    socket().open();
    socket().cut(4004);
    assert.equal(told.at(-1), 'The portal does not show this session any more.', 'it was there');
  });

  it('says of a page that was never there how it comes to be', () => {
    socket().open();
    socket().cut(4004);
    assert.match(String(told.at(-1)), /no such session\. If it is started again/);
  });

  it('says what to do when the portal does not know this browser any more', async () => {
    connect();
    isRefused = true;
    socket().cut();
    await Promise.resolve();
    await Promise.resolve();
    assert.match(String(told.at(-1)), /Open the address that it printed/);
    const before = told.length;
    clock.advance(300);
    socket().cut();
    await Promise.resolve();
    assert.equal(told.length, before, 'it stays so');
    clock.advance(600);
    connect();
    assert.deepEqual(told.slice(-2), [undefined, { type: 'show' }]);
  });

  it('takes silence for a cut', () => {
    connect();
    clock.advance(30_000);
    socket().tell({});
    clock.advance(30_000);
    assert.equal(sockets.length, 1);
    clock.advance(8_000);
    assert.match(String(told.at(-1)), /cannot be reached/);
    const [first] = sockets;
    // It may come late.
    first!.cut();
    clock.advance(300);
    assert.equal(sockets.length, 2);
  });
});
