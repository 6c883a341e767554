import assert from 'node:assert/strict';
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import { imageProblem, imageTypeOf, isImage, MAX_IMAGE_BYTES } from './imageTypes.ts';

describe('Images of a message', () => {
  const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  const embedded = (size: number): MessageAttachment => ({
    type: 'embeddedResource',
    label: 'a.png',
    data: 'A'.repeat(Math.ceil((size * 4) / 3)),
    contentType: 'image/png',
  });
  const file = (name: string): MessageAttachment => ({ type: 'resource', uri: `file:///w/${name}`, label: name });

  it('are told by their first bytes', () => {
    assert.equal(imageTypeOf(bytes('\x89PNG\r\n\x1a\nrest')), 'image/png');
    assert.equal(imageTypeOf(bytes('\xff\xd8\xff\xe0')), 'image/jpeg');
    assert.equal(imageTypeOf(bytes('GIF89a..')), 'image/gif');
    assert.equal(imageTypeOf(bytes('RIFF\0\0\0\0WEBPVP8 ')), 'image/webp');
    for (const other of ['', '<svg xmlns="http://www.w3.org/2000/svg"/>', '\x89PNG', 'RIFF\0\0\0\0WAVE', ' GIF89a'])
      assert.equal(imageTypeOf(bytes(other)), undefined, other);
  });

  it('have a type and a size', () => {
    assert.equal(imageProblem({ name: 'a.png', type: 'image/png', size: MAX_IMAGE_BYTES }), undefined);
    assert.equal(
      imageProblem({ name: 'a.png', type: 'image/png', size: 7_100_000 }),
      '“a.png” was not attached: it has 7.1 MB, and an image may have at most 5 MB.',
    );
    for (const type of ['image/svg+xml', 'text/html', '', '__proto__'])
      assert.equal(imageProblem({ name: 'a', type, size: 1 }), '“a” was not attached: only PNG, JPEG, GIF and WebP images can be.');
  });

  it('are recognized by type or name', () => {
    assert.ok([embedded(1), file('a.PNG'), file('b.jpeg')].every(isImage));
    assert.ok(![file('a.svg'), file('png'), { type: 'resource' as never }, { ...embedded(1), contentType: 'text/html' }].some(isImage));
  });
});
