import assert from 'node:assert/strict';
import type { ProviderStatus } from './listedProvider.ts';
import { providerRow } from './row.ts';

const row = (status: ProviderStatus, uri = 'https://example.com/') => providerRow({ folder: '/work/app', uri, status }, true);

describe('The row of a context provider', () => {
  it('says what state it is in', () => {
    for (const [status, text] of [
      [{ kind: 'waits' }, /^waits for your word/],
      [{ kind: 'refused' }, /^not allowed/],
      [{ kind: 'off' }, /^off/],
      [{ kind: 'unused' }, /^not asked yet/],
      [{ kind: 'works' }, /^works · app$/],
      [{ kind: 'wrong', message: 'No file.' }, /^No file\. · app$/],
      [{ kind: 'failed', message: 'No answer.', leftAloneUntil: 0 }, /^No answer\. It is left alone until .*\d/],
    ] as [ProviderStatus, RegExp][])
      assert.match(row(status).description, text);
  });

  it('works, and says what was wrong in its answer', () => {
    const listed = { folder: '/work/a', uri: 'https://example.com', status: { kind: 'works', leftOut: '1 wrong\nleft out' } } as const;
    const { description, icon } = providerRow(listed, false);
    assert.deepEqual([description, icon.id], ['works. 1 wrong left out', 'warning']);
  });

  it('is one short line, whatever a provider says', () => {
    const { label, description } = row({ kind: 'failed', message: `a\nb${'x'.repeat(10_000)}` }, `https://a/\u202e${'y'.repeat(10_000)}`);
    assert.ok(label.length < 300 && description.length < 500);
    assert.doesNotMatch(label + description, /[\n\u202e]/);
  });
});
