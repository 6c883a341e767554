import assert from 'node:assert/strict';
import { OutputParser, type OutputPiece } from './outputParser.ts';

const NONCE = 'n0nce';
const mark = (letter: string, payload?: string) => `\x1b]633;${letter};${NONCE}${payload === undefined ? '' : `;${payload}`}\x07`;

/** The pieces of a stream that comes in the given chunks; neighbouring data is joined, because where it is cut means nothing. */
function parse(chunks: string[], nonce: string | undefined = NONCE): OutputPiece[] {
  const parser = new OutputParser(nonce);
  const joined: OutputPiece[] = [];
  for (const piece of [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]) {
    const last = joined.at(-1);
    if (piece.kind === 'data' && last?.kind === 'data') last.text += piece.text;
    else joined.push({ ...piece });
  }
  return joined;
}

describe('OutputParser', () => {
  const stream =
    `${mark('A')}\x1b[32mprompt\x1b[0m ${mark('B')}ls ü😀\r\n${mark('C', 'ls \\x1b\\\\x')}out\x1b]0;title\x07put` +
    `\x1b]7;file:///tmp/a\x1b\\\x1b\x1b]633;A;forged\x07${mark('D', '12')}${mark('P', '/tmp/a;b')}\x1b]8;;http://x\x07link\x1b]8;;\x07\x1b`;
  const expected: OutputPiece[] = [
    { kind: 'ready' },
    { kind: 'data', text: '\x1b[32mprompt\x1b[0m ' },
    { kind: 'promptEnd' },
    { kind: 'data', text: 'ls ü😀\r\n' },
    { kind: 'executed', commandLine: 'ls \x1b\\x' },
    { kind: 'data', text: 'out\x1b]0;title\x07' },
    { kind: 'title', title: 'title' },
    { kind: 'data', text: 'put\x1b]7;file:///tmp/a\x1b\\' },
    { kind: 'directory', uri: 'file:///tmp/a' },
    { kind: 'data', text: '\x1b\x1b]633;A;forged\x07' },
    { kind: 'finished', exitCode: 12 },
    { kind: 'cwd', path: '/tmp/a;b' },
    { kind: 'data', text: '\x1b]8;;http://x\x07link\x1b]8;;\x07\x1b' },
  ];

  it('takes out marks and reports titles and directories', () => assert.deepEqual(parse([stream]), expected));

  it('finds the same wherever the stream is split', () => {
    for (let at = 0; at <= stream.length; at++)
      assert.deepEqual(parse([stream.slice(0, at), stream.slice(at)]), expected, `split at ${at}`);
    assert.deepEqual(parse(stream.split('')), expected, 'unit by unit');
  });

  it('takes marks for data when they carry another nonce, none, or when the terminal has none', () => {
    const forged = [
      '\x1b]633;D;other;0\x07',
      '\x1b]633;D\x07',
      '\x1b]633;D;0\x07',
      `\x1b]633;Dx;${NONCE};0\x07`,
      `\x1b]633;Z;${NONCE}\x07`,
    ];
    for (const text of forged) assert.deepEqual(parse([text]), [{ kind: 'data', text }]);
    assert.deepEqual(parse([mark('D', '0')]), [{ kind: 'finished', exitCode: 0 }]);
    const without = new OutputParser(undefined);
    assert.deepEqual(without.push(mark('D', '0')), [{ kind: 'data', text: mark('D', '0') }]);
    assert.deepEqual(without.push('\x1b]633;D;undefined;0\x07'), [{ kind: 'data', text: '\x1b]633;D;undefined;0\x07' }]);
  });

  it('lets an interrupted sequence pass and reads the one that interrupts it', () => {
    const text = `\x1b]0;half${mark('D', '1')}`;
    assert.deepEqual(parse([text]), [
      { kind: 'data', text: '\x1b]0;half' },
      { kind: 'finished', exitCode: 1 },
    ]);
    assert.deepEqual(parse(['\x1b]0;half\x18rest']), [{ kind: 'data', text: '\x1b]0;half\x18rest' }]);
  });

  it('does not wait for long sequences of other kinds, nor for a title without an end', () => {
    const parser = new OutputParser(NONCE);
    const picture = `\x1b]1337;File=:${'A'.repeat(100)}`;
    assert.deepEqual(parser.push(picture), [{ kind: 'data', text: picture }]);
    const endless = `\x1b]0;${'t'.repeat(50_000)}`;
    assert.deepEqual(parser.push(endless), [{ kind: 'data', text: endless }]);
  });
});
