import assert from 'node:assert/strict';
import { earlierTokenNodes, letInQuestion, notLetIn } from './earlierTokenNodes.ts';

describe('Programs with the token of an earlier gateway', () => {
  const rows = (...names: string[][]) =>
    earlierTokenNodes({ earlierTokens: names.map((some, at) => ({ id: `earlier-${at}`, names: some })) });
  const texts = (nodes: ReturnType<typeof rows>) => nodes.map(({ label, description }) => `${label} | ${description ?? ''}`);

  it('are no row where there are none, or the gateway is older', () => {
    assert.deepEqual([rows(), earlierTokenNodes({})], [[], []]);
  });

  it('are one row with what can be done, and rows of their own where there are several', () => {
    const [one] = rows(['python']);
    assert.deepEqual(texts([one!]), ['1 program has the token of an earlier gateway | python · Let it in…']);
    assert.deepEqual(
      [one?.action, one?.subject],
      ['letProviderIn', { kind: 'earlierToken', token: { id: 'earlier-0', names: ['python'] } }],
    );
    assert.deepEqual(texts(rows([])), ['1 program has the token of an earlier gateway | A program · Let it in…']);
    const [several] = rows(['python', 'ci'], []);
    assert.deepEqual(texts([several!]), ['2 programs have the token of an earlier gateway | ']);
    assert.deepEqual(texts([...several!.children!]), ['python or ci | Let it in…', 'A program | Let it in…']);
    assert.deepEqual([several?.action, several?.children?.[1]?.action], [undefined, 'letProviderIn']);
  });

  it('are let in by a question that says for how long, who else it could be, and what to do otherwise', () => {
    const { title, detail } = letInQuestion('py” in\u202e');
    assert.equal(title, 'Let “py\\u{201d} in” in with the token of an earlier gateway?');
    for (const said of [/until the gateway ends/, /can give the same name/, /start your program again in a new terminal/])
      assert.match(detail, said);
    assert.match(letInQuestion(undefined).detail, /the first program that shows this token/);
  });

  it('says why a program was not let in', () => {
    assert.match(notLetIn('py\u202e', true), /^“py” was not let in: .* five names already\. .*new terminal/);
    assert.match(notLetIn('py', undefined), /^No program .* waits any more\.$/);
  });
});
