import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { connectionFailure, type ConnectionState } from '../../ahp/client/connection/connectionState.ts';
import { Emitter } from '../../base/event.ts';
import { hostsStatus } from '../../views/hosts/hostsStatus.ts';
import { connectionInfo } from '../../pages/session/connectionInfo.ts';
import type { RegisteredHost } from './registeredHost.ts';
import type { HostProblem } from '../../views/hosts/hostProblem.ts';
import { ShownConnection } from './shownConnection.ts';

describe('A shown connection', () => {
  const lost = connectionFailure('lost', 'The connection was cut.', 'connection lost');
  const setUp = (before?: HostProblem) => {
    const clock = new FakeClock();
    const changes = new Emitter<ConnectionState>();
    const source = { state: { kind: 'connecting', attempt: 1 } as ConnectionState, onDidChangeState: changes.event };
    const shown = new ShownConnection(source, 'configured', clock, before);
    const told: string[] = [];
    shown.onDidCountDown(() => told.push(shown.view.text));
    const become = (state: ConnectionState) => {
      source.state = state;
      changes.fire(state);
    };
    const reconnectIn = (ms: number) =>
      become({ kind: 'reconnecting', attempt: 1, nextAttemptAt: clock.now() + ms, reason: lost, since: clock.now() });
    return { clock, source, shown, told, become, reconnectIn };
  };

  it('counts every second to the next attempt, each told once', () => {
    const { clock, shown, told, reconnectIn } = setUp();
    reconnectIn(2_400);
    assert.deepEqual([shown.view.text, shown.view.retryIn], ['reconnecting in 3 s', 3]);
    for (let ms = 0; ms < 5_000; ms += 100) clock.advance(100);
    assert.deepEqual(told, ['reconnecting in 2 s', 'reconnecting in 1 s', 'reconnecting']);
    assert.equal(shown.view.retryIn, undefined);
  });

  it('changes between two seconds for nobody, whenever it is looked at', () => {
    const { clock, shown, reconnectIn } = setUp();
    reconnectIn(2_400);
    clock.advance(399);
    assert.equal(shown.view.retryIn, 3);
    clock.advance(1);
    assert.equal(shown.view.retryIn, 2);
  });

  it('gives tree, status bar and banner the same seconds', () => {
    const { clock, shown, reconnectIn, source } = setUp();
    reconnectIn(4_200);
    for (let left = 5; left > 0; left--) {
      const banner = connectionInfo({ client: source as RegisteredHost['client'], kind: 'configured', connection: shown.view });
      const told = [shown.view.text, hostsStatus([{ label: 'a', connection: shown.view }], undefined).text, banner.retryIn];
      assert.deepEqual(told, [`reconnecting in ${left} s`, `Reconnecting in ${left} s`, left]);
      clock.advance(left === 5 ? 200 : 1_000);
    }
  });

  it('shows the problem of the connection before it until its own attempt is over', () => {
    const before: HostProblem = { brief: 'Wrong token', message: 'The host refused the token.', remedies: ['enterHostToken'] };
    const { clock, shown, become } = setUp(before);
    assert.deepEqual([shown.view.text, shown.view.problem], ['connecting', before]);
    become({ kind: 'connected', since: clock.now(), serverSeq: 1 });
    assert.equal(shown.view.problem, undefined);
  });

  it('counts no more once it is connected, failed or gone', () => {
    for (const end of ['connected', 'disposed'] as const) {
      const { clock, shown, told, become, reconnectIn } = setUp();
      reconnectIn(9_000);
      if (end === 'disposed') shown.dispose();
      else become({ kind: 'connected', since: clock.now(), serverSeq: 1 });
      clock.advance(20_000);
      assert.deepEqual(told, [], end);
    }
  });
});
