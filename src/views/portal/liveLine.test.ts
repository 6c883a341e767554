import assert from 'node:assert/strict';
import { liveLine } from './liveLine.ts';

describe('a line of the portal', () => {
  it('says what happened, and how it ended', () => {
    assert.deepEqual(liveLine({ callback: 'workStarted', workId: 3, taskId: 't' }), { kind: 'plain', text: 'Step 3 has started.' });
    assert.deepEqual(liveLine({ callback: 'workStopped', workId: 3, succeeded: false }), { kind: 'bad', text: 'Step 3 has failed.' });
    assert.deepEqual(liveLine({ callback: 'jobSucceeded' }), { kind: 'good', text: 'The job has succeeded.' });
    assert.deepEqual(liveLine({ callback: 'taskDecision', reason: '[CRITERIA] no' }), { kind: 'plain', text: '[CRITERIA] no' });
    assert.deepEqual(liveLine({ jobError: 'x' }), { kind: 'bad', text: 'Error: x' });
    const denied = { callback: 'onEndToolExecution', toolCallId: 'c', error: { message: 'denied' } };
    assert.deepEqual(liveLine(denied), { kind: 'bad', text: 'The tool did not succeed: denied' });
    assert.deepEqual(liveLine({ error: 'EventsDropped', dropped: 7 }), { kind: 'bad', text: '7 events are not shown any more.' });
  });

  it('leaves out pieces of texts, and the ends of queues', () => {
    for (const response of [
      { callback: 'onMessage', delta: 'x' },
      { callback: 'onIdle' },
      { callback: 'unknown' },
      { error: 'JobsClosed' },
      {},
    ])
      assert.equal(liveLine(response), undefined);
  });

  it('shows what a model wrote as text, cut, with codes for what cannot be seen', () => {
    assert.equal(liveLine({ callback: 'onEndMessage', completeContent: 'a\u202eb\n<b>' })?.text, 'aU+202Eb\n<b>');
    assert.ok((liveLine({ callback: 'onEndMessage', completeContent: 'x'.repeat(9000) })?.text.length ?? 0) < 4010);
    assert.equal(liveLine({ callback: 'onEndMessage', completeContent: null })?.text, '');
  });
});
