import assert from 'node:assert/strict';
import { type ResultBlock, resultContent, resultData } from './resultContent.ts';

const text = (value: string): ResultBlock => ({ type: 'text', text: value });
const image: ResultBlock = { type: 'image', mimeType: 'image/png', data: 'AAEC' };
const url = 'data:image/png;base64,AAEC';
const asJson = (value: unknown) => `JSON ${JSON.stringify(value)}`;
const contentOf = (data: unknown) => resultContent(data, asJson).content;

describe('the content of a result', () => {
  it('is a string as text, an image with what stands beside it, and any other JSON as text', () => {
    for (const [data, expected] of [
      ['hello', [text('hello')]],
      ['', [text('')]],
      [null, [text('JSON null')]],
      [undefined, [text('JSON null')]],
      [{ a: [1] }, [text('JSON {"a":[1]}')]],
      [{ image: url }, [image]],
      [{ image: url, text: 'a pixel' }, [image, text('a pixel')]],
      [{ image: url, text: 'a pixel', width: 1 }, [image, text('JSON {"text":"a pixel","width":1}')]],
      [{ image: url, text: 7 }, [image, text('JSON {"text":7}')]],
    ] as const)
      assert.deepEqual(resultContent(data, asJson), { content: expected });
  });

  it('has parts in their order and of their kinds', () => {
    const content: ResultBlock[] = [
      text('before'),
      { ...image, annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-31T12:00:00Z' } },
      { type: 'audio', mimeType: 'audio/wav', data: 'AAEC' },
      { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///b', blob: 'AAEC' } },
      { type: 'resource_link', uri: 'file:///c', name: 'c', title: 'C', description: 'The third', mimeType: 'text/plain', size: 3 },
      text('after'),
    ];
    const structuredContent = { a: 1 };
    for (const given of [{ content }, { content, structuredContent }, { content: [], structuredContent }]) {
      assert.deepEqual(resultContent(given, asJson), given);
      assert.deepEqual(resultContent(resultData(given), asJson), given);
    }
  });

  it('is the JSON that it is where a part of it is none', () => {
    for (const data of [
      { content: 'text' },
      { content: [text('x')], more: 1 },
      { content: [text('x'), 'y'] },
      { content: [{ type: 'video', mimeType: 'video/mp4', data: 'AAEC' }] },
      { content: [{ ...image, data: 'AA=A' }] },
      { content: [{ ...image, data: 'A' }] },
      { content: [{ type: 'resource', resource: { uri: 'file:///a' } }] },
      { content: [{ type: 'resource_link', uri: 'file:///a' }] },
      { content: [text('x')], structuredContent: [1] },
      { content: [] },
      { image: 'data:image/png;base64,AA=A' },
      { image: 'data:image/png,AAEC' },
      { image: 'data:text/html;base64,AAEC' },
      { image: 'AAEC' },
      { image: 7 },
    ])
      assert.deepEqual(contentOf(data), [text(asJson(data))]);
  });

  it('leaves out what no receiver has asked for, and annotations that are none', () => {
    const data = { content: [{ ...text('x'), _meta: { a: 1 }, annotations: { priority: 7 } }, text('y')] };
    assert.deepEqual(JSON.parse(JSON.stringify(contentOf(data))), [text('x'), text('y')]);
  });

  it('costs no more than its length', () => {
    const data = 'A'.repeat(4 * 1024 * 1024);
    assert.deepEqual(contentOf({ image: `data:image/png;base64,${data}` }), [{ ...image, data }]);
    assert.equal(contentOf({ content: Array.from({ length: 100_000 }, () => text('x')) }).length, 100_000);
    const ones = Array.from({ length: 1_000_000 }, () => 1);
    assert.equal(contentOf({ content: ones }).length, 1);
    assert.equal(contentOf({ content: [{ ...text('x'), annotations: { audience: ones } }] }).length, 1);
  });
});

describe('the data of a result', () => {
  it('is what every receiver knows, where that keeps all of it', () => {
    for (const [content, expected] of [
      [[text('hello')], 'hello'],
      [[], ''],
      [[image], { image: url }],
      [[image, text('a pixel')], { image: url, text: 'a pixel' }],
    ] as const)
      assert.deepEqual(resultData({ content: [...content] }), expected);
  });

  it('is made of parts where it would lose an order or a kind', () => {
    const annotated: ResultBlock = { ...text('x'), annotations: { priority: 1 } };
    for (const content of [
      [text('one'), text('two')],
      [text('a pixel'), image],
      [image, image],
      [image, text('a pixel'), text('more')],
      [annotated],
      [image, annotated],
      [{ ...image, mimeType: 'image/png; odd' }],
    ] as ResultBlock[][])
      assert.deepEqual(resultData({ content }), { content });
    assert.deepEqual(resultData({ content: [text('x')], structuredContent: { a: 1 } }), {
      content: [text('x')],
      structuredContent: { a: 1 },
    });
  });
});
