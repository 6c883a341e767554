import assert from 'node:assert/strict';
import { usableEndpoints } from './endpointChecks.ts';

describe('the models of a list that somebody has written', () => {
  const good = { id: 'a', name: 'A', baseUrl: 'http://127.0.0.1:1/v1' };

  it('are used without those that are wrong, each of which is said', () => {
    const { endpoints, problems } = usableEndpoints([
      { ...good, baseUrl: 'ftp://x' },
      good,
      { ...good, id: 'b', model: 'a', baseUrl: 'https://b/v1/' },
      { ...good, name: 'Double' },
      { ...good, id: 'c', apiKey: 'secret-key' },
      { name: '', id: 'd' },
      null,
    ]);
    assert.deepEqual(
      endpoints.map(({ id, model, baseUrl }) => [id, model, baseUrl]),
      [
        ['a', undefined, 'http://127.0.0.1:1/v1'],
        ['b', 'a', 'https://b/v1'],
      ],
    );
    assert.equal(problems.length, 5);
    for (const [index, said] of [/“A”: baseUrl/, /“Double”: another model has the id/, /“A”: apiKey/, /model 6: /, /model 7 /].entries())
      assert.match(problems[index] ?? '', said);
    assert.ok(!problems.join().includes('secret-key'));
    assert.deepEqual(usableEndpoints('none'), { endpoints: [], problems: [] });
  });
});
