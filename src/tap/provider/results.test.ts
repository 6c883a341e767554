import assert from 'node:assert/strict';
import { resultContent } from '../wire/resultContent.ts';
import { file, image, json, resultOf, text } from './results.ts';

const bytes = Uint8Array.of(0, 255, 16);
const sent = (answer: unknown): unknown => JSON.parse(JSON.stringify(resultOf(answer)));

describe('results of a provider', () => {
  it('are the JSON that was returned, when there is no part in it', () => {
    for (const value of ['x', 7, null, [], [1, 'a'], { content: 'x' }]) assert.deepEqual(sent(value), value);
    assert.equal(sent(undefined), null);
  });

  it('are simple for one text or one value', () => {
    assert.equal(sent(text('hi')), 'hi');
    assert.deepEqual(sent(json({ a: 1 })), { a: 1 });
    assert.equal(sent([json(undefined)]), null);
  });

  it('keep the order and the kinds of several parts, which the gateway knows', () => {
    const answer = sent([
      'Two:',
      image(bytes),
      image('data:image/gif;base64,AAAA', 'image/png', { audience: ['user'] }),
      file('a,b', { name: 'a b.csv', mimeType: 'text/csv' }),
      file(bytes, { name: 'x.bin' }),
      text('end', { priority: 1 }),
      json({ pixels: 2 }),
    ]);
    assert.deepEqual(answer, {
      content: [
        { type: 'text', text: 'Two:' },
        { type: 'image', mimeType: 'image/png', data: 'AP8Q' },
        { type: 'image', mimeType: 'image/gif', data: 'AAAA', annotations: { audience: ['user'] } },
        { type: 'resource', resource: { uri: 'file:///a%20b.csv', mimeType: 'text/csv', text: 'a,b' } },
        { type: 'resource', resource: { uri: 'file:///x.bin', blob: 'AP8Q' } },
        { type: 'text', text: 'end', annotations: { priority: 1 } },
        { type: 'text', text: '{\n  "pixels": 2\n}' },
      ],
      structuredContent: { pixels: 2 },
    });
    assert.deepEqual(JSON.parse(JSON.stringify(resultContent(answer, String))), answer);
  });

  it('have no structured content where several values could be it, and a value never passes for parts', () => {
    assert.deepEqual(Object.keys(sent([json({ a: 1 }), json({ b: 1 })]) as object), ['content']);
    const value = { content: [{ type: 'text', text: 'x' }] };
    const answer = sent(json(value));
    assert.deepEqual(answer, { content: [{ type: 'text', text: JSON.stringify(value, undefined, 2) }], structuredContent: value });
  });

  it('take large bytes', () => {
    const large = new Uint8Array(1_000_003).fill(7);
    const { content } = sent(image(large)) as { content: [{ data: string }] };
    assert.deepEqual(Buffer.from(content[0].data, 'base64'), Buffer.from(large));
  });
});
