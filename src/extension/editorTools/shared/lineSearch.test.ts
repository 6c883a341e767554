import assert from 'node:assert/strict';
import { slowPattern, slowText } from '../../../../test/fakes/slowPattern.ts';
import { lineSearch } from './lineSearch.ts';

const text = 'First line\r\nsecond (line)\n\nlast LINE';
const find = (query: string, options: { isRegex?: boolean; matchCase?: boolean } = {}, limit = 10) =>
  lineSearch({ query, isRegex: false, matchCase: false, ...options })(text, limit)?.map(({ line, column }) => `${line}:${column}`);

describe('The search in lines', () => {
  it('finds each line once, by its plain text', () => {
    assert.deepEqual(find('line'), ['1:7', '2:9', '4:6']);
    assert.deepEqual(find('line', { matchCase: true }), ['1:7', '2:9']);
    assert.deepEqual(find('(line)'), ['2:8']);
    assert.deepEqual(find('line', {}, 2), ['1:7', '2:9']);
    assert.deepEqual(find('$'), []);
  });

  it('takes regular expressions, and none that takes forever', () => {
    assert.deepEqual(find('^\\w+ L', { isRegex: true, matchCase: true }), ['4:1']);
    assert.throws(() => find('(', { isRegex: true }), /not a regular expression/);
    assert.throws(() => find('(?=a)', { isRegex: true }), /not a regular expression/);
    const search = lineSearch({ query: '(a+)+$', isRegex: true, matchCase: true });
    assert.deepEqual(search(`${'a'.repeat(5_000)}!`, 1), []);
  });

  it('measures an expression before it is compiled, and stops one that takes long in a text', () => {
    assert.throws(() => find('(((a{1000}){1000}){1000}){1000}', { isRegex: true }), /too large/);
    const search = lineSearch({ query: slowPattern, isRegex: true, matchCase: true });
    assert.equal(search(slowText.repeat(5), 1), undefined);
    assert.equal(search(`a${'b'.repeat(200)}c`, 1)?.length, 1);
  });

  it('shows the part of a long line that matches', () => {
    const search = lineSearch({ query: 'needle', isRegex: false, matchCase: true });
    const [match] = search(`${'x'.repeat(1000)}needle${'y'.repeat(1000)}`, 1) ?? [];
    assert.match(match?.text ?? '', /^…x+needley+…$/);
    assert.ok((match?.text.length ?? 0) < 310);
  });
});
