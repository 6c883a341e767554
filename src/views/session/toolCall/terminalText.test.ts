import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TerminalCore } from '../../../ahp/common/terminal.ts';
import { addedText, terminalText, withoutBeginning } from './terminalText.ts';
import { runs } from '../../../../test/support/runs.ts';

type Part = TerminalCore['content'][number];
const plain = (value: string): Part => ({ type: 'unclassified', value });
const command = (output: string): Part => ({ type: 'command', commandId: 'c', commandLine: 'c', output, timestamp: 0, isComplete: true });
const SHOWN = 1_000_000;

describe('terminalText', () => {
  it('is the whole output, or its end', () => {
    assert.deepEqual(terminalText({ content: [plain('a'), command('b'), { type: 'later' } as never] }), { text: 'ab', end: 2 });
    const long = terminalText({ content: [plain('x'.repeat(SHOWN)), command('y'.repeat(10)), plain('z')] });
    assert.deepEqual([long.text.length, long.text.slice(-12), long.end], [SHOWN, 'xyyyyyyyyyyz', SHOWN + 11]);
    assert.equal(terminalText({ content: [command('y'.repeat(20 * SHOWN))] }).text.length, SHOWN);
  });

  it('grows by what was added, also when its beginning leaves, and is drawn anew otherwise', () => {
    const chunk = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('x'.repeat(SHOWN - 2), 'y'.repeat(SHOWN + 1)));
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 3 }), fc.array(chunk, { maxLength: 3 }), (first, more) => {
        const before = terminalText({ content: first.map(plain) });
        const now = terminalText({ content: [...first, ...more].map(plain) });
        const added = addedText(before, now);
        if (added === undefined) assert.ok(more.join('').length > now.text.length);
        else assert.ok(added === more.join('') && (before.text + added).endsWith(now.text));
      }),
      { numRuns: runs(50) },
    );
    assert.equal(addedText({ text: 'ab', end: 2 }, { text: 'cb', end: 2 }), undefined);
    assert.equal(addedText({ text: 'ab', end: 2 }, { text: '', end: 0 }), undefined);
  });

  it('gives a page only what is shown, of whatever a host has sent', () => {
    const short = { content: [plain('a')] };
    assert.equal(withoutBeginning(short), short);
    const { content } = withoutBeginning({ title: 't', content: [plain('gone'), command('y'.repeat(SHOWN)), plain('z')] }) as TerminalCore;
    assert.deepEqual(content, [command('y'.repeat(SHOWN - 1)), plain('z')]);
    for (const odd of [{}, { content: 7 }, { content: [null] }]) assert.equal(withoutBeginning(odd), odd);
    const odd = { content: [{ type: 'command', output: 7 }, { type: 'unclassified' }] };
    assert.equal(withoutBeginning(odd), odd);
  });
});
