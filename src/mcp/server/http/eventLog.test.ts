import assert from 'node:assert/strict';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { EventLog } from './eventLog.ts';

const notification = (text: string): JSONRPCMessage => ({ jsonrpc: '2.0', method: 'notifications/message', params: { text } });
const result = (text: string): JSONRPCMessage => ({ jsonrpc: '2.0', id: 1, result: { text } });

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
    assert.equal(log.restOfEnded(last), undefined, 'the client has it');
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
    assert.equal((await replayed(log, 'long:0')).length, 1);
    await log.storeEvent('longer', result('z'.repeat(3 * 1024 * 1024)));
    assert.ok(log.knows('long:0') && !log.knows('longer:0'), 'one that is too long pushes out nothing');
  });
});
