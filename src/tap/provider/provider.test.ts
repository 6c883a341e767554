import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { atRest } from '../../../test/fakes/eventually.ts';
import { CloseCode } from '../wire/closeCodes.ts';
import { PROTOCOL_VERSION } from '../wire/limits.ts';
import { connectProvider } from './provider.ts';
import type { ProviderHandle, ProviderOptions, ProviderState, SocketLike } from './providerApi.ts';
import { ConsentError, ToolError } from './providerErrors.ts';

class Socket extends EventTarget {
  readonly sent: Record<string, unknown>[] = [];
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {}
  say(message: object): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(message) }));
  }
  end(code: number): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason: '' }));
  }
}

describe('A provider that needs the user’s consent', () => {
  const boundWith = async (consent?: object) => {
    const socket = new Socket();
    const errors: Error[] = [];
    const states: ProviderState[] = [];
    const connect = () => ({ socket: socket as unknown as SocketLike, token: 't' });
    const provider = connectProvider('ci', { connect, onError: (error) => errors.push(error) });
    provider.onDidChangeState((state) => states.push(state));
    await atRest();
    socket.say({ type: 'sessions', active: [{ id: 'a', label: 'A' }] });
    socket.say({ type: 'hello.ack', protocolVersion: PROTOCOL_VERSION, providerId: 'p', sessionId: 'a', ...(consent && { consent }) });
    const consentOf = () => (provider.state.kind === 'bound' ? provider.state.consent : assert.fail(provider.state.kind));
    return { socket, errors, states, provider, consentOf };
  };

  it('says in its state and to onError what waits, and what the user has decided', async () => {
    const asked = { decision: 'asked', wants: ['hooks', 'context'] };
    const { socket, errors, states, provider, consentOf } = await boundWith(asked);
    assert.deepEqual(consentOf(), asked);
    assert.ok(errors[0] instanceof ConsentError);
    assert.deepEqual({ ...errors[0] }, { name: 'ConsentError', ...asked });
    assert.match(errors[0].message, /^hooks and context wait for the user’s consent .*view Tools & Jobs/);
    socket.say({ type: 'consent.updated', decision: 'allowed', wants: ['hooks', 'context'] });
    assert.deepEqual(consentOf(), { decision: 'allowed', wants: ['hooks', 'context'] });
    assert.equal(errors.length, 1);
    socket.say({ type: 'consent.updated', decision: 'denied', wants: ['hooks'] });
    assert.match(errors[1]?.message ?? '', /^the user has denied hooks/);
    socket.say({ type: 'consent.updated', decision: 'asked', wants: [] });
    assert.equal(errors.length, 2, 'nothing waits');
    assert.equal(states.filter(({ kind }) => kind === 'bound').length, 4);
    provider.close();
  });

  it('says nothing where nothing needs it', async () => {
    const { errors, provider, consentOf } = await boundWith();
    assert.equal(consentOf(), undefined);
    assert.deepEqual(errors, []);
    provider.close();
  });
});

describe('A provider that has lost its gateway', () => {
  let sockets: Socket[];
  let provider: ProviderHandle;
  beforeEach(async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    sockets = [];
    const connect = () => {
      const socket = new Socket();
      sockets.push(socket);
      return { socket: socket as unknown as SocketLike, token: 't' };
    };
    provider = connectProvider('ci', { connect, onError: () => undefined });
    await atRest();
    const [first] = sockets;
    first?.say({ type: 'sessions', active: [{ id: 'a', label: 'A' }] });
    const ack = { type: 'hello.ack', protocolVersion: PROTOCOL_VERSION, providerId: 'p', sessionId: 'a' };
    first?.say(ack);
    assert.equal(provider.state.kind, 'bound');
  });
  afterEach(() => {
    provider.close();
    mock.timers.reset();
  });

  /** How often it tries within that time, when nobody answers. */
  const tries = async (seconds: number): Promise<number> => {
    const before = sockets.length;
    for (let at = 0; at < seconds * 10; at++) {
      mock.timers.tick(100);
      await atRest();
      sockets.at(-1)?.end(CloseCode.Abnormal);
    }
    return sockets.length - before;
  };

  it('tries often at first when the gateway was killed, because it is started again within seconds', async () => {
    sockets[0]?.end(CloseCode.Abnormal);
    assert.ok((await tries(3)) >= 6);
    await tries(60);
    assert.ok((await tries(30)) <= 6, 'and not for ever');
  });

  it('waits longer each time when the gateway has cut it off', async () => {
    sockets[0]?.end(CloseCode.Flooding);
    assert.ok((await tries(3)) <= 4);
  });
});

describe('A provider whose own code fails', () => {
  let errors: string[];
  const boundWith = async (options: Partial<ProviderOptions>) => {
    errors = [];
    const socket = new Socket();
    const connect = () => ({ socket: socket as unknown as SocketLike, token: 't' });
    const provider = connectProvider('ci', { connect, onError: ({ message }) => errors.push(message), ...options });
    await atRest();
    socket.say({ type: 'sessions', active: [{ id: 'a', label: 'A' }] });
    socket.say({ type: 'hello.ack', protocolVersion: PROTOCOL_VERSION, providerId: 'p', sessionId: 'a' });
    return { socket, provider };
  };
  const fails = async () => {
    throw new Error('oh');
  };

  it('reports what its observers throw, also later, and goes on', async () => {
    for (const [option, message] of [
      ['onSessionEvent', { type: 'session.event', sessionId: 'a', event: 'e', data: {} }],
      ['onLifecycle', { type: 'session.lifecycle', sessionId: 'a', state: 'idle' }],
    ] as const) {
      const { socket, provider } = await boundWith({ [option]: fails });
      socket.say(message);
      await atRest();
      assert.deepEqual(errors, ['oh'], option);
      assert.equal(provider.state.kind, 'bound');
      provider.close();
    }
  });

  it('connects again although its onError throws', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const printed = mock.method(console, 'error', () => undefined);
    let tries = 0;
    const connect = () => {
      tries++;
      throw new Error('nobody listens');
    };
    const onError = () => {
      throw new Error('the log is full');
    };
    const later = connectProvider('later', { connect, onError: async () => onError() });
    await atRest();
    later.close();
    assert.match(String(printed.mock.calls[0]?.arguments[0]), /^later: nobody listens \(onError has failed/);
    printed.mock.resetCalls();
    tries = 0;
    const provider = connectProvider('ci', { connect, onError });
    try {
      await atRest();
      mock.timers.tick(1_000);
      await atRest();
      assert.equal(tries, 2);
      assert.match(String(printed.mock.calls[0]?.arguments[0]), /^ci: nobody listens \(onError has failed: the log is full\)$/);
    } finally {
      provider.close();
      printed.mock.restore();
      mock.timers.reset();
    }
  });

  it('answers a call whose error has a code that is no text', async () => {
    const { socket, provider } = await boundWith({
      onToolCall: ({ tool }) => {
        throw new ToolError((tool === 'number' ? 404 : 'GONE') as string, 'not here');
      },
    });
    for (const tool of ['number', 'text']) socket.say({ type: 'tool.call', id: tool, sessionId: 'a', tool, args: {} });
    await atRest();
    const codes = socket.sent.filter(({ type }) => type === 'tool.result').map(({ errorCode }) => errorCode);
    assert.deepEqual(codes, ['404', 'GONE']);
    provider.close();
  });
});

describe('A provider that is being paired', () => {
  const asked = { type: 'auth.pairing', prompt: 'The code?' };
  it('disconnects from a gateway that does not answer the code, and gives the user the time that they need', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const errors: string[] = [];
    const socket = new Socket();
    let type: (code: string) => void = () => undefined;
    const provider = connectProvider('page', {
      connect: () => ({ socket: socket as unknown as SocketLike }),
      onPairing: () => new Promise<string>((resolve) => (type = resolve)),
      onError: ({ message }) => errors.push(message),
    });
    try {
      await atRest();
      socket.say(asked);
      mock.timers.tick(60_000);
      await atRest();
      assert.equal(provider.state.kind, 'pairing');
      type('123456');
      await atRest();
      mock.timers.tick(10_000);
      assert.equal(provider.state.kind, 'disconnected');
      assert.match(errors.join(), /^the answer of the gateway to the pairing code /);
    } finally {
      provider.close();
      mock.timers.reset();
    }
  });
});
