import assert from 'node:assert/strict';
import type { Answer } from '../projectProviders/consentAnswers.ts';
import { AgentConsent } from './agentConsent.ts';

describe('the user’s word about agents that ask a context provider', () => {
  const kept = new Map<string, unknown>();
  const storage = { get: (key: string) => kept.get(key), update: async (key: string, value: unknown) => void kept.set(key, value) };
  const issues = { digest: 'd1', uri: './issues.mjs' };
  let questions: { uri: string; answer(given: Answer | undefined): void }[];
  const consent = (waitMs = 10_000) =>
    new AgentConsent(storage, ({ uri }) => new Promise((answer) => questions.push({ uri, answer })), waitMs);
  beforeEach(() => {
    kept.clear();
    questions = [];
  });

  it('is asked for once, by all calls together, and kept', async () => {
    const one = consent();
    const calls = [one.mayAsk(issues), one.mayAsk(issues)];
    assert.deepEqual(
      questions.map(({ uri }) => uri),
      ['./issues.mjs'],
    );
    questions[0]?.answer('run');
    assert.deepEqual(await Promise.all(calls), [true, true]);
    assert.equal(await consent().mayAsk(issues), true);
    assert.equal(questions.length, 1);
  });

  it('is no word when it is left open, and is asked for again', async () => {
    const one = consent();
    const first = one.mayAsk(issues);
    questions[0]?.answer(undefined);
    assert.equal(await first, undefined);
    const second = one.mayAsk(issues);
    questions[1]?.answer('never');
    assert.equal(await second, false);
    assert.equal(await one.mayAsk(issues), false);
    assert.equal(questions.length, 2);
  });

  it('counts for the next call when it comes late', async () => {
    const one = consent(1);
    assert.equal(await one.mayAsk(issues), undefined);
    questions[0]?.answer('run');
    await new Promise(setImmediate);
    assert.equal(await one.mayAsk(issues), true);
    assert.equal(questions.length, 1);
  });

  it('is asked for again when the provider has changed, and when it was taken back', async () => {
    const one = consent();
    await one.set(issues, 'run');
    void one.mayAsk({ ...issues, digest: 'd2' });
    assert.equal(questions.length, 1);
    await one.set(issues, undefined);
    assert.equal(one.of(issues), undefined);
    void one.mayAsk(issues);
    assert.equal(questions.length, 2);
  });
});
