import assert from 'node:assert/strict';
import { plainTerminalText } from './plainTerminalText.ts';

const ESC = '\u001b';

describe('The output of a terminal', () => {
  it('is read without colours, titles, links, marks of the shell and other controls', () => {
    for (const [raw, text] of [
      [`${ESC}[31;1mred${ESC}[0m ${ESC}[38;2;1;2;3mtrue${ESC}[m`, 'red true'],
      ['\u009b31mred\u009b0m', 'red'],
      [`${ESC}]633;C\u0007out${ESC}]633;D;0${ESC}\\put`, 'output'],
      [`${ESC}]0;a title\u0007text`, 'text'],
      [`${ESC}]8;;https://example.com${ESC}\\link${ESC}]8;;${ESC}\\`, 'link'],
      [`${ESC}Pq#0;2;0;0;0~-${ESC}\\an image before`, 'an image before'],
      [`${ESC}(B${ESC}=${ESC}7text${ESC}8${ESC}>`, 'text'],
      [`${ESC}[?2004h${ESC}[2K\u0007plain\ttab\r\n`, 'plain\ttab\n'],
      [`a\u0000b\u0007c\u009bd`, 'abcd'],
      ['größe 😀 \u200d\r\n', 'größe 😀 \u200d\n'],
    ] as const)
      assert.equal(plainTerminalText(raw), text, JSON.stringify(raw));
  });

  it('loses no text after a sequence that does not end', () => {
    assert.equal(plainTerminalText(`${ESC}]0;no end\n${ESC}[31mred`), '0;no end\nred');
    assert.equal(plainTerminalText(`text${ESC}`), 'text');
    assert.equal(plainTerminalText(`text${ESC}[`), 'text');
  });

  it('is of a progress line only what stands there last', () => {
    assert.equal(plainTerminalText('start\r\n10 %\r50 %\r100 %\r\ndone\r\r\n\rx'), 'start\n100 %\ndone\nx');
    assert.equal(plainTerminalText('\r\r\n\r'), '\n');
  });
});
