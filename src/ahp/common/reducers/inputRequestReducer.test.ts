import assert from 'node:assert/strict';
import { deepFreeze } from '../../../../test/support/deepFreeze.ts';
import type { InputAnswer, InputRequest } from '../inputRequest.ts';
import { answeredRequest, renewedRequest } from './inputRequestReducer.ts';

const answer: InputAnswer = { state: 'draft', value: { kind: 'text', value: 'x' } };
const request: InputRequest = deepFreeze({ id: 'r', message: 'Which?' });
const answered: InputRequest = deepFreeze({ ...request, answers: { q: answer } });

describe('input requests', () => {
  it('keep earlier answers when they are requested again without any', () => {
    assert.deepEqual(renewedRequest(answered, { id: 'r', message: 'Again?' }), { id: 'r', message: 'Again?', answers: { q: answer } });
    assert.deepEqual(renewedRequest(answered, { id: 'r', answers: {} }), { id: 'r', answers: {} });
    assert.equal(renewedRequest(request, answered), answered);
  });

  it('have answers set and cleared one by one', () => {
    assert.deepEqual(answeredRequest(request, 'q', answer), answered);
    const two = answeredRequest(answered, 'p', answer);
    assert.deepEqual(two.answers, { q: answer, p: answer });
    assert.deepEqual(answeredRequest(two, 'p', undefined), answered);
    assert.deepEqual(answeredRequest(answered, 'q', undefined), request);
  });

  it('have nothing to clear where there is no answer, by whatever name', () => {
    for (const id of ['p', '__proto__', 'constructor']) assert.equal(answeredRequest(answered, id, undefined), answered);
  });

  it('keep an answer to a question that is named like a prototype', () => {
    const next = answeredRequest(answered, '__proto__', answer);
    assert.deepEqual(Object.keys(next.answers ?? {}), ['q', '__proto__']);
    assert.deepEqual(answeredRequest(next, '__proto__', undefined), answered);
  });
});
