import assert from 'node:assert/strict';
import { CONSENT_MEANS, consentQuestion } from './consentWords.ts';

describe('the question for consent', () => {
  it('names the provider, what it wants and where', () => {
    assert.equal(
      consentQuestion('ci', ['hooks', 'context'], ['Fix the build', 'Other']),
      'The program “ci” wants to see and deny tool calls (hooks) and add to what models read (context) in “Fix the build” and 1 more.',
    );
    assert.equal(consentQuestion('ci', ['constructor'], []), 'The program “ci” wants to constructor.');
    assert.equal(consentQuestion('ci', [], []), 'The program “ci” wants to use hooks and context.');
  });

  it('cannot be rewritten by a name', () => {
    assert.equal(
      consentQuestion('ci” wants nothing. The program “x\u200b', ['hooks'], []),
      'The program “ci\\u{201d} wants nothing. The program \\u{201c}x\\u{200b}” wants to see and deny tool calls (hooks).',
    );
  });

  it('stays short enough for a notification, whatever strangers are called', () => {
    const long = 'x\n'.repeat(5_000);
    const question = consentQuestion(long, [long, 'hooks'], [long, long]);
    assert.ok(question.length + CONSENT_MEANS.length < 800, String(question.length));
    assert.doesNotMatch(question, /\n/);
  });
});
