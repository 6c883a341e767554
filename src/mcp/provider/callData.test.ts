import assert from 'node:assert/strict';
import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { ToolError } from '../../tap/provider/providerErrors.ts';
import { callData } from './callData.ts';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const image = (data: string): ContentBlock => ({ type: 'image', mimeType: 'image/png', data });
const all: ContentBlock[] = [
  text('before'),
  image('AAEC'),
  text('between'),
  image('AwQF'),
  { type: 'audio', mimeType: 'audio/wav', data: 'AAEC' },
  { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
  { type: 'resource', resource: { uri: 'file:///b', mimeType: 'application/pdf', blob: 'AAEC' } },
  { type: 'resource_link', uri: 'file:///c', name: 'c', description: 'The third' },
];

describe('what an MCP server answers, for the gateway', () => {
  it('is its text or its image, as every owner of sessions takes it', () => {
    assert.equal(callData({ content: [text('one')] }), 'one');
    assert.equal(callData({ content: [] }), '');
    assert.deepEqual(callData({ content: [image('AAEC')] }), { image: 'data:image/png;base64,AAEC' });
    assert.deepEqual(callData({ content: [image('AAEC'), text('a pixel')] }), { image: 'data:image/png;base64,AAEC', text: 'a pixel' });
  });

  it('is all of its parts in their order, with structured content beside them', () => {
    assert.deepEqual(callData({ content: all }), { content: all });
    for (const content of [all, [text('{"a":1}')], []])
      assert.deepEqual(callData({ content, structuredContent: { a: 1 } }), { content, structuredContent: { a: 1 } });
  });

  it('says what cannot be passed on, in its place', () => {
    const leftOut = (kind: string) => text(`(a part of the kind “${kind}” was left out: it is not one that Tapline can pass on)`);
    const content = [
      text('one'),
      { type: 'video', data: 'AAEC' },
      { type: 'image', data: 'AAEC' },
      7,
      { type: 'x'.repeat(100) },
      text('two'),
    ];
    assert.deepEqual(callData({ content }), {
      content: [text('one'), leftOut('video'), leftOut('image'), leftOut('unknown'), leftOut(`${'x'.repeat(63)}…`), text('two')],
    });
    assert.deepEqual(callData({ content: [text('one')], structuredContent: [1] }), { content: [text('one'), text('[1]')] });
  });

  it('is an error where the server says so, which has room for text alone', () => {
    const failed = (content: ContentBlock[], structuredContent?: unknown) => () => callData({ content, structuredContent, isError: true });
    assert.throws(failed([text('no such file')]), new ToolError('INTERNAL', 'no such file'));
    assert.throws(failed([]), /does not say why/);
    assert.throws(failed([], { code: 7 }), new ToolError('INTERNAL', '{"code":7}'));
    assert.throws(
      failed(all),
      new ToolError(
        'INTERNAL',
        [
          'before',
          '(an image, image/png, about 3 bytes, was left out)',
          'between',
          '(an image, image/png, about 3 bytes, was left out)',
          '(a sound, audio/wav, about 3 bytes, was left out)',
          'inside',
          '(the resource file:///b, application/pdf, about 3 bytes, was left out)',
          'c: file:///c (The third)',
        ].join('\n\n'),
      ),
    );
  });
});
