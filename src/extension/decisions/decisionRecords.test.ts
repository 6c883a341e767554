import assert from 'node:assert/strict';
import * as z from 'zod';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { MemoryStorage } from '../../../test/fakes/memoryStorage.ts';
import type { Decision } from '../../ahp/common/pending/envelopeDecisions.ts';
import { Emitter } from '../../base/event.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { nullLogger } from '../../base/log.ts';
import { OwnerErrorCode } from '../../tap/wire/errorCodes.ts';
import { type KeptRecord, recordInput, recordQuery } from '../../tap/wire/records/record.ts';
import type { CallDecision } from '../../views/session/trail/callDecision.ts';
import { DecisionLog } from '../sessions/decisionLog.ts';
import { DecisionRecords, type RecordKeeper, withRecorded } from './decisionRecords.ts';

const chat = 'demo:/1';
const from = (clientId: string) => ({ origin: { clientId, clientSeq: 1 } });
const decision = (callId: string, fields: Partial<Decision> = {}): Decision => ({
  turnId: 't',
  callId,
  about: 'call',
  approved: true,
  ...fields,
});

/** Keeps records as the gateway does. */
class Gateway {
  kept: KeptRecord[] = [];
  isUp = true;
  isOld = false;
  readonly ranks = new Map<string, number>();

  link(): RecordKeeper {
    const link = {};
    return { link, request: async (method, params) => (await this.#answer(method, params)) as never };
  }

  async #answer(method: string, params: object): Promise<unknown> {
    if (!this.isUp || this.isOld) throw new Error('there is no such method');
    if (method === 'records/query') {
      const { after = 0, sessionId, where = {}, limit } = recordQuery.parse(params);
      const found = this.kept.filter(
        ({ seq, sessionId: of, data }) => seq > after && of === sessionId && Object.keys(where).every((name) => data[name] === where[name]),
      );
      return { records: found.slice(0, limit) };
    }
    const { data: given, error } = z.array(recordInput).safeParse((params as { records: unknown[] }).records);
    if (error) throw new RpcError(OwnerErrorCode.InvalidParams, error.message);
    for (const { rank, ...record } of given) {
      const before = this.kept.find(({ id }) => id === record.id);
      if (!before) this.kept.push({ seq: this.kept.length + 1, ...record });
      else if (rank > (this.ranks.get(record.id) ?? rank)) before.data = record.data;
      this.ranks.set(record.id, Math.max(rank, this.ranks.get(record.id) ?? rank));
    }
    return null;
  }
}

function windowOf(gateway: Gateway, clientId: string, storage = new MemoryStorage(), hostId = 'h') {
  const didDecide = new Emitter<{ uri: string; decisions: readonly Decision[] }>();
  const hosts = { all: [{ id: hostId, client: { clientId, onDidDecide: didDecide.event } }], onDidChange: new Emitter<void>().event };
  const clock = new FakeClock();
  const log = new DecisionLog(hosts, storage, clock, nullLogger);
  const didChange = new Emitter<void>();
  let keeper: RecordKeeper | undefined = gateway.link();
  const options = { log, keeper: () => keeper, onDidChangeKeeper: didChange.event, sessionOf: () => 's', logger: nullLogger };
  const records = new DecisionRecords(options);
  const link = (isUp: boolean) => {
    keeper = isUp ? gateway.link() : undefined;
    didChange.fire();
  };
  return { log, storage, clock, records, link, decided: (...decisions: Decision[]) => didDecide.fire({ uri: chat, decisions }) };
}

describe('records of decisions', () => {
  it('hold who decided about which tool, once, also when two windows look on', async () => {
    const gateway = new Gateway();
    const [mine, other] = ['me', 'other'].map((clientId) => windowOf(gateway, clientId));
    const what = decision('c', { tool: 'bash', asked: 'x', ...from('me') });
    other?.decided(what);
    await atRest();
    mine?.decided(what);
    await atRest();
    assert.deepEqual(
      gateway.kept.map(({ kind, sessionId, data }) => ({ kind, sessionId, data })),
      [
        {
          kind: 'decision',
          sessionId: 's',
          data: { host: 'h', chat, turnId: 't', callId: 'c', tool: 'bash', about: 'call', approved: true, asked: 'x', by: 'you' },
        },
      ],
    );
  });

  it('are two of two hosts, also where all that these say of them is equal', async () => {
    const gateway = new Gateway();
    for (const hostId of ['h', 'i', 'h']) windowOf(gateway, 'me', new MemoryStorage(), hostId).decided(decision('c'));
    await atRest();
    assert.deepEqual(
      gateway.kept.map(({ data }) => data['host']),
      ['h', 'i'],
    );
  });

  it('are told when the gateway is there, and once, also after a reload', async () => {
    const gateway = new Gateway();
    const { decided, link, log, storage } = windowOf(gateway, 'me');
    link(false);
    decided(decision('a'), decision('b', { approved: false, ...from('x') }));
    await atRest();
    assert.deepEqual([gateway.kept.length, log.unrecorded.length], [0, 2]);
    link(true);
    await atRest();
    assert.deepEqual(
      gateway.kept.map(({ data }) => [data['by'], data['approved'], data['clientId']]),
      [
        ['host', true, undefined],
        ['client', false, 'x'],
      ],
    );
    assert.equal(windowOf(gateway, 'me', storage).log.unrecorded.length, 0);
  });

  it('are kept for another gateway by a window whose gateway has none', async () => {
    const gateway = new Gateway();
    gateway.isOld = true;
    const { decided, link, log } = windowOf(gateway, 'me');
    decided(decision('a'));
    await atRest();
    assert.equal(log.unrecorded.length, 1);
    gateway.isOld = false;
    link(true);
    await atRest();
    assert.deepEqual([gateway.kept.length, log.unrecorded.length], [1, 0]);
  });

  it('are told without one that no gateway takes', async () => {
    const gateway = new Gateway();
    const { decided, log } = windowOf(gateway, 'me');
    // Six characters each, as JSON.
    const id = '\u0001'.repeat(1_000);
    decided(decision('a'), decision(id, { turnId: id, ...from(id) }), decision('b'));
    await atRest();
    decided(decision('c'));
    await atRest();
    assert.deepEqual(
      gateway.kept.map(({ data }) => data['callId']),
      ['a', 'b', 'c'],
    );
    assert.equal(log.unrecorded.length, 0);
  });

  it('are those of their host, where another one has the same ids', async () => {
    const gateway = new Gateway();
    const [one, same, other] = ['h', 'h', 'other'].map((hostId) => windowOf(gateway, 'me', undefined, hostId));
    for (const of of [one, same, other]) of?.decided(decision('a'));
    await atRest();
    assert.deepEqual(
      gateway.kept.map(({ data }) => data['host']),
      ['h', 'other'],
    );
  });

  it('are read by a window that has not looked on, with its own, oldest first', async () => {
    const gateway = new Gateway();
    const mine = windowOf(gateway, 'me');
    mine.decided(decision('a', from('me')), decision('b'));
    await atRest();
    const late = windowOf(gateway, 'late');
    const [a, b] = await late.records.of('s');
    assert.deepEqual([a?.session, a?.callId, a?.by, b?.by], [chat, 'a', 'you', 'host']);
    const own: CallDecision[] = [{ ...(b as CallDecision), by: 'client', at: (b?.at ?? 0) + 5 }];
    assert.deepEqual(
      withRecorded(own, [a, b] as CallDecision[]).map(({ callId, by }) => [callId, by]),
      [
        ['a', 'you'],
        ['b', 'client'],
      ],
    );
    gateway.isUp = false;
    assert.deepEqual(await late.records.of('s'), []);
  });

  it('are read of what somebody has decided, also after any number of calls that a setting allows', async () => {
    const gateway = new Gateway();
    const mine = windowOf(gateway, 'me');
    for (let batch = 0; batch < 11; batch++) {
      mine.decided(...Array.from({ length: 100 }, (_, index) => decision(`${batch}.${index}`, { bySetting: true })));
      mine.clock.advance(1_000);
      await atRest();
    }
    mine.decided(decision('by the host'));
    mine.clock.advance(1);
    mine.decided(decision('by the user', from('me')));
    await atRest();
    assert.deepEqual([gateway.kept.length, mine.log.unrecorded.length], [1_102, 0]);
    assert.deepEqual(
      (await windowOf(gateway, 'late').records.of('s')).map(({ callId }) => callId),
      ['by the host', 'by the user'],
    );
  });

  it('make room as those of earlier versions do, and what a setting allows goes first', async () => {
    const gateway = new Gateway();
    const { decided, clock } = windowOf(gateway, 'me');
    decided(decision('d', { bySetting: true }), decision('c', from('x')), decision('b'), decision('a', from('me')));
    clock.advance(1_000);
    await atRest();
    assert.deepEqual(
      gateway.kept.map(({ id, data }) => [data['by'], gateway.ranks.get(id)]),
      [
        ['client', 0],
        ['host', 0],
        ['you', 1],
        ['setting', -1],
      ],
      'earlier records of the user have 1, and those of others 0',
    );
  });
});
