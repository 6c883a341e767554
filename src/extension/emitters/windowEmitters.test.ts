import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { Emitter } from '../../base/event.ts';
import { nullLogger } from '../../base/log.ts';
import type { OwnedSession, OwnerEvent } from '../../tap/owner/ownerClient.ts';
import type { EmitterStatus } from '../../tap/wire/emitters/emitterStatus.ts';
import type { GatewayHealth } from '../../views/providers/facts.ts';
import { type JoinedWindow, WindowEmitters } from './windowEmitters.ts';

const session = { hostId: 'h', uri: 'copilot:/a' };

describe('the emitters of the sessions of a window', () => {
  let change: Emitter<void>;
  let event: Emitter<OwnerEvent>;
  let listed: Pick<EmitterStatus, 'name' | 'state'>[];
  let lists: number;
  let opened: number;
  let joined:
    { sessionId: string; cwd?: string; registered: OwnedSession | undefined; lending: { kind: 'waiting'; for: 'gateway' } } | undefined;
  let health: GatewayHealth;
  let clock: FakeClock;
  let emitters: WindowEmitters;
  let kept: unknown[];

  const owned = {
    emitters: {
      list: async () => {
        lists++;
        return listed;
      },
    },
  } as unknown as OwnedSession;
  const register = async (registered: OwnedSession | undefined) => {
    joined = { sessionId: 's', registered, cwd: '/work', lending: { kind: 'waiting', for: 'gateway' } };
    change.fire();
    await Promise.resolve();
    await Promise.resolve();
  };
  const state = (name: string, now: EmitterStatus['state']) =>
    event.fire({ event: 'emitter/state', params: { sessionId: 's', emitter: { name, state: now } as EmitterStatus } });

  beforeEach(() => {
    change = new Emitter();
    event = new Emitter();
    [listed, lists, opened, joined, kept] = [[], 0, 0, undefined, []];
    health = { kind: 'connecting' };
    clock = new FakeClock();
    const window = {
      get health() {
        return health;
      },
      onDidChange: change.event,
      bridge: {
        get: () => joined,
        open: () => opened++,
        onOwnerEvent: event.event,
        get sessions() {
          return joined ? [{ bridge: joined }] : [];
        },
      },
    } as unknown as JoinedWindow;
    emitters = new WindowEmitters(window, async (...what) => void kept.push(what), nullLogger, clock);
  });
  afterEach(() => emitters.dispose());

  it('are counted from before the window, and as the gateway tells of them', async () => {
    let changes = 0;
    emitters.onDidChange(() => changes++);
    listed = [
      { name: 'a', state: 'running' },
      { name: 'b', state: 'ended' },
    ];
    assert.equal(emitters.countOf(session), undefined);
    await register(owned);
    assert.deepEqual(emitters.countOf(session), { active: 1, all: 2 });
    state('c', 'waiting');
    assert.deepEqual(emitters.countOf(session), { active: 2, all: 3 });
    state('c', 'running');
    assert.equal(changes, 2, 'a run that begins changes nothing of it');
    state('a', 'stopped');
    assert.deepEqual(emitters.countOf(session), { active: 1, all: 3 });
  });

  it('are asked for again once another gateway has the session, and not before', async () => {
    await register(owned);
    await register(owned);
    assert.equal(lists, 1);
    listed = [{ name: 'a', state: 'running' }];
    await register(undefined);
    await register(owned);
    assert.deepEqual([lists, emitters.countOf(session)], [2, { active: 1, all: 1 }]);
  });

  it('are kept with all that the gateway says of them, in the folder of their session', async () => {
    listed = [{ name: 'a', state: 'running' }];
    await register(owned);
    const own = await emitters.of(session);
    await own.keep('a');
    assert.deepEqual(kept, [[listed[0], '/work']]);
    await assert.rejects(own.keep('b'), /“b” is not watched for this session any more/);
  });

  it('are had as soon as the gateway has the session, which is opened for it once', async () => {
    const asked = emitters.of(session);
    assert.equal(opened, 1);
    await register(owned);
    await asked;
    await emitters.of(session);
    assert.equal(opened, 1);
  });

  it('are not had from a gateway that is off or does not come, and it is said why', async () => {
    const asked = emitters.of(session);
    await Promise.resolve();
    clock.advance(15_000);
    await assert.rejects(
      asked,
      /^UserError: The tap gateway does not have this session, so nothing can be watched for it\. Its agent host is not connected\./,
    );
    health = { kind: 'off', why: 'user' };
    await assert.rejects(emitters.of(session), /^UserError: Nothing can be watched\. The tap gateway is off in this window\./);
    health = { kind: 'off', why: 'setting' };
    await assert.rejects(emitters.of(session), /“tapline\.gateway\.enabled”/);
  });
});
