import assert from 'node:assert/strict';
import { reviewRecord } from './reviewRecord.ts';

describe('the record of a review', () => {
  it('has the lines that the agent is asked for, each once', () => {
    const text =
      'REVIEW RECORD\nfinding: the login test fails\nEvidence: not ok 3 - login: no\nverdict: act\nverdict: ok\nnext: look at it\nby: me';
    assert.deepEqual(reviewRecord(text), {
      finding: 'the login test fails',
      evidence: 'not ok 3 - login: no',
      verdict: 'act',
      next: 'look at it',
    });
  });

  it('is the text where it has no such lines, and cut', () => {
    assert.deepEqual(reviewRecord('REVIEW RECORD all is well'), { text: 'REVIEW RECORD all is well' });
    assert.equal(reviewRecord(`REVIEW RECORD\nfinding: ${'x'.repeat(2_000)}`)?.['finding']?.length, 1000);
  });

  it('is nothing of another text', () => {
    assert.equal(reviewRecord('a REVIEW RECORD'), undefined);
    assert.equal(reviewRecord('REVIEW RECORDS'), undefined);
  });
});
