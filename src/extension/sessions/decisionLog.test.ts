import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { MemoryStorage } from '../../../test/fakes/memoryStorage.ts';
import type { Decision } from '../../ahp/common/pending/envelopeDecisions.ts';
import { Emitter } from '../../base/event.ts';
import { nullLogger } from '../../base/log.ts';
import { isSubagentOf } from '../../ahp/subagentUri.ts';
import { DecisionLog } from './decisionLog.ts';

const uri = 'demo:/1';
const ref = { hostId: 'h', uri };
const holds = (one: string) => one === uri || isSubagentOf(one, uri);
const decision = (fields: Partial<Decision> = {}): Decision => ({ turnId: 't', callId: 'c', about: 'call', approved: true, ...fields });
const allowed = (callId: string) => decision({ callId, bySetting: true });
const from = (clientId: string) => ({ origin: { clientId, clientSeq: 1 } });

function setUp(storage = new MemoryStorage()) {
  const didDecide = new Emitter<{ uri: string; decisions: readonly Decision[] }>();
  const didChange = new Emitter<void>();
  const hosts = { all: [{ id: 'h', client: { clientId: 'me', onDidDecide: didDecide.event } }], onDidChange: didChange.event };
  const clock = new FakeClock();
  const log = new DecisionLog(hosts, storage, clock, nullLogger);
  const decided = (...decisions: Decision[]) => didDecide.fire({ uri, decisions });
  return { log, storage, clock, didDecide, didChange, decided, who: () => log.of(ref.hostId, holds).map(({ by }) => by) };
}

describe('DecisionLog', () => {
  it('tells the user of this window, its rules, other clients and the host apart', () => {
    const { log, decided, who } = setUp();
    decided(decision({ approved: false, ...from('me') }), decision(from('you')), decision());
    log.denyingByRule(ref, { turnId: 't', callId: 'c' });
    decided(decision({ approved: false, ...from('me') }));
    assert.deepEqual(who(), ['you', 'client', 'host', 'rule']);
  });

  it('has what a setting allows until that is recorded, and not among what somebody has decided', () => {
    const { log, decided, who } = setUp();
    decided(decision({ callId: 'd', bySetting: true }), decision({ ...from('me') }));
    assert.deepEqual([who(), log.unrecorded.map(({ by }) => by)], [['you'], ['you', 'setting']]);
    log.recorded(log.unrecorded);
    assert.deepEqual([who(), log.unrecorded], [['you'], []]);
  });

  it('has room for what a setting allows, however much somebody has decided, and the other way round', () => {
    const { log, storage, decided, who } = setUp();
    for (let count = 0; count < 1_000; count++) decided(decision({ callId: `${count}`, ...from('me') }));
    log.recorded(log.unrecorded);
    decided(allowed('new'));
    assert.deepEqual([who().length, log.unrecorded.map(({ callId }) => callId)], [1_000, ['new']]);
    for (let count = 0; count < 1_100; count++) decided(allowed(`${count}`));
    assert.deepEqual([who().length, log.unrecorded.length, log.unrecorded.at(-1)?.callId], [1_000, 1_000, '1099']);
    log.dispose();
    const after = setUp(storage);
    assert.deepEqual([after.who().length, after.log.unrecorded.length], [1_000, 1_000]);
  });

  it('tells of what a setting allows a moment later, of many calls at once', () => {
    const { log, clock, decided } = setUp();
    let told = 0;
    log.onDidChange(() => told++);
    for (let count = 0; count < 50; count++) decided(allowed(`${count}`));
    assert.equal(told, 0);
    clock.advance(1_000);
    assert.equal(told, 1);
    decided(decision());
    assert.equal(told, 2, 'at once of what somebody has decided');
  });

  it('writes what a setting allows only while no gateway takes it, and seldom', () => {
    const storage = new MemoryStorage();
    let writes = 0;
    const update = storage.update.bind(storage);
    storage.update = (key, value) => (writes++, update(key, value));
    const { log, clock, decided } = setUp(storage);
    log.onDidChange(() => log.recorded(log.unrecorded));
    for (let count = 0; count < 30; count++) {
      decided(allowed(`${count}`));
      clock.advance(700);
    }
    clock.advance(10_000);
    assert.deepEqual([writes, log.unrecorded.length, clock.pending], [0, 0, 0]);
    log.dispose();

    writes = 0;
    const alone = setUp(storage);
    for (let count = 0; count < 30; count++) {
      alone.decided(allowed(`${count}`));
      alone.clock.advance(700);
    }
    assert.ok(writes >= 3 && writes <= 4, `${writes} in 21 s`);
    alone.clock.advance(10_000);
    const after = setUp(storage);
    assert.deepEqual([after.log.unrecorded.length, alone.clock.pending], [30, 0]);
    after.log.recorded(after.log.unrecorded);
    assert.deepEqual(setUp(storage).log.unrecorded, [], 'it is not told again');
  });

  it('keeps what a setting has allowed just before the window is closed', () => {
    const { log, storage, decided } = setUp();
    decided(allowed('c'));
    log.dispose();
    assert.deepEqual(
      setUp(storage).log.unrecorded.map(({ callId }) => callId),
      ['c'],
    );
  });

  it('takes no other answer for that of a rule', () => {
    const { log, decided, who } = setUp();
    log.denyingByRule({ hostId: 'other', uri }, { turnId: 't', callId: 'c' });
    log.denyingByRule(ref, { turnId: 't', callId: 'd' });
    decided(decision({ approved: false, ...from('me') }));
    log.denyingByRule(ref, { turnId: 't', callId: 'c' });
    decided(
      decision(from('me')),
      decision({ about: 'result', approved: false, ...from('me') }),
      decision({ approved: false, ...from('x') }),
    );
    assert.deepEqual(who(), ['you', 'you', 'you', 'client']);
  });

  it('keeps them over a reload, and follows each client once', () => {
    const { storage, decided, didChange, who } = setUp();
    didChange.fire();
    decided(decision({ asked: 'x', ...from('you') }));
    assert.deepEqual(who(), ['client']);
    const after = setUp(storage);
    assert.deepEqual([after.who(), after.log.of(ref.hostId, holds)[0]?.asked], [['client'], 'x']);
    void storage.update('tapline.decisions', [{ hostId: 'h' }, 7]);
    assert.deepEqual(setUp(storage).who(), []);
  });

  it('cuts the name of a tool, and leaves out what has an id that is too long', () => {
    const { log, storage, decided, didDecide } = setUp();
    const long = 'x'.repeat(1_001);
    decided(decision({ tool: long }), decision({ callId: long }), decision({ turnId: long }), decision(from(long)));
    didDecide.fire({ uri: `demo:/${long}`, decisions: [decision()] });
    assert.deepEqual(
      log.unrecorded.map(({ tool }) => tool),
      ['x'.repeat(200)],
    );
    const kept = (storage.get('tapline.decisions') as object[]).map((one) => ({ ...one, tool: long }));
    void storage.update('tapline.decisions', [...kept, { ...kept[0], callId: long }]);
    assert.deepEqual(
      setUp(storage).log.unrecorded.map(({ tool }) => tool?.length),
      [200],
      'also what an earlier version has kept',
    );
  });

  it('includes subagents, not other sessions or hosts, and keeps a bounded number', () => {
    const { log, didDecide } = setUp();
    for (const one of [uri, `${uri}/subagent/a`, 'demo:/12']) didDecide.fire({ uri: one, decisions: [decision()] });
    assert.deepEqual(
      log.of(ref.hostId, holds).map(({ session }) => session),
      [uri, `${uri}/subagent/a`],
    );
    assert.deepEqual(log.of('other', holds), []);
    for (let count = 0; count < 1_100; count++) didDecide.fire({ uri, decisions: [decision()] });
    assert.equal(log.of(ref.hostId, holds).length, 1_000);
  });
});
