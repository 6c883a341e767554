import assert from 'node:assert/strict';
import { resultOf } from './toolResult.ts';

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
    for (const image of ['data:text/html;base64,AAAA', 'https://example.com/x.png', 'data:image/png,AAAA', 'data:image/png;base64,A A'])
      assert.equal(contentOf({ image })?.[0]?.type, 'text', image);
    assert.deepEqual(resultOf({ ok: true, file: { mimeType: 'application/pdf', size: 3, base64: 'AAAA' } }, 'work').content, [
      { type: 'embeddedResource', contentType: 'application/pdf', data: 'AAAA' },
    ]);
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
