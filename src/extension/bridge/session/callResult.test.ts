import assert from 'node:assert/strict';
import { resultOf } from './callResult.ts';

describe('The result of a call', () => {
  const contentOf = (data: unknown) => resultOf({ ok: true, data }, 'work').content;

  it('is text, JSON as text where it is no string', () => {
    assert.deepEqual(contentOf('plain'), [{ type: 'text', text: 'plain' }]);
    assert.deepEqual(contentOf({ a: 1 }), [{ type: 'text', text: '{\n "a": 1\n}' }]);
    for (const nothing of [null, undefined]) assert.deepEqual(contentOf(nothing), [{ type: 'text', text: 'null' }]);
  });

  it('is a resource for an image and for a file', () => {
    const resource = { type: 'embeddedResource', contentType: 'image/jpeg', data: 'AAAA' };
    assert.deepEqual(contentOf({ image: 'data:image/jpeg;base64,AAAA' }), [resource]);
    assert.deepEqual(contentOf({ image: 'data:image/jpeg;base64,AAAA', width: 3 }), [
      resource,
      { type: 'text', text: '{\n "width": 3\n}' },
    ]);
    assert.deepEqual(contentOf({ image: 'data:image/jpeg;base64,AAAA', text: 'a pixel' }), [resource, { type: 'text', text: 'a pixel' }]);
    for (const image of ['data:text/html;base64,AAAA', 'https://example.com/x.png', 'data:image/png,AAAA', 'data:image/png;base64,A A'])
      assert.equal(contentOf({ image })?.[0]?.type, 'text', image);
    assert.deepEqual(resultOf({ ok: true, file: { mimeType: 'application/pdf', size: 3, base64: 'AAAA' } }, 'work').content, [
      { type: 'embeddedResource', contentType: 'application/pdf', data: 'AAAA' },
    ]);
  });

  it('has its parts in their order, in what the protocol has for them', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
    const content = [
      { type: 'text', text: 'one' },
      image,
      { type: 'text', text: 'two' },
      image,
      { type: 'audio', mimeType: 'audio/wav', data: 'BBBB' },
      { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///b', blob: 'CCCC' } },
      { type: 'resource_link', uri: 'file:///c', name: 'c', title: 'C', description: 'The third', mimeType: 'text/plain', size: 3 },
      { type: 'resource_link', uri: 'file:///d', name: 'd' },
    ];
    const shown = [
      { type: 'text', text: 'one' },
      { type: 'embeddedResource', contentType: 'image/png', data: 'AAAA' },
      { type: 'text', text: 'two' },
      { type: 'embeddedResource', contentType: 'image/png', data: 'AAAA' },
      { type: 'embeddedResource', contentType: 'audio/wav', data: 'BBBB' },
      { type: 'text', text: 'Resource file:///a (text/plain):\n\ninside' },
      { type: 'text', text: 'Resource file:///b:' },
      { type: 'embeddedResource', contentType: 'application/octet-stream', data: 'CCCC' },
      { type: 'text', text: 'Link to c (“C”, text/plain, 3 bytes): file:///c\nThe third' },
      { type: 'text', text: 'Link to d: file:///d' },
    ];
    assert.deepEqual(contentOf({ content }), shown);
    const { content: beside, structuredContent } = resultOf({ ok: true, data: { content, structuredContent: { a: 1 } } }, 'work');
    assert.deepEqual([beside, structuredContent], [shown, { a: 1 }]);
  });

  it('is structured content as text too where there is nothing else to read', () => {
    const { content, structuredContent } = resultOf({ ok: true, data: { content: [], structuredContent: { a: 1 } } }, 'work');
    assert.deepEqual([content, structuredContent], [[{ type: 'text', text: '{\n "a": 1\n}' }], { a: 1 }]);
  });

  it('says which parts are left out, and hands over the rest', () => {
    const text = (value: string) => ({ type: 'text', text: value });
    const image = (data: string) => ({ type: 'image', mimeType: 'image/png', data });
    const large = 'A'.repeat(6 * 1024 * 1024);
    const [first, kept, left, last] = contentOf({ content: [text('one'), image(large), image(large), text('two')] }) ?? [];
    assert.deepEqual([first, kept?.type, last], [text('one'), 'embeddedResource', text('two')]);
    assert.ok(left?.type === 'text' && 'text' in left);
    assert.match(left.text, /^\[left out: An image of 6\.0 MiB \(in base64\) came back, and at most 10\.0 MiB can be handed over\./);
    const long = contentOf({ content: [text('x'.repeat(300_000)), text('y'.repeat(300_000)), text('z')] }) ?? [];
    assert.deepEqual(
      long.map((part) => ('text' in part ? part.text.replace(/^[xyz]+/, '') : '')),
      ['', '\n[cut: 200000 of 300000 characters are left out]', '[cut: 1 of 1 characters are left out]'],
    );
    const many = contentOf({ content: Array.from({ length: 5_000 }, (_, at) => (at % 2 ? image('AAAA') : text(String(at)))) }) ?? [];
    assert.equal(many.length, 1_001);
    assert.deepEqual(many.at(-1), text('[left out: 4000 more parts]'));
  });

  it('leaves structured content out that no host would take, and says so', () => {
    const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });
    for (const structured of [nested(90), { x: 'x'.repeat(500_000) }]) {
      const data = { content: [{ type: 'text', text: 'one' }], structuredContent: structured };
      const { content, structuredContent } = resultOf({ ok: true, data }, 'work');
      assert.equal(structuredContent, undefined);
      assert.deepEqual(content, [
        { type: 'text', text: 'one' },
        { type: 'text', text: '[left out: structured content, which is too large or nested too deeply]' },
      ]);
    }
  });

  it('is bounded: text is cut and says so, what cannot be cut fails with the sizes', () => {
    const [text] = contentOf('x'.repeat(500_000)) ?? [];
    assert.ok(text?.type === 'text' && 'text' in text);
    assert.match(text.text, /x\n\[cut: 100000 of 500000 characters are left out\]$/);
    const base64 = 'A'.repeat(11 * 1024 * 1024);
    for (const outcome of [
      { ok: true, data: { image: `data:image/png;base64,${base64}` } },
      { ok: true, file: { mimeType: 'image/png', size: 1, base64 } },
    ] as const) {
      const { success, error } = resultOf(outcome, 'work');
      assert.equal(success, false);
      assert.match(error?.message ?? '', /of 11\.0 MiB .* at most 10\.0 MiB/);
    }
  });

  it('is an error that the model can read', () => {
    assert.deepEqual(resultOf({ ok: false, error: 'nobody is there', errorCode: 'NOT_FOUND' }, 'work'), {
      success: false,
      pastTenseMessage: 'work failed',
      error: { message: 'nobody is there', code: 'NOT_FOUND' },
    });
  });
});
