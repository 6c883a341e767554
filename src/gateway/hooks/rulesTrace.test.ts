import assert from 'node:assert/strict';
import { FakeGateway, hello } from '../../../test/fakes/fakeGateway.ts';
import { systemClock } from '../../base/clock.ts';
import { nullLogger } from '../../base/log.ts';
import type { RecordInput } from '../../tap/wire/records/record.ts';
import { Time } from '../../tap/wire/limits.ts';
import { openSpanExport } from '../traces/export/spanExport.ts';
import { Tracing } from '../traces/tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TURN = '00f067aa0ba902b7';
const judged = { traceparent: `00-${TRACE}-${TURN}-01`, hostCallId: 'call-1' };

interface Kept {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  failed?: boolean;
  attributes: Record<string, unknown>;
}

describe('the trace of rules', () => {
  let fake: FakeGateway;
  let tracing: Tracing;
  let kept: RecordInput[];
  beforeEach(async () => {
    kept = [];
    tracing = new Tracing({
      open: async (config) => {
        const records = { add: async (records: readonly RecordInput[]) => void kept.push(...records) };
        return openSpanExport({ config, records, version: '1', clock: systemClock, logger: nullLogger });
      },
      logger: nullLogger,
    });
    await tracing.configure({ enabled: true, content: false });
    fake = new FakeGateway({ tracing });
    fake.session('a');
  });
  afterEach(async () => {
    fake.dispose();
    await tracing.close();
  });

  const bound = (name: string, ...onPreToolUse: object[]) => fake.spawned('a').say(hello({ session: 'a', name, hooks: { onPreToolUse } }));
  const evaluate = (tool: string) =>
    fake.gateway.hooks.evaluate(fake.gateway.sessions.get('a')!, { tool, args: { command: 'secret' } }, judged);
  const spans = async () => {
    await tracing.close();
    const all = kept.map(({ data }) => data as unknown as Kept);
    const facts = all.map(({ name, attributes }) => [
      name,
      ...['tapline.decision', 'tapline.provider', 'tapline.rule', 'error.type'].map((key) => attributes[key]),
    ]);
    return { all, facts };
  };

  it('names the rule that has denied the call, below its turn', async () => {
    bound('other', { match: { tool: 'edit' }, action: 'deny' }, { match: {}, action: 'context', content: 'secret' });
    bound('strict', { match: { tool: 'edit' }, action: 'deny' }, { match: { tool: 'shell' }, action: 'deny', reason: 'secret' });
    assert.equal((await evaluate('shell')).decision, 'deny');
    const { all, facts } = await spans();
    assert.deepEqual(facts, [['evaluate_rules shell', 'deny', 'strict', '2 (deny)', undefined]]);
    const [span] = all;
    assert.deepEqual([span?.traceId, span?.parentSpanId], [TRACE, TURN]);
    assert.equal(span?.attributes['gen_ai.tool.call.id'], 'call-1');
    assert.equal(span?.attributes['tapline.rules'], 2);
    assert.ok(!JSON.stringify(all).includes('secret'));
  });

  it('has a span for each gate that is asked, with its answer or why there was none', async () => {
    const one = bound('one', { match: {}, action: 'gate', gateId: 'g' });
    const other = bound('other', { match: {}, action: 'gate', gateId: 'slow' });
    bound('open', { match: {}, action: 'gate', gateId: 'h', failOpen: true });
    const decision = evaluate('shell');
    one.say({ type: 'gate.result', gateId: 'g', callId: one.last('gate.check').callId, decision: 'context', reason: 'careful' });
    other.say({ type: 'gate.result', gateId: 'slow', callId: other.last('gate.check').callId, decision: 'allow' });
    fake.clock.advance(Time.gateMs);
    assert.equal((await decision).decision, 'allow');
    const { all, facts } = await spans();
    assert.deepEqual(facts.sort(), [
      ['evaluate_rules shell', 'context', undefined, undefined, undefined],
      ['gate one', 'context', 'one', '1 (gate g)', undefined],
      ['gate open', undefined, 'open', '1 (gate h)', 'timeout'],
      ['gate other', 'allow', 'other', '1 (gate slow)', undefined],
    ]);
    const above = all.find(({ name }) => name === 'evaluate_rules shell');
    for (const { name, parentSpanId } of all) if (name.startsWith('gate')) assert.equal(parentSpanId, above?.spanId);
  });

  it('names the gate that has denied the call, and is silent about calls that no rule is about', async () => {
    const one = bound('one', { match: { tool: 'shell' }, action: 'gate', gateId: 'g' });
    assert.equal((await evaluate('other')).decision, 'allow');
    const decision = evaluate('shell');
    one.say({ type: 'gate.result', gateId: 'g', callId: one.last('gate.check').callId, decision: 'deny' });
    assert.equal((await decision).decision, 'deny');
    const { facts } = await spans();
    assert.deepEqual(facts, [
      ['gate one', 'deny', 'one', '1 (gate g)', undefined],
      ['evaluate_rules shell', 'deny', 'one', '1 (gate g)', undefined],
    ]);
  });
});
