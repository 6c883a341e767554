import assert from 'node:assert/strict';
import { codeParts, goOn, linesOfParts } from './codeParts.ts';
import { runsOf } from './grammars.ts';
import { languageOfFile } from './languageOf.ts';

const partsOf = (code: string, language: string) => codeParts(code, runsOf({ code, language }) ?? []);

describe('The parts of code', () => {
  it('are those of its language, and joined they are the code', () => {
    const code = 'const a: string = `x${1}`; // hi\n<b>&amp;';
    const parts = partsOf(code, 'ts') ?? [];
    assert.equal(parts.map(({ text }) => text).join(''), code);
    assert.deepEqual(parts[0], { text: 'const', kind: 'keyword' });
    assert.deepEqual(
      parts.find(({ kind }) => kind === 'comment'),
      { text: '// hi', kind: 'comment' },
    );
  });

  it('are those of the language inside another', () => {
    const parts = partsOf('<script> let x = "a"</script>', 'html') ?? [];
    assert.deepEqual(
      parts.filter(({ text }) => text === 'let' || text === '"a"'),
      [
        { text: 'let', kind: 'keyword' },
        { text: '"a"', kind: 'string' },
      ],
    );
  });

  it('are none in a language that is not known, also where it is called like a member of every object', () => {
    for (const language of ['brainless', 'constructor', '__proto__', 'toString']) assert.equal(runsOf({ code: 'x', language }), undefined);
  });

  it('are none when they would not be the code', () => {
    assert.equal(codeParts('abc', [2, 0]), undefined);
    assert.equal(codeParts('abc', [4, 0]), undefined);
    assert.deepEqual(codeParts('abc', [3, 0]), [{ text: 'abc' }]);
  });

  it('never cut a character in two', () => {
    assert.deepEqual(codeParts('😀b', [1, 1, 2, 0]), [{ text: '😀', kind: 'comment' }, { text: 'b' }]);
    assert.deepEqual(codeParts('a😀', [1, 1, 1, 2, 1, 0]), [
      { text: 'a', kind: 'comment' },
      { text: '😀', kind: 'keyword' },
    ]);
  });

  it('know whether their line goes on after them', () => {
    const parts = [{ text: 'a ' }, { text: ' ' }, { text: 'b ' }, { text: ' \n' }, { text: 'c ' }];
    assert.deepEqual(goOn(parts), [true, true, false, true, false]);
  });

  it('are cut at the ends of lines', () => {
    assert.deepEqual(linesOfParts([{ text: '/* a\nb */', kind: 'comment' }, { text: '\n' }]), [
      [{ text: '/* a', kind: 'comment' }],
      [{ text: 'b */', kind: 'comment' }],
      [],
    ]);
  });

  it('of a file are read by the ending of its name', () => {
    assert.equal(languageOfFile('file:///a/b.TSX'), 'tsx');
    assert.equal(languageOfFile('file:///a/Dockerfile'), 'dockerfile');
    assert.equal(languageOfFile('file:///a/run.ps1'), 'powershell');
    assert.equal(languageOfFile('file:///a.b/LICENSE'), '');
  });
});
