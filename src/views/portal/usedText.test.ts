import assert from 'node:assert/strict';
import { usedText } from './usedText.ts';

const nothing = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, ms: 0 };

describe('what was used, in words', () => {
  it('names what there is', () => {
    const all = { modelCalls: 12, toolCalls: 1, inputTokens: 33_000, outputTokens: 1_000, ms: 180_000 };
    assert.equal(usedText(all), '12 model calls · 1 tool call · 34,000 tokens · 3 min of work');
    assert.equal(usedText({ ...nothing, modelCalls: 1 }), '1 model call');
  });

  it('is nothing where nothing is known', () => assert.deepEqual([usedText(undefined), usedText(nothing)], [undefined, undefined]));
});
