import assert from 'node:assert/strict';
import type { KeptRecord } from '../../views/traces/keptRecord.ts';
import { NewestSpans } from './newestSpans.ts';
import type { TowerQuery } from './queryRecords.ts';

/** Answers as the gateway does. */
class Gateway {
  kept: KeptRecord[] = [];
  asked: TowerQuery[] = [];
  readonly sessionId = 's';
  #seq = 0;

  add(name: string, count = 1): void {
    for (let n = 0; n < count; n++) {
      const seq = ++this.#seq;
      this.kept.push({ seq, kind: 'trace', id: `${seq}`, at: seq, sessionId: 's', data: { name } });
    }
  }

  /** The file of the records was damaged, and a new one begins. */
  beginAgain(): void {
    [this.kept, this.#seq] = [[], 0];
  }

  records = async (query: TowerQuery): Promise<readonly KeptRecord[]> => {
    this.asked.push(query);
    const { where = {}, after = -1, limit } = query;
    const found = this.kept
      .filter(({ seq }) => seq > after)
      .filter(({ data }) => Object.entries(where).every(([field, value]) => data[field] === value));
    return (query.after === undefined ? found.toReversed() : found).slice(0, limit);
  };

  /** Of the questions since the last time: what they were about, and after which record. */
  takeAsked(): unknown[] {
    return this.asked.splice(0).map(({ where, after }) => [where?.['name'], after]);
  }
}

const ALL = [undefined, undefined];

describe('the newest spans of a session', () => {
  let gateway: Gateway;
  let spans: NewestSpans;
  const look = async () => (await spans.of(gateway)).led.map(({ id, data }) => `${String(data['name'])} ${id}`);

  beforeEach(() => {
    gateway = new Gateway();
    spans = new NewestSpans();
  });

  it('are asked for once where they are all', async () => {
    gateway.add('turn');
    gateway.add('emitter_run', 100);
    assert.deepEqual(await look(), ['turn 1']);
    assert.deepEqual(gateway.takeAsked(), [ALL]);
  });

  it('know what led to something without being asked for it again', async () => {
    gateway.add('turn');
    gateway.add('inject');
    gateway.add('emitter_run', 300);
    assert.deepEqual(await look(), ['turn 1', 'inject 2']);
    assert.deepEqual(gateway.takeAsked(), [ALL, ['turn', undefined], ['inject', undefined]]);
    gateway.add('turn');
    gateway.add('emitter_run', 100);
    assert.deepEqual(await look(), ['turn 303', 'turn 1', 'inject 2']);
    gateway.add('emitter_run', 150);
    assert.deepEqual(await look(), ['turn 303', 'turn 1', 'inject 2'], 'it is not among the newest any more');
    assert.deepEqual(gateway.takeAsked(), [ALL, ALL]);
  });

  it('are looked for after those that are known where more came than there is room for', async () => {
    gateway.add('emitter_run', 300);
    await look();
    gateway.takeAsked();
    gateway.add('inject');
    gateway.add('emitter_run', 250);
    assert.deepEqual(await look(), ['inject 301']);
    assert.deepEqual(gateway.takeAsked(), [ALL, ['turn', 300], ['inject', 300]]);
  });

  it('are the newest also where more of them came than an answer has', async () => {
    gateway.add('emitter_run', 300);
    await look();
    gateway.add('turn', 500);
    gateway.add('emitter_run', 250);
    const led = await look();
    assert.deepEqual([led.length, led[0], led.at(-1)], [40, 'turn 800', 'turn 761']);
  });

  it('have so many of each, the newest first', async () => {
    gateway.add('turn', 60);
    gateway.add('emitter_run', 300);
    const led = await look();
    assert.deepEqual([led.length, led[0], led.at(-1)], [40, 'turn 60', 'turn 21']);
  });

  it('are those of a new file once there is one', async () => {
    gateway.add('turn');
    gateway.add('emitter_run', 600);
    await look();
    gateway.beginAgain();
    gateway.add('inject');
    gateway.add('emitter_run', 300);
    gateway.takeAsked();
    assert.deepEqual(await look(), ['inject 1']);
    assert.deepEqual(gateway.takeAsked(), [ALL, ['turn', undefined], ['inject', undefined]]);
  });

  it('are looked for again where that has failed', async () => {
    gateway.add('turn');
    gateway.add('emitter_run', 300);
    const { records } = gateway;
    gateway.records = (query) => (query.where ? Promise.reject(new Error('away')) : records(query));
    await assert.rejects(look(), /away/);
    gateway.records = records;
    assert.deepEqual(await look(), ['turn 1']);
  });
});
