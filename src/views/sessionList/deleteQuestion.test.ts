import assert from 'node:assert/strict';
import { deleteQuestion } from './deleteQuestion.ts';

describe('the question before a delete', () => {
  it('names the one session', () => {
    const { question, detail } = deleteQuestion(['Fix it']);
    assert.equal(question, 'Delete the session “Fix it”?');
    assert.match(detail, /^The agent host is asked/);
  });

  it('says how many there are and which', () => {
    const { question, detail } = deleteQuestion(['Fix it', 'Docs']);
    assert.equal(question, 'Delete 2 sessions?');
    assert.match(detail, /^“Fix it”\n“Docs”\n\n/);
  });

  it('counts those that have no room', () => {
    const { question, detail } = deleteQuestion(Array.from({ length: 12 }, (_, index) => `s${index}`));
    assert.equal(question, 'Delete 12 sessions?');
    assert.match(detail, /“s9”\nand 2 others\n\n/);
    assert.doesNotMatch(detail, /“s10”/);
  });
});
