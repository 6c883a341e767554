import assert from 'node:assert/strict';
import type { UserQuestion } from '../../tap/wire/userQuestion.ts';
import { type OpenQuestion, ToolQuestions } from './toolQuestions.ts';

describe('the questions that wait in a window', () => {
  const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
  const asked = (question: UserQuestion = form) => ({ tool: 't', provider: 'p', session: 's', question });
  let questions: ToolQuestions;
  let over: AbortController;
  beforeEach(() => {
    questions = new ToolQuestions();
    over = new AbortController();
  });

  /** A question that is open, with what its answer will be. */
  async function open(question?: UserQuestion) {
    const told = new Promise<OpenQuestion>((resolve) => questions.onDidAsk(resolve));
    const answer = questions.ask(asked(question), over.signal);
    return { question: await told, answer };
  }

  it('are told of, and go with their answer', async () => {
    const told: number[] = [];
    questions.onDidChange(() => told.push(questions.open.length));
    const { question, answer } = await open();
    assert.deepEqual(questions.open, [question]);
    assert.ok(question.answer({ action: 'accept', content: { name: 'Ada' } }));
    assert.deepEqual(await answer, { action: 'accept', content: { name: 'Ada' } });
    assert.deepEqual([told, question.over.aborted], [[1, 0], true]);
    assert.ok(!question.answer({ action: 'decline' }), 'a second answer is too late');
  });

  it('go when nobody waits for an answer, and a later one is too late', async () => {
    const { question, answer } = await open();
    over.abort();
    assert.deepEqual([await answer, questions.open, question.over.aborted], [{ action: 'cancel' }, [], true]);
    assert.equal(question.answer({ action: 'accept', content: {} }), false);
    assert.deepEqual(await questions.ask(asked(), over.signal), { action: 'decline' });
  });

  it('are ten at most; one more is declined, until one was answered', async () => {
    for (let count = 0; count < 10; count++) await open();
    assert.deepEqual(await questions.ask(asked(), over.signal), { action: 'decline' });
    questions.open[0]?.answer({ action: 'decline' });
    await open();
    assert.equal(questions.open.length, 10);
  });

  it('are declined where they cannot be shown: another scheme than http, a form with more than simple fields', async () => {
    for (const question of [
      { message: 'Open', url: 'vscode://settings' },
      { message: 'Open', url: 'no address' },
      { message: 'Fill in', requestedSchema: { type: 'object', properties: { f: { type: 'object' } } } },
    ])
      assert.deepEqual(await questions.ask(asked(question), over.signal), { action: 'decline' });
    await open({ message: 'Open', url: 'https://example.com' });
    assert.equal(questions.open.length, 1);
  });
});
