import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { request } from './pageRequests.ts';

describe('a request that nobody answers', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('says who did not answer, and not always that it was the host', async () => {
    const nothing = () => undefined;
    const told = (asked: Promise<unknown>) => asked.then(String, String);
    const read = told(request(nothing, 'readPrompt', { path: 'a.md' }));
    const watched = told(request(nothing, 'emitters', { deed: 'list' }));
    const mentioned = told(request(nothing, 'findMentions', { query: '' }));
    mock.timers.tick(45_000);
    assert.deepEqual(await Promise.all([read, watched, mentioned]), [
      'Error: The host did not answer within 30 seconds.',
      'Error: The gateway did not answer within 45 seconds.',
      'Error: The context provider did not answer within 30 seconds.',
    ]);
  });
});
