import assert from 'node:assert/strict';
import { eventually } from '../../../../test/fakes/eventually.ts';
import {
  connectedProvider as provider,
  type GatewayStatus as Status,
  gatewayStatus as status,
} from '../../../../test/fakes/gatewayStatus.ts';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { Emitter } from '../../../base/event.ts';
import type { OwnerClient, OwnerEvent, OwnerState } from '../../../tap/owner/ownerClient.ts';
import { gatewayOffLine, GatewayHealthWatch, healthWords } from './gatewayHealth.ts';

class FakeOwner {
  readonly states = new Emitter<OwnerState>();
  readonly events = new Emitter<OwnerEvent>();
  readonly onDidChangeState = this.states.event;
  readonly onEvent = this.events.event;
  state = { kind: 'connecting' } as OwnerState;
  asked = 0;
  answer: () => Promise<Status> = async () => status();
  request(): Promise<Status> {
    this.asked++;
    return this.answer();
  }
  become(kind: string, error = ''): void {
    this.state = { kind, error } as OwnerState;
    this.states.fire(this.state);
  }
}

describe('The health of the gateway', () => {
  const setUp = () => {
    const clock = new FakeClock();
    const owner = new FakeOwner();
    const watch = new GatewayHealthWatch(clock);
    watch.follow(owner as unknown as OwnerClient);
    const turn = async (ms: number, asked: number) => {
      clock.advance(ms);
      await eventually(() => owner.asked === asked, `question ${asked}`);
      await new Promise(setImmediate);
    };
    return { clock, owner, watch, turn, health: () => watch.health };
  };

  it('is what the last round trip has shown', async () => {
    const { clock, owner, watch, turn, health } = setUp();
    assert.equal(health()?.kind, 'connecting');
    owner.become('connected');
    assert.equal(health()?.kind, 'connecting', 'not before it has answered');
    let give: (answer: Status) => void = () => undefined;
    owner.answer = () => new Promise((resolve) => (give = resolve));
    await turn(0, 1);
    clock.advance(7);
    give(status());
    await new Promise(setImmediate);
    assert.deepEqual(health(), { kind: 'up', roundTripMs: 7, status: status() });
    owner.answer = () => Promise.reject(new Error('it does not answer'));
    await turn(15_000, 2);
    assert.deepEqual(health(), { kind: 'down', error: 'it does not answer' });
    owner.answer = async () => status();
    owner.events.fire({ event: 'tools/changed', params: { sessionId: 'a', revision: 1, tools: [] } });
    await turn(500, 3);
    assert.equal(health()?.kind, 'up');
    owner.become('waiting', 'the connection was lost');
    assert.deepEqual(health(), { kind: 'down', error: 'the connection was lost' });
    watch.follow(undefined);
    assert.equal(health(), undefined);
    clock.advance(60_000);
    assert.deepEqual([owner.asked, clock.pending], [3, 0]);
  });

  it('is said with providers, tools and the last error', () => {
    const up = (fields: Partial<Status>) => healthWords({ kind: 'up', roundTripMs: 3, status: status(fields) });
    assert.deepEqual(up({ providers: [provider('tap', { trust: 'internal', tools: ['tap_x'] })] }).text, '0 tools');
    const { text, details } = up({
      providers: [
        provider('ci', { tools: ['a', 'b'], pendingCalls: 1 }),
        provider('ci', { id: 'for another session', tools: ['a', 'b'] }),
        provider('page', { tools: ['c'] }),
      ],
      lastErrors: [{ ts: '10:00', code: 'TOOL_CONFLICT', message: 'taken', provider: 'page' }],
    });
    assert.equal(text, '3 tools');
    assert.deepEqual(details, [
      'Tap gateway 1.0.0: answers in 3 ms',
      '2 providers, 3 tools, 1 running call',
      'Last error (10:00): page: TOOL_CONFLICT taken',
    ]);
    for (const [health, said] of [
      [{ kind: 'off', why: 'user' }, 'stopped'],
      [{ kind: 'off', why: 'setting' }, 'switched off'],
      [{ kind: 'off', why: 'unused' }, 'not needed'],
      [{ kind: 'connecting' }, 'connecting'],
      [{ kind: 'down', error: 'no answer' }, 'no answer'],
    ] as const)
      assert.match(healthWords(health).details.join(), new RegExp(said));
  });

  it('is switched on again by what switched it off', () => {
    assert.match(gatewayOffLine({ kind: 'off', why: 'user' }) ?? '', /“Tapline: Start Gateway”/);
    // The command is not there then.
    assert.match(gatewayOffLine({ kind: 'off', why: 'setting' }) ?? '', /^[^:]+ the setting “tapline\.gateway\.enabled”\.$/);
    assert.equal(gatewayOffLine({ kind: 'off', why: 'unused' }), undefined);
    assert.equal(gatewayOffLine({ kind: 'connecting' }), undefined);
  });
});
