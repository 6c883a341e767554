import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_PROMPT_LENGTH, PromptExpander, PromptFault } from './promptExpander.ts';
import { isRuntimeVariable, runtimeVariables, variablesIn } from './variables.ts';
import { runs } from '../../../test/support/runs.ts';

const expand = (prompt: string[], variables: Record<string, string[]> = {}) => new PromptExpander(variables).expand(prompt);
const faultOf = (prompt: string[], variables: Record<string, string[]> = {}): string => {
  try {
    return `no fault: ${expand(prompt, variables)}`;
  } catch (error) {
    assert.ok(error instanceof PromptFault);
    return error.message;
  }
};

describe('a prompt', () => {
  it('is its lines, with variables put in, recursively', () => {
    assert.equal(expand(['a', '', 'b']), 'a\n\nb');
    assert.equal(expand(['x $a-b.', '$c'], { 'a-b': ['1', '$c'], c: ['2'] }), 'x 1\n2.\n2');
  });

  it('has variables of letters and hyphens, read greedily', () => {
    assert.deepEqual(variablesIn('$a $b-c $d- $e-1 $-f $1 $$g $Ü-ß $h_i $j$k $l-m-n.'), [
      'a',
      'b-c',
      'd',
      'e',
      'g',
      'Ü-ß',
      'h',
      'j',
      'k',
      'l-m-n',
    ]);
    assert.equal(expand(['$a-', '$a-1', '$1', '$', '$a-b'], { a: ['A'], 'a-b': ['B'] }), 'A-\nA-1\n$1\n$\nB');
    assert.equal(faultOf(['$a-c'], { a: ['A'] }), '$a-c is neither a prompt variable nor a runtime variable');
  });

  it('keeps runtime variables', () => {
    const text = runtimeVariables.map((name) => `$${name}`).join(' ');
    assert.equal(expand(['$all'], { all: [text] }), text);
  });

  it('does not read what it put in as a pattern', () => {
    assert.equal(expand(['a $x b'], { x: ["$& $1 $` $'"] }), "a $& $1 $` $' b");
  });

  it('may name the same variable twice', () => {
    assert.equal(expand(['$a$b$b'], { a: ['<$b>'], b: ['!'] }), '<!>!!');
  });

  it('is refused with the names of a circle', () => {
    assert.equal(faultOf(['$a'], { a: ['$a'] }), 'variables refer to each other in a circle: $a → $a');
    const circle = { start: ['$a'], a: ['x $b'], b: ['$c y'], c: ['$a'] };
    assert.equal(faultOf(['$start'], circle), 'variables refer to each other in a circle: $a → $b → $c → $a');
  });

  it('is refused with an unknown name, and knows own keys only', () => {
    assert.equal(faultOf(['$a'], { a: ['$b'], b: ['$c'] }), '$c is neither a prompt variable nor a runtime variable (in $a → $b)');
    for (const name of ['constructor', 'toString', 'hasOwnProperty'])
      assert.equal(faultOf([`$${name}`]), `$${name} is neither a prompt variable nor a runtime variable`);
    assert.equal(expand(['$constructor'], { constructor: ['own'] } as Record<string, string[]>), 'own');
  });

  it('is refused when it is empty', () => {
    for (const prompt of [[], [''], [' ', '\t']]) assert.equal(faultOf(prompt), 'the prompt is empty');
    assert.equal(faultOf(['$a'], { a: [''] }), 'the prompt is empty');
    assert.equal(faultOf(['x $a'], { a: [] }), '$a is empty');
  });

  it('is refused when variables join to another one', () => {
    assert.equal(faultOf(['$$d'], { d: ['user-input'] }), 'substituting variables makes a new variable, $user-input');
    assert.equal(faultOf(['$v$w'], { v: ['$user-input'], w: ['s'] }), 'substituting variables makes a new variable, $user-inputs');
    assert.equal(faultOf(['$v$w'], { v: ['$'], w: ['nope'] }), 'substituting variables makes a new variable, $nope');
  });

  it('is bounded, however its variables grow', () => {
    const doubling = (last: string) =>
      Object.fromEntries(names.map((name, at) => [name, at === 0 ? [last] : [`$${names[at - 1]}$${names[at - 1]}`]]));
    const names = Array.from({ length: 40 }, (_, at) => `v${String.fromCharCode(97 + (at % 26)).repeat(1 + Math.floor(at / 26))}`);
    assert.match(
      faultOf([`$${names.at(-1)}`], doubling('x')),
      new RegExp(`longer than ${MAX_PROMPT_LENGTH.toLocaleString('en')} characters`),
    );
    // Forty doublings of nothing are nothing, and must not take 2^40 steps.
    assert.equal(expand([`x$${names.at(-1)}`], doubling('')), 'x');
  });

  it('once expanded stays the same, or was refused', () => {
    const piece = fc.oneof(
      fc.constantFrom('$', '-', 'a', 'b', '$a', '$b', '$c', '$user-input', 'user-input', ' ', '1', '\n'),
      fc.string({ maxLength: 3 }),
    );
    const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
    const value = fc.array(text, { minLength: 1, maxLength: 2 });
    let expanded = 0;
    fc.assert(
      fc.property(value, fc.record({ a: value, b: value, c: value }, { requiredKeys: [] }), (prompt, variables) => {
        let once;
        try {
          once = expand(prompt, variables);
        } catch (error) {
          assert.ok(error instanceof PromptFault);
          return;
        }
        expanded++;
        assert.ok(variablesIn(once).every(isRuntimeVariable));
        assert.equal(expand([once], variables), once);
        assert.equal(expand([once]), once);
      }),
      { numRuns: runs(5000) },
    );
    assert.ok(expanded > runs(5000) / 10, `${expanded} were good`);
  });
});
