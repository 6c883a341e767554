import assert from 'node:assert/strict';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { EventLog } from './eventLog.ts';

const notification = (text: string): JSONRPCMessage => ({ jsonrpc: '2.0', method: 'notifications/message', params: { text } });
const result = (text: string, id = 1): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: { text } });

describe('the events of a session over HTTP', () => {
  const replayed = async (log: EventLog, id: string) => {
    const sent: [string, JSONRPCMessage][] = [];
    await log.replayEventsAfter(id, { send: (eventId, message) => Promise.resolve(void sent.push([eventId, message])) });
    return sent;
  };

  it('are given again after the one that came last, of the same stream alone', async () => {
    const log = new EventLog();
    const first = await log.storeEvent('a', {} as JSONRPCMessage);
    const second = await log.storeEvent('a', notification('1'));
    await log.storeEvent('b', notification('2'));
    const third = await log.storeEvent('a', notification('3'));
    assert.deepEqual(await replayed(log, first), [
      [second, notification('1')],
      [third, notification('3')],
    ]);
    assert.deepEqual(await replayed(log, third), []);
    assert.ok(log.knows(third) && !log.knows('c:1') && !log.knows('') && !log.knows('1'));
  });

  it('come as a whole where the request has its answer', async () => {
    const log = new EventLog();
    const first = await log.storeEvent('a', {} as JSONRPCMessage);
    await log.storeEvent('a', notification('1'));
    assert.equal(log.restOfEnded(first), undefined);
    const last = await log.storeEvent('a', result('done'));
    assert.match(log.restOfEnded(first) ?? '', /^event: message\nid: a:2\ndata: .*\n\nevent: message\nid: a:3\ndata: .*"done".*\n\n$/);
    assert.equal(log.restOfEnded(last), '', 'the client has it');
    assert.ok(log.knows(last));
  });

  it('of a batch go on until the last request has its answer', async () => {
    const log = new EventLog();
    const batch = new Set<RequestId>();
    for (const id of [1, 2]) log.requested(id, batch);
    log.requested(3, new Set());
    const first = await log.storeEvent('batch', result('one', 1));
    const alone = await log.storeEvent('alone', result('three', 3));
    assert.equal(log.restOfEnded(first), undefined);
    assert.equal(log.restOfEnded(alone), '');
    await log.storeEvent('batch', result('two', 2));
    assert.match(log.restOfEnded(first) ?? '', /^event: message\nid: batch:3\ndata: .*"two".*\n\n$/);
  });

  it('have an error in place of an answer that is too long, so that nobody waits for it', async () => {
    const log = new EventLog();
    const first = await log.storeEvent('a', {} as JSONRPCMessage);
    await log.storeEvent('a', notification('x'.repeat(3 * 1024 * 1024)));
    const last = await log.storeEvent('a', result('x'.repeat(3 * 1024 * 1024), 7));
    const [[id, kept] = [], ...more] = await replayed(log, first);
    assert.deepEqual([id, more.length], [last, 0]);
    assert.ok(kept && 'error' in kept);
    assert.equal(kept.id, 7);
    assert.match(kept.error.message, /too large to be sent again.*may have had effect/);
    assert.match(log.restOfEnded(first) ?? '', /"id":7/);
    assert.equal(log.restOfEnded(last), '', 'the client has it');
  });

  it('are known to the client that has the last one, also when nothing of its stream is kept', async () => {
    const log = new EventLog();
    const first = await log.storeEvent('a', {} as JSONRPCMessage);
    const last = await log.storeEvent('a', result('done'));
    for (let at = 0; at < 1_000; at++) await log.storeEvent('b', notification(String(at)));
    assert.deepEqual([log.knows(first), log.knows(last), log.restOfEnded(last)], [false, true, '']);
  });

  it('are bounded, and the oldest are forgotten first', async () => {
    const log = new EventLog();
    const first = await log.storeEvent('first', notification('x'));
    const many = [];
    for (let at = 0; at < 1_000; at++) many.push(await log.storeEvent('many', notification(String(at))));
    assert.ok(!log.knows(first));
    assert.equal((await replayed(log, many[0] ?? '')).length, 999);
    await log.storeEvent('long', result('x'.repeat(1.5 * 1024 * 1024)));
    await log.storeEvent('long', result('y'.repeat(1024 * 1024)));
    assert.ok(!log.knows(many[0] ?? ''));
    const [[, forgotten] = [], ...more] = await replayed(log, 'long:0');
    assert.ok(forgotten && 'error' in forgotten, 'the first result was too long to be kept beside the second');
    assert.equal(more.length, 1);
    await log.storeEvent('longer', result('z'.repeat(3 * 1024 * 1024)));
    assert.ok(log.knows('long:0'), 'one that is too long pushes out nothing');
  });
});
