import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { MemoryStorage } from '../../../test/fakes/memoryStorage.ts';
import type { Decision } from '../../ahp/common/pending/envelopeDecisions.ts';
import { Emitter } from '../../base/event.ts';
import { isSubagentOf } from '../../ahp/subagentUri.ts';
import { DecisionLog } from './decisionLog.ts';

const uri = 'demo:/1';
const ref = { hostId: 'h', uri };
const holds = (one: string) => one === uri || isSubagentOf(one, uri);
const decision = (fields: Partial<Decision> = {}): Decision => ({ turnId: 't', callId: 'c', about: 'call', approved: true, ...fields });
const from = (clientId: string) => ({ origin: { clientId, clientSeq: 1 } });

function setUp(storage = new MemoryStorage()) {
  const didDecide = new Emitter<{ uri: string; decisions: readonly Decision[] }>();
  const didChange = new Emitter<void>();
  const hosts = { all: [{ id: 'h', client: { clientId: 'me', onDidDecide: didDecide.event } }], onDidChange: didChange.event };
  const log = new DecisionLog(hosts, storage, new FakeClock());
  const decided = (...decisions: Decision[]) => didDecide.fire({ uri, decisions });
  return { log, storage, didDecide, didChange, decided, who: () => log.of(ref.hostId, holds).map(({ by }) => by) };
}

describe('DecisionLog', () => {
  it('tells the user of this window, its rules, other clients and the host apart', () => {
    const { log, decided, who } = setUp();
    decided(decision({ approved: false, ...from('me') }), decision(from('you')), decision());
    log.denyingByRule(ref, { turnId: 't', callId: 'c' });
    decided(decision({ approved: false, ...from('me') }));
    assert.deepEqual(who(), ['you', 'client', 'host', 'rule']);
  });

  it('has what a setting allows until that is recorded, and drops it before what somebody has decided', () => {
    const { log, decided, who } = setUp();
    decided(decision({ ...from('me') }), decision({ callId: 'd', bySetting: true }));
    assert.deepEqual(who(), ['you', 'setting']);
    log.recorded(log.unrecorded);
    assert.deepEqual(who(), ['you']);
    for (let count = 0; count < 1_100; count++) decided(decision({ callId: `${count}`, bySetting: true }));
    assert.equal(who().length, 1_000);
    assert.equal(who()[0], 'you');
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
