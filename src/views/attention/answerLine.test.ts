import assert from 'node:assert/strict';
import type { ResponsePart } from '../../ahp/channels/chat/state.ts';
import { answerLine } from './answerLine.ts';

const said = (content: string): ResponsePart => ({ kind: 'markdown', id: 'm', content });
const call = { kind: 'toolCall', toolCall: {} } as ResponsePart;
const line = (...responseParts: ResponsePart[]) => answerLine({ state: 'complete', responseParts });

describe('answerLine', () => {
  it('is the first line that says something after the last call', () => {
    assert.equal(line(said('I look at it.'), call, said('\n\nAll tests pass.\nTwo were slow.'), said('Bye.')), 'All tests pass.');
  });

  it('is what was said before the last call, where nothing follows', () => {
    assert.equal(line(said('Now I run it.'), call), 'Now I run it.');
    assert.equal(line(call), '');
  });

  it('has no markup, and shows nothing that changes the direction of text', () => {
    assert.equal(line(said('> ## **Done**: see [the page](command:evil) and `a.ts`')), 'Done: see the page and a.ts');
    assert.equal(line(said('---\n```sh\n- 1. npm test\n```')), 'npm test');
    assert.equal(line(said('a\u202eb\u0007c')), 'a b c');
  });

  it('is cut, and searched at the beginning of a long text only', () => {
    assert.equal(line(said('x'.repeat(1_000_000))).length, 161);
    assert.equal(line(said(`${'\n'.repeat(1_000_000)}late`)), '');
  });

  it('is that of the error where the turn failed', () => {
    const error = { kind: 'error', error: { errorType: 'x', message: 'No quota\nis left' } } as ResponsePart;
    assert.equal(answerLine({ state: 'error', responseParts: [said('Well'), error] }), 'No quota is left');
    assert.equal(answerLine({ state: 'error', responseParts: [said('Well')] }), '');
  });
});
