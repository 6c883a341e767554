import assert from 'node:assert/strict';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { Row, TurnView } from '../transcript/transcript.ts';
import { findInTurns, type Found, nextPlace, placeOfHit, placeText } from './findInTurns.ts';
import { foldedText } from './foldedText.ts';

const turn = (id: string, prompt: string, ...rows: Row[]): TurnView => ({
  id,
  message: { text: prompt, origin: { kind: 'user' } },
  rows,
  state: 'complete',
});
const said = (text: string, key = 'm'): Row => ({ kind: 'markdown', key, text });
const called = (fields: Partial<ToolCallState>): Row => ({
  kind: 'toolCall',
  key: 'c',
  call: {
    status: 'completed',
    toolCallId: 'c',
    toolName: 'bash',
    displayName: 'Bash',
    confirmed: 'not-needed',
    success: true,
    invocationMessage: 'Run tests',
    pastTenseMessage: 'Ran tests',
    ...fields,
  } as ToolCallState,
});

function find(turns: readonly TurnView[], query: string): Found & { slices: number } {
  const steps = findInTurns(turns, query);
  for (let slices = 1; ; slices++) {
    const step = steps.next();
    if (step.done) return { ...step.value, slices };
  }
}
const places = (turns: readonly TurnView[], query: string) => find(turns, query).hits.map(({ turn, key, nth }) => `${turn} ${key} ${nth}`);

describe('Finding in a conversation', () => {
  it('finds prompts, answers, and the titles and commands of calls, from old to new and in any case', () => {
    const turns = [
      turn('a', 'Run the TESTS', called({ toolInput: 'npm run tests', _meta: { toolKind: 'terminal' } })),
      turn('b', 'And?', said('Two tests, **te**sts: `tests`.')),
    ];
    assert.deepEqual(places(turns, 'tests'), ['0 prompt 0', '0 c 0', '0 c 1', '1 m 0', '1 m 1', '1 m 2']);
    assert.deepEqual(places(turns, 'npm'), ['0 c 0']);
    assert.deepEqual(places(turns, 'deploy'), []);
    assert.deepEqual(places(turns, ''), []);
  });

  it('reads Markdown as it is shown: without its marks, and not across paragraphs', () => {
    const text = '# Head\n\nline one\nline [two](https://a.example/hidden)\n\n- item\n\n```ts\nconst  a;\n```\n';
    const turns = [turn('a', '', said(text))];
    for (const query of ['head', 'one line two', 'item', 'const  a;']) assert.equal(places(turns, query).length, 1, query);
    for (const query of ['#', 'hidden', 'head line', '```', '[two']) assert.deepEqual(places(turns, query), [], query);
  });

  it('finds a command once where the title of its call has it already', () => {
    const call = called({ pastTenseMessage: { markdown: 'Ran `npm test`' }, toolInput: 'npm test', _meta: { toolKind: 'terminal' } });
    assert.deepEqual(places([turn('a', '', call)], 'npm'), ['0 c 0']);
  });

  it('keeps places where a letter changes its length with its case', () => {
    assert.equal(foldedText('İ\tTest').length, 6);
    assert.deepEqual(places([turn('a', 'İİ Test\nmore')], 'test more'), ['0 prompt 0']);
  });

  it('looks at one row at a time, also where a turn has many long ones', () => {
    const rows = Array.from({ length: 20 }, (_, at) => said(`row ${at}\n\n`.repeat(500), `m${at}`));
    assert.ok(find([turn('a', 'x', ...rows)], 'zzz').slices > 20);
  });

  it('looks at a long conversation in slices, and ends where there is too much', () => {
    const long = Array.from({ length: 40 }, (_, at) => turn(`${at}`, 'a '.repeat(5_000)));
    assert.ok(find(long, 'zzz').slices >= 4);
    const { hits, isCut } = find(long, 'a');
    assert.deepEqual([hits.length, isCut], [5_000, true]);
    assert.equal(placeText({ hits, isCut }, 2), '3 of 5,000+');
  });

  it('costs no more than its length for what a parser takes long for', () => {
    for (const text of ['['.repeat(90_000), `${'['.repeat(4_990)}\n\n`.repeat(9)])
      assert.deepEqual(places([turn('a', '', said(text))], '('), []);
    const links = '[one](https://a.example) '.repeat(100);
    assert.equal(find([turn('a', '', said(links))], 'one one').hits.length, 50);
  });

  it('stays at the same hit while turns come before it, or goes to the next one', () => {
    const b = turn('b', 'x x');
    const { hits } = find([b], 'x');
    const older = find([turn('a', 'x'), b], 'x').hits;
    assert.equal(placeOfHit(older, hits[1]!), 2);
    assert.equal(placeOfHit(older, { turn: 1 }), 1);
    assert.equal(placeOfHit(older, { turn: 9 }), 0);
    assert.equal(placeOfHit([], { turn: 0 }), -1);
  });

  it('goes around the ends', () => {
    assert.deepEqual([nextPlace(3, 2, 1), nextPlace(3, 0, -1), nextPlace(0, -1, 1)], [0, 2, -1]);
    assert.equal(placeText({ hits: [], isCut: false }, -1), 'No results');
  });
});
