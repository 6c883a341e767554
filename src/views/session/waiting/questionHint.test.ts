import assert from 'node:assert/strict';
import type { InputQuestion } from '../../../ahp/common/inputRequest.ts';
import { questionHint } from './questionHint.ts';

describe('the hint of a question', () => {
  const hint = (question: object) => questionHint({ id: 'q', message: '', ...question } as InputQuestion);

  it('says what an answer has to be like', () => {
    assert.equal(hint({ kind: 'text', min: 2, max: 8 }), '2 to 8 characters');
    assert.equal(hint({ kind: 'text', max: 1 }), 'At most 1 character');
    assert.equal(hint({ kind: 'text', format: 'email', max: 20 }), 'An email address, at most 20 characters');
    assert.equal(hint({ kind: 'integer', min: 1 }), 'A whole number, at least 1');
    assert.equal(hint({ kind: 'number', min: 0, max: 1 }), '0 to 1');
    assert.equal(hint({ kind: 'multi-select', options: [], min: 2, max: 2 }), 'Choose 2');
    assert.equal(hint({ kind: 'multi-select', options: [], max: 3 }), 'Choose at most 3');
  });

  it('says nothing where any answer will do, or the kind or format is not known', () => {
    for (const kind of ['text', 'number', 'boolean', 'single-select', 'multi-select', 'hologram']) assert.equal(hint({ kind }), undefined);
    assert.equal(hint({ kind: 'text', min: 1 }), undefined);
    assert.equal(hint({ kind: 'text', format: 'haiku' }), undefined);
    assert.equal(hint({ kind: 'text', format: 'toString' }), undefined);
  });
});
