import assert from 'node:assert/strict';
import { COMMIT_MESSAGE, commitMessageIn, metaOfInvocation, SEEN_CHANGES, seenChangesIn } from './commitMessage.ts';

describe('_meta of an operation of changes', () => {
  it('is sent back with what was seen, and the message', () => {
    const offered = { [COMMIT_MESSAGE]: 'Suggested', [SEEN_CHANGES]: 'abc', other: 1 };
    assert.deepEqual(metaOfInvocation(offered, 'Mine'), { _meta: { [COMMIT_MESSAGE]: 'Mine', [SEEN_CHANGES]: 'abc' } });
    assert.deepEqual(metaOfInvocation(offered, undefined), { _meta: { [SEEN_CHANGES]: 'abc' } });
    assert.deepEqual(metaOfInvocation({ [COMMIT_MESSAGE]: 'Suggested' }, 'Mine'), { _meta: { [COMMIT_MESSAGE]: 'Mine' } });
    assert.deepEqual(metaOfInvocation(undefined, undefined), {});
  });

  it('is only read where it is text of a sane size', () => {
    for (const seen of [1, null, {}, 'x'.repeat(201)]) assert.equal(seenChangesIn({ [SEEN_CHANGES]: seen }), undefined);
    assert.equal(seenChangesIn({ [SEEN_CHANGES]: 'abc' }), 'abc');
    assert.equal(commitMessageIn({ [COMMIT_MESSAGE]: 1 }), undefined);
    assert.equal(commitMessageIn('x'), undefined);
  });
});
