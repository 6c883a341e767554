import assert from 'node:assert/strict';
import { plainTerminalText } from './terminalText.ts';

const ESC = '\u001b';

describe('The output of a terminal', () => {
  it('is read without colours, titles, links, marks of the shell and other controls', () => {
    for (const [raw, text] of [
      [`${ESC}[31;1mred${ESC}[0m ${ESC}[38;2;1;2;3mtrue${ESC}[m`, 'red true'],
      [`${ESC}]633;C\u0007out${ESC}]633;D;0${ESC}\\put`, 'output'],
      [`${ESC}]0;a title\u0007text`, 'text'],
      [`${ESC}]8;;https://example.com${ESC}\\link${ESC}]8;;${ESC}\\`, 'link'],
      ['10%\r50%\r100%\r\ndone\r\n', '100%\ndone'],
      [`a\u0000b\u0007c\u009bd`, 'abcd'],
      ['tab\tstays', 'tab\tstays'],
    ] as const)
      assert.equal(plainTerminalText(raw), text, JSON.stringify(raw));
  });
});
