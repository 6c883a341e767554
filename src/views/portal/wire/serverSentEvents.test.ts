import assert from 'node:assert/strict';
import { serverSentEvents } from './serverSentEvents.ts';

async function read(chunks: readonly string[]) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk, 'latin1'));
      controller.close();
    },
  });
  const events: string[] = [];
  for await (const { event, data } of serverSentEvents(body)) events.push(`${event}=${data}`);
  return events;
}

describe('server-sent events', () => {
  it('are read however they are cut', async () => {
    const text = Buffer.from(
      'event: attention\ndata: {"a":\ndata:1}\n\n: comment\n\ndata\n\nevent: heartbeat\r\ndata: é: x\r\n\r\ndata: cut',
    ).toString('latin1');
    const expected = ['attention={"a":\n1}', 'message=', 'heartbeat=é: x'];
    for (const size of [1, 2, 3, 7, text.length])
      assert.deepEqual(await read(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []), expected, String(size));
  });

  it('are none where nothing comes', async () => {
    assert.deepEqual(await read([]), []);
  });
});
