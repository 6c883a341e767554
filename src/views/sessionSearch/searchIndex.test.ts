import assert from 'node:assert/strict';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import { sayingsOf, MAX_SAYING, type Saying } from './sayings.ts';
import { SearchIndex, searchWords } from './searchIndex.ts';

const saying = (text: string, turnId = 't'): Saying => ({ chat: 'c', turnId, by: 'agent', text });
const words = (query: string) => searchWords(query) as string;

describe('searchWords', () => {
  it('ignores case and line breaks, and takes every character literally', () => {
    assert.equal(searchWords(' Two \n  WORDS.* '), 'two words.*');
  });

  it('is nothing for nothing, and bounded for very much', () => {
    assert.equal(searchWords('  \n '), undefined);
    assert.ok((searchWords('x'.repeat(1_000_000)) ?? '').length < 1_000);
  });
});

describe('SearchIndex', () => {
  it('finds what was said last, with the words around it', () => {
    const index = new SearchIndex();
    index.set('s', '1', [saying(`${'x'.repeat(100)} the needle ${'y'.repeat(500)}`, 'new'), saying('needle', 'old')]);
    const found = index.find('s', words('NEEDLE'));
    assert.equal(found?.saying.turnId, 'new');
    assert.match(found?.line ?? '', /^…x{25} the needle y+…$/);
    assert.ok((found?.line.length ?? 0) < 200);
    assert.equal(index.find('s', words('absent')), undefined);
    assert.equal(index.find('other', words('needle')), undefined);
  });

  it('knows a session as of one change of it, and forgets those that are gone', () => {
    const index = new SearchIndex();
    index.set('s', '1', [saying('one')]);
    assert.ok(index.has('s', '1'));
    assert.ok(!index.has('s', '2'));
    index.set('s', '2', [saying('two')]);
    assert.equal(index.find('s', words('one')), undefined);
    index.keep(new Set(['t']));
    assert.ok(!index.has('s', '2'));
  });

  it('is bounded for one session and for all, and has room again when one is gone', () => {
    const index = new SearchIndex({ session: 10, all: 15 });
    index.set('a', '1', [saying('12345'), saying('67890'), saying('later')]);
    assert.ok(index.find('a', words('67890')));
    assert.equal(index.find('a', words('later')), undefined);
    index.set('b', '1', [saying('abcde')]);
    assert.ok(index.isFull);
    index.set('c', '1', [saying('lost')]);
    assert.equal(index.find('c', words('lost')), undefined);
    index.delete('a');
    assert.ok(!index.isFull);
    index.set('c', '2', [saying('kept')]);
    assert.ok(index.find('c', words('kept')));
  });
});

describe('sayingsOf', () => {
  const turn = (id: string, text: string, ...responseParts: object[]) => ({
    ...{ id, message: { text, origin: { kind: 'user' } }, responseParts, state: 'complete' },
  });
  const chat = (...turns: object[]) => ({ resource: 'chat:/1', turns }) as unknown as ChatState;

  it('has the words of the user and the answers, the newest turn first, without reasoning and calls', () => {
    const state = chat(
      turn('1', 'First\n\n question', { kind: 'markdown', id: 'm', content: 'An\t**answer** of `code`' }),
      turn('2', 'Second', { kind: 'reasoning', id: 'r', content: 'hidden' }, { kind: 'toolCall', toolCall: { toolInput: 'hidden' } }),
    );
    const said = [...sayingsOf(state)].map(({ turnId, by, text }) => [turnId, by, text]);
    assert.deepEqual(said, [
      ['2', 'you', 'Second'],
      ['1', 'you', 'First question'],
      ['1', 'agent', 'An answer of code'],
    ]);
  });

  it('cuts long texts', () => {
    const [first] = sayingsOf(chat(turn('1', 'x'.repeat(1_000_000))));
    assert.equal(first?.text.length, MAX_SAYING);
  });
});
