import assert from 'node:assert/strict';
import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { ToolError } from '../../tap/provider/providerErrors.ts';
import { callData } from './callData.ts';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const image = (data: string): ContentBlock => ({ type: 'image', mimeType: 'image/png', data });

describe('what an MCP server answers, for the gateway', () => {
  it('is its text', () => {
    assert.equal(callData({ content: [text('one'), text('two')] }), 'one\n\ntwo');
    assert.equal(callData({ content: [] }), '');
    assert.equal(callData({ content: [text('as text')], structuredContent: { as: 'JSON' } }), 'as text');
    assert.deepEqual(callData({ content: [], structuredContent: { as: 'JSON' } }), { as: 'JSON' });
  });

  it('is its first image, with the text beside it; of more a word is left', () => {
    assert.deepEqual(callData({ content: [image('AAEC')] }), { image: 'data:image/png;base64,AAEC' });
    assert.deepEqual(callData({ content: [text('two pixels'), image('AAEC'), image('AwQF')] }), {
      image: 'data:image/png;base64,AAEC',
      text: 'two pixels\n\n(another image, image/png, about 3 bytes, was left out)',
    });
  });

  it('is the text of resources, and a word of what is none', () => {
    const content: ContentBlock[] = [
      { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///b', mimeType: 'application/pdf', blob: 'AAEC' } },
      { type: 'resource_link', uri: 'file:///c', name: 'c' },
      { type: 'audio', mimeType: 'audio/wav', data: 'AAEC' },
    ];
    assert.equal(
      callData({ content }),
      'inside\n\n(the resource file:///b, application/pdf, about 3 bytes, was left out)\n\nc: file:///c\n\n(a sound, audio/wav, about 3 bytes, was left out)',
    );
  });

  it('is an error where the server says so', () => {
    const failed = (content: ContentBlock[]) => () => callData({ content, isError: true });
    assert.throws(failed([text('no such file')]), new ToolError('INTERNAL', 'no such file'));
    assert.throws(failed([]), /does not say why/);
  });
});
