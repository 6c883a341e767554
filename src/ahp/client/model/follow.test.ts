import assert from 'node:assert/strict';
import { atRest, eventually } from '../../../../test/fakes/eventually.ts';
import { connected, disposeClients, session as v1Session } from '../../../../test/fakes/clientAndHost.ts';
import { Emitter } from '../../../base/event.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import { whenLive } from '../resources/whenLive.ts';
import { follow } from './follow.ts';

class FakeModel {
  readonly #change = new Emitter<void>();
  readonly onDidChange = this.#change.event;
  isDisposed = false;

  constructor(
    readonly uri: string,
    private readonly log: string[] = [],
  ) {}

  change(): void {
    this.#change.fire();
  }
  dispose(): void {
    this.isDisposed = true;
    this.log.push(`end ${this.uri}`);
  }
}

function setUp(named: string | undefined = undefined) {
  const log: string[] = [];
  const opened: FakeModel[] = [];
  const session = new FakeModel('s', log);
  const now = { named };
  const open = (uri: string) => {
    log.push(`open ${uri}`);
    const model = new FakeModel(uri, log);
    opened.push(model);
    return model;
  };
  const follower = follow(session, () => now.named, open);
  follower.onDidChange(() => log.push(`change ${follower.model?.uri ?? 'none'}`));
  const name = (uri: string | undefined) => {
    now.named = uri;
    session.change();
  };
  return { log, opened, session, now, follower, name };
}

describe('follow', () => {
  it('reads what is named from the beginning, and tells of changes of both', () => {
    const { log, opened, session, follower } = setUp('a');
    assert.equal(follower.model, opened[0]);
    session.change();
    opened[0]?.change();
    assert.deepEqual(log, ['open a', 'change a', 'change a']);
  });

  it('begins when something is named, and ends when nothing is any more', () => {
    const { log, follower, name } = setUp();
    assert.equal(follower.model, undefined);
    name('a');
    name(undefined);
    assert.equal(follower.model, undefined);
    assert.deepEqual(log, ['open a', 'change a', 'change none', 'end a']);
  });

  it('goes over to another one, and lets the one before go after all have heard of it', () => {
    const { log, opened, follower, name } = setUp('a');
    name('b');
    assert.equal(follower.model, opened[1]);
    assert.deepEqual(log, ['open a', 'open b', 'change b', 'end a']);
  });

  it('does not hear what comes late of one that it has left', () => {
    const { log, opened, name } = setUp('a');
    name('b');
    log.length = 0;
    opened[0]?.change();
    assert.deepEqual(log, []);
    opened[1]?.change();
    assert.deepEqual(log, ['change b']);
  });

  it('keeps what is read where that is what the reader wants', () => {
    const session = new FakeModel('s');
    let named: string | undefined = 'a';
    const follower = follow(
      session,
      (current) => named ?? current,
      (uri) => new FakeModel(uri),
    );
    const { model } = follower;
    named = undefined;
    session.change();
    assert.equal(follower.model, model);
    assert.equal(model?.isDisposed, false);
  });

  it('looks when it is told to, and tells only of what that has changed', () => {
    const { log, now, follower } = setUp('a');
    follower.look();
    now.named = 'b';
    follower.look();
    assert.deepEqual(log, ['open a', 'open b', 'change b', 'end a']);
  });

  it('tells once of a session that is its own chat', () => {
    const { log, opened, session, follower } = setUp('s');
    assert.equal(follower.model, opened[0]);
    session.change();
    opened[0]?.change();
    assert.deepEqual(log, ['open s', 'change s']);
  });

  it('is silent after its disposal, ends what it has begun and nothing else, and leaves it readable', () => {
    const { log, opened, session, follower, name } = setUp('a');
    follower.dispose();
    follower.dispose();
    name('b');
    opened[0]?.change();
    follower.look();
    assert.deepEqual(log, ['open a', 'end a']);
    assert.equal(follower.model, opened[0]);
    assert.equal(session.isDisposed, false);
  });

  it('can be disposed by who hears of a change', () => {
    const { log, opened, follower, name } = setUp('a');
    follower.onDidChange(() => follower.dispose());
    name('b');
    assert.deepEqual(
      opened.map(({ isDisposed }) => isDisposed),
      [true, true],
    );
    name('c');
    assert.deepEqual(log, ['open a', 'open b', 'change b', 'end b', 'end a']);
  });

  it('opens nothing when it is disposed while it looks', () => {
    const session = new FakeModel('s');
    const opened: string[] = [];
    let leave: (() => void) | undefined = undefined;
    const follower = follow(
      session,
      () => (leave ? (leave(), 'a') : undefined),
      (uri) => (opened.push(uri), new FakeModel(uri)),
    );
    leave = () => follower.dispose();
    session.change();
    assert.deepEqual([opened, follower.model], [[], undefined]);
  });

  it('opens one of what is named once, when reading tells of more', () => {
    const session = new FakeModel('s');
    const opened: string[] = [];
    let arrived: (() => void) | undefined;
    let named: string | undefined = undefined;
    const follower = follow(
      session,
      () => {
        const tell = arrived;
        arrived = undefined;
        tell?.();
        return named;
      },
      (uri) => (opened.push(uri), new FakeModel(uri)),
    );
    named = 'a';
    arrived = () => session.change();
    session.change();
    assert.deepEqual(opened, ['a']);
    assert.equal(follower.model?.isDisposed, false);
  });

  describe('at a host of AHP v1, where a session and its chat are one resource', () => {
    afterEach(disposeClients);

    it('tells of the loss of both, of what was missed, and of their end, once they are so', async () => {
      const all = await connected();
      const { host, client } = all;
      const source = client.session(v1Session);
      const select = (current: string | undefined) => current ?? source.confirmed?.chats[0]?.resource;
      const follower = follow(source, select, (uri) => client.chat(uri));
      const seen: string[] = [];
      const look = () => `${source.status.kind} ${follower.model?.status.kind} ${follower.model?.confirmed?.activeTurn?.id}`;
      follower.onDidChange(() => seen.at(-1) !== look() && seen.push(look()));
      await whenLive(source);
      const lost = async () => {
        all.memory.line.drop();
        await atRest();
        assert.match(seen.at(-1) ?? '', /^stale stale/);
      };
      const back = async () => {
        all.clock.advance(5_000);
        await eventually(all.isConnected, 'the return');
        await atRest();
      };
      await lost();
      host.emit({ type: 'session/turnStarted', session: v1Session, turnId: 't', userMessage: { text: 'go' } });
      await back();
      assert.equal(seen.at(-1), 'live live t');
      // The host has started again, and does not know the session any more.
      host.states.delete(v1Session);
      host.methods['reconnect'] = () => {
        throw new RpcError(-32600, 'who is it?');
      };
      await lost();
      await back();
      assert.equal(seen.at(-1), 'failed failed t');
      follower.dispose();
    });
  });
});
