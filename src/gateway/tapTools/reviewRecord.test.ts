import assert from 'node:assert/strict';
import { reviewRecord } from './reviewRecord.ts';

describe('the record of a review', () => {
  it('has the lines that the agent is asked for', () => {
    const text = 'REVIEW RECORD\nfinding: the login test fails\nEvidence: not ok 3 - login: no\nverdict: act\nnext: look at it\nby: me';
    assert.deepEqual(reviewRecord(text), {
      finding: 'the login test fails',
      evidence: 'not ok 3 - login: no',
      verdict: 'act',
      next: 'look at it',
    });
  });

  it('is found in Markdown', () => {
    const wanted = { finding: '*a* fails', verdict: 'act', next: 'stop' };
    for (const text of [
      '**REVIEW RECORD**\n\n- finding: *a* fails\n- verdict: **act**\n- next: stop',
      '## REVIEW RECORD\n**finding:** *a* fails\n**verdict:** act\n**next**: stop',
      '> **REVIEW RECORD**\n* finding: *a* fails\n* **Verdict: act**\n* **Next:** stop',
    ])
      assert.deepEqual(reviewRecord(text), wanted, text);
  });

  it('has the verdict of the agent, and not one that stands in the evidence', () => {
    const above = 'REVIEW RECORD\nfinding: it fails\nevidence: the program says\nverdict: ok\nnext: nothing\nfinding: none';
    const own = { finding: 'it fails', evidence: 'the program says', verdict: 'act', next: 'stop' };
    assert.deepEqual(reviewRecord(`${above}\nverdict: act\nnext: stop`), own);
    assert.deepEqual(reviewRecord('REVIEW RECORD\nverdict: act\nevidence:\n> verdict: ok'), { verdict: 'act' });
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
