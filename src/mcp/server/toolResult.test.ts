import assert from 'node:assert/strict';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '../../base/isRecord.ts';
import { MAX_RESULT_BYTES, toolResult } from './toolResult.ts';

const contentOf = (data: unknown) => toolResult({ ok: true, data }).content;
const text = (value: string) => ({ type: 'text', text: value });

describe('the result of a tool for an MCP client', () => {
  it('has strings as they are, and anything else as JSON', () => {
    for (const [data, expected] of [
      ['hello', 'hello'],
      ['', ''],
      [{ a: [1] }, '{"a":[1]}'],
      [null, 'null'],
      [undefined, 'null'],
      [0, '0'],
    ] as const)
      assert.deepEqual(contentOf(data), [text(expected)]);
  });

  it('has an image as an image, and what is beside it as text', () => {
    const image = 'data:image/png;base64,AAEC';
    const block = { type: 'image', mimeType: 'image/png', data: 'AAEC' };
    assert.deepEqual(contentOf({ image }), [block]);
    assert.deepEqual(contentOf({ image, text: 'a pixel' }), [block, text('a pixel')]);
    assert.deepEqual(contentOf({ image, width: 1 }), [block, text('{"width":1}')]);
  });

  it('has an image as large as a message may be', () => {
    const data = 'A'.repeat(7 * 1024 * 1024);
    assert.deepEqual(contentOf({ image: `data:image/png;base64,${data}` }), [{ type: 'image', mimeType: 'image/png', data }]);
  });

  it('takes nothing for an image that a client would refuse as one', () => {
    for (const image of [
      'data:image/png;base64,A',
      'data:image/png;base64,AA=A',
      'data:image/png,AAEC',
      'data:text/html;base64,AAEC',
      'AAEC',
      7,
    ])
      assert.deepEqual(contentOf({ image }), [text(JSON.stringify({ image }))], String(image));
  });

  it('has parts as they are, with structured content beside them', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAEC' };
    const link = { type: 'resource_link', uri: 'file:///c', name: 'c', description: 'The third' };
    const data = { content: [text('one'), image, link, { ...image, data: 'AwQF' }, text('two')], structuredContent: { a: 1 } };
    const result = toolResult({ ok: true, data }, [{ provider: 'ci', content: 'main is frozen' }]);
    assert.deepEqual(result, { ...data, content: [...data.content, text('Context from the provider “ci”: main is frozen')] });
    assert.ok(CallToolResultSchema.safeParse(result).success);
    assert.equal(data.content.length, 5, 'what the gateway has said stays as it is');
  });

  it('has plain JSON as structured content too, where the tool promises that', () => {
    const fits = (value: unknown) => (isRecord(value) && 'sum' in value ? undefined : 'there is no sum');
    const promised = (data: unknown) => toolResult({ ok: true, data }, [], fits);
    assert.deepEqual(promised({ sum: 3 }), { content: [text('{"sum":3}')], structuredContent: { sum: 3 } });
    assert.deepEqual(promised({ sum: 3, content: 'x' }).structuredContent, { sum: 3, content: 'x' });
    for (const data of ['3', 3, [3], { other: 3 }, { content: [text('3')] }, { image: 'data:image/png;base64,AAEC', sum: 3 }]) {
      const { structuredContent, isError } = promised(data);
      assert.deepEqual([structuredContent, isError], [undefined, true], JSON.stringify(data));
    }
    assert.equal(toolResult({ ok: true, data: { sum: 3 } }).structuredContent, undefined, 'a tool that promises nothing');
  });

  it('has files as what they are', () => {
    const file = (mimeType: string, bytes: Buffer) => {
      const [block] = toolResult({ ok: true, file: { mimeType, size: bytes.length, base64: bytes.toString('base64') } }).content;
      return block;
    };
    assert.equal(file('image/png', Buffer.from([1]))?.type, 'image');
    assert.equal(file('audio/wav', Buffer.from([1]))?.type, 'audio');
    for (const [mimeType, bytes, expected] of [
      ['text/plain; charset=utf-8', Buffer.from('é'), { text: 'é' }],
      ['application/ld+json', Buffer.from('{}'), { text: '{}' }],
      ['text/plain', Buffer.from([0xff]), { blob: '/w==' }],
      ['application/pdf', Buffer.from([1]), { blob: 'AQ==' }],
    ] as const) {
      const block = file(mimeType, bytes);
      assert.ok(block?.type === 'resource');
      const { uri, ...rest } = block.resource;
      assert.match(uri, /^tapline:\/results\/[\w-]{36}$/);
      assert.deepEqual(rest, { mimeType, ...expected });
    }
  });

  it('names the code of a failure, and fits the protocol', () => {
    const failed = toolResult({ ok: false, error: 'The provider "x" has disconnected', errorCode: 'DISCONNECTED' });
    assert.deepEqual(failed, { content: [text('DISCONNECTED: The provider "x" has disconnected')], isError: true });
    assert.ok(CallToolResultSchema.safeParse(failed).success);
  });

  it('adds what gates say to the model', () => {
    const { content } = toolResult({ ok: true, data: 'done' }, [{ provider: 'ci', content: 'main is frozen' }]);
    assert.deepEqual(content, [text('done'), text('Context from the provider “ci”: main is frozen')]);
  });

  it('says that it is too large, counted as it goes out', () => {
    assert.equal(toolResult({ ok: true, data: 'x'.repeat(MAX_RESULT_BYTES - 100) }).isError, undefined);
    const structured = { content: [], structuredContent: { x: 'x'.repeat(MAX_RESULT_BYTES) } };
    for (const data of ['x'.repeat(MAX_RESULT_BYTES), '"'.repeat(MAX_RESULT_BYTES / 2), 'é'.repeat(MAX_RESULT_BYTES / 2), structured]) {
      const { content, isError } = toolResult({ ok: true, data });
      assert.ok(isError);
      assert.match(JSON.stringify(content), /PAYLOAD_TOO_LARGE: The tool has run/);
    }
  });
});
